package discover

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/formation-iac/formation/internal/base/diag"
)

// isMine reports whether a block belongs to the provider at hand, which files
// call localName. expr is the block's `provider` argument, and what is what the
// block makes, for messages. The block of another provider is left out with a
// warning. One of another configuration is an error: it would be answered with
// the objects of the wrong region or account.
func isMine(localName, what string, expr hcl.Expression) (bool, diag.List) {
	traversal, hclDiags := hcl.AbsTraversalForExpr(expr)
	if hclDiags.HasErrors() {
		return false, diag.List{badProviderReference(expr.Range())}
	}
	if name := traversal.RootName(); name != localName {
		return false, diag.List{otherProvider(expr.Range(), what, name, localName)}
	}
	if len(traversal) > 1 {
		return false, diag.List{aliasedProvider(expr.Range(), localName+" with an alias")}
	}
	return true, nil
}
