package tfconfig

import (
	"github.com/hashicorp/hcl/v2"
)

func (r *reader) movedBlock(b *hcl.Block) {
	content, diags := b.Body.Content(&hcl.BodySchema{Attributes: attributes("from", "to")})
	r.hcl(diags)
	from, okFrom := r.target(b, content, "from")
	to, okTo := r.target(b, content, "to")
	if okFrom && okTo {
		r.module.Moved = append(r.module.Moved, &MovedBlock{From: from, To: to, Range: b.DefRange})
	}
}

func (r *reader) target(b *hcl.Block, content *hcl.BodyContent, name string) (hcl.Traversal, bool) {
	attr := content.Attributes[name]
	if attr == nil {
		r.report(missingArgument(name, b.Type+" block", b.DefRange))
		return nil, false
	}
	t, diags := refTraversal(attr.Expr)
	r.hcl(diags)
	return t, !diags.HasErrors()
}

func (r *reader) importBlock(b *hcl.Block) {
	content, diags := b.Body.Content(&hcl.BodySchema{Attributes: attributes("provider", "id", "identity", "to", "for_each")})
	r.hcl(diags)
	imp := &ImportBlock{
		To: expression(content, "to"), ID: expression(content, "id"), Identity: expression(content, "identity"),
		ForEach: expression(content, "for_each"), Range: b.DefRange,
	}
	if imp.To == nil || (imp.ID == nil) == (imp.Identity == nil) {
		r.report(missingArgument("to, and one of id and identity,", "import block", b.DefRange))
		return
	}
	if attr := content.Attributes["provider"]; attr != nil {
		imp.Provider, _ = r.providerRef(attr.Expr)
	}
	r.module.Imports = append(r.module.Imports, imp)
}

func (r *reader) removedBlock(b *hcl.Block) {
	content, diags := b.Body.Content(&hcl.BodySchema{
		Attributes: attributes("from"),
		Blocks:     []hcl.BlockHeaderSchema{{Type: "lifecycle"}, {Type: "connection"}, {Type: "provisioner", LabelNames: []string{"type"}}},
	})
	r.hcl(diags)
	r.blocksOf(content)
	from, ok := r.target(b, content, "from")
	if !ok {
		return
	}
	if !isWhole(from) {
		r.report(partRemoved(from.SourceRange()))
		return
	}
	removed := &RemovedBlock{From: from, Destroy: true, Range: b.DefRange}
	for _, life := range content.Blocks.OfType("lifecycle") {
		inner, diags := life.Body.Content(&hcl.BodySchema{Attributes: attributes("destroy")})
		r.hcl(diags)
		if attr := inner.Attributes["destroy"]; attr != nil {
			removed.Destroy = r.literalBool(attr.Expr)
		}
	}
	for _, inner := range content.Blocks.OfType("provisioner") {
		removed.Provisioners = append(removed.Provisioners, r.provisioner(inner))
	}
	r.module.Removed = append(r.module.Removed, removed)
}

// isWhole reports whether a traversal leads to a module or a managed resource
// with all its instances.
func isWhole(t hcl.Traversal) bool {
	for len(t) > 1 && StepName(t[0]) == "module" {
		t = t[2:]
	}
	for _, step := range t {
		if _, index := step.(hcl.TraverseIndex); index {
			return false
		}
	}
	return len(t) == 0 || StepName(t[0]) != "data"
}

// StepName is the name in a step of a traversal, or "".
func StepName(step hcl.Traverser) string {
	switch s := step.(type) {
	case hcl.TraverseRoot:
		return s.Name
	case hcl.TraverseAttr:
		return s.Name
	}
	return ""
}

func (r *reader) checkBlock(b *hcl.Block) {
	content, diags := b.Body.Content(&hcl.BodySchema{
		Blocks: []hcl.BlockHeaderSchema{{Type: "data", LabelNames: []string{"type", "name"}}, {Type: "assert"}},
	})
	r.hcl(diags)
	check := &CheckBlock{Name: b.Labels[0], Asserts: r.rules(content.Blocks.OfType("assert")), Range: b.DefRange}
	for _, data := range content.Blocks.OfType("data") {
		if check.Data != nil {
			r.report(duplicate("data source in a check", check.Data.Range, data.DefRange))
			continue
		}
		check.Data = r.checkedData(data)
	}
	if len(check.Asserts) == 0 && !r.overriding {
		r.report(missingArgument("an assert block", "check "+check.Name, b.DefRange))
	}
	if old := r.module.Checks[check.Name]; old != nil && !r.overriding {
		r.report(duplicate("check "+check.Name, old.Range, check.Range))
		return
	}
	r.module.Checks[check.Name] = check
}

// checkedData reads the data source of a check, which stands for one object
// that goes the way of its check.
func (r *reader) checkedData(b *hcl.Block) *ResourceBlock {
	if !r.named(b) {
		return nil
	}
	content, _, _ := b.Body.PartialContent(&hcl.BodySchema{ // what is wrong with it, reading it says
		Attributes: attributes("count", "for_each"),
		Blocks:     []hcl.BlockHeaderSchema{{Type: "lifecycle"}},
	})
	for _, name := range sortedNames(content.Attributes) {
		r.report(notInCheck(name, content.Attributes[name].NameRange))
	}
	for _, life := range content.Blocks {
		r.report(notInCheck("lifecycle", life.DefRange))
	}
	return r.resource(b)
}
