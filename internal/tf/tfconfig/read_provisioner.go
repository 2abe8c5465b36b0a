package tfconfig

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

func (r *reader) provisioner(b *hcl.Block) *ProvisionerBlock {
	content, remain, diags := b.Body.PartialContent(&hcl.BodySchema{
		Attributes: attributes("when", "on_failure"),
		Blocks:     []hcl.BlockHeaderSchema{{Type: "connection"}, {Type: "lifecycle"}, {Type: "_"}},
	})
	r.hcl(diags)
	r.blocksOf(content, "lifecycle")
	r.keyword(content, "on_failure", "continue", "fail")
	p := &ProvisionerBlock{
		Type: b.Labels[0], OnDestroy: r.keyword(content, "when", "create", "destroy") == "destroy",
		Config: escaped(content, withoutBlocks(remain, "connection", "lifecycle", "_")), Range: b.DefRange,
	}
	for _, connection := range content.Blocks.OfType("connection") {
		p.Connection = connection.Body
	}
	return p
}

// keyword reads an argument that takes one of a few words, in old
// configuration also as strings.
func (r *reader) keyword(content *hcl.BodyContent, name string, words ...string) string {
	attr := content.Attributes[name]
	if attr == nil {
		return ""
	}
	word := hcl.ExprAsKeyword(unquoted(attr.Expr))
	if !slices.Contains(words, word) {
		r.report(invalidKeyword(name, strings.Join(words, " or "), attr.Expr.Range()))
	}
	return word
}
