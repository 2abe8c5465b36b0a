package tfverify

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tflang"
)

// uses are what the arguments of resources refer to.
type uses map[*tfconfig.ResourceBlock]used

// of is what the arguments of a block refer to, also of one that only a check
// has.
func (u uses) of(res *tfconfig.ResourceBlock) used {
	if known, ok := u[res]; ok {
		return known
	}
	return usedBy(res.Traversals())
}

// used are variables, and the names that dynamic blocks bind.
type used struct {
	traversals []hcl.Traversal
	bound      []string
	// plain are the references of the traversals, where no name is bound and
	// nothing is wrong; else nil.
	plain []tflang.Reference
}

// usedBy is what a body uses. Its references are read here, once for all who go
// by them.
func usedBy(traversals []hcl.Traversal, bound []string) used {
	u := used{traversals: traversals, bound: bound}
	if refs, faults := tflang.References(traversals, nil); len(bound)+len(faults) == 0 {
		u.plain = refs
	}
	return u
}

// usedIn is what expressions use, nil ones nothing.
func usedIn(exprs ...hcl.Expression) used { return used{traversals: variables(exprs...)} }

// references are those that lead out of the body, and what is wrong with others.
func (u used) references() ([]tflang.Reference, diag.List) {
	if u.plain != nil {
		return u.plain, nil
	}
	return tflang.References(u.traversals, u.bound)
}

// all are the references, also those to names that are bound.
func (u used) all() []tflang.Reference {
	if u.plain != nil {
		return u.plain
	}
	refs, _ := tflang.References(u.traversals, nil)
	return refs
}

func variables(exprs ...hcl.Expression) []hcl.Traversal {
	var out []hcl.Traversal
	for _, e := range exprs {
		if e != nil {
			out = append(out, e.Variables()...)
		}
	}
	return out
}
