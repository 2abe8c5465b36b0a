package tflang

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// Kind is what a reference's first word says it leads to.
type Kind uint8

// The kinds. KindResource covers managed resources and data sources.
const (
	KindVariable Kind = iota + 1
	KindLocal
	KindEach
	KindCount
	KindPath
	KindTerraform
	KindModule
	KindResource
	KindEphemeral
	KindSelf
)

// roots are the words that begin a reference with a name after it. Every
// other word begins one to a managed resource.
func rootKind(word string) Kind {
	switch word {
	case "var":
		return KindVariable
	case "local":
		return KindLocal
	case "each":
		return KindEach
	case "count":
		return KindCount
	case "path":
		return KindPath
	case "terraform", "tofu":
		return KindTerraform
	case "module":
		return KindModule
	case "ephemeral":
		return KindEphemeral
	case "self":
		return KindSelf
	}
	return KindResource
}

// Reference is one mention of a named thing.
type Reference struct {
	Kind Kind
	// Root is the first word as written: "tofu" or "terraform", say.
	Root string
	// Name is the word after the first: a variable, local or module, "key" of
	// each. It is "" for resources and self.
	Name string
	// Resource is set for KindResource and KindEphemeral. An ephemeral one has
	// no mode.
	Resource tfaddr.Resource
	// Rest is what follows: an instance key, attributes, indexes.
	Rest  hcl.Traversal
	Range hcl.Range
}

// String is the reference as written, without what follows it.
func (r Reference) String() string {
	switch r.Kind {
	case KindResource:
		return r.Resource.String()
	case KindEphemeral:
		return "ephemeral." + r.Resource.String()
	case KindSelf:
		return "self"
	}
	return r.Root + "." + r.Name
}

// Key returns the static instance key right after the name, or cty.NilVal.
func (r Reference) Key() cty.Value {
	if len(r.Rest) > 0 {
		if step, ok := r.Rest[0].(hcl.TraverseIndex); ok {
			return step.Key
		}
	}
	return cty.NilVal
}

// ParseReference reads a traversal that begins with a root.
func ParseReference(t hcl.Traversal) (Reference, *diag.Diagnostic) {
	if t.IsRelative() || len(t) == 0 {
		return Reference{}, notAReference(t.SourceRange())
	}
	ref := Reference{Root: t.RootName(), Kind: rootKind(t.RootName()), Range: t.SourceRange()}
	words := names(t[1:])
	switch {
	case ref.Kind == KindSelf:
		ref.Rest = t[1:]
		return ref, nil
	case ref.Kind == KindResource:
		return resourceReference(ref, t, words)
	case ref.Kind == KindEphemeral:
		if len(words) < 2 {
			return ref, incompleteReference(ref.Root, "a type and a name", ref.Range)
		}
		ref.Resource, ref.Rest = tfaddr.Resource{Type: words[0], Name: words[1]}, t[3:]
		return ref, nil
	case len(words) == 0:
		return ref, incompleteReference(ref.Root, "a name", ref.Range)
	}
	ref.Name, ref.Rest = words[0], t[2:]
	return ref, nil
}

func resourceReference(ref Reference, t hcl.Traversal, words []string) (Reference, *diag.Diagnostic) {
	switch ref.Root {
	case "data", "resource":
		if len(words) < 2 {
			return ref, incompleteReference(ref.Root, "a type and a name", ref.Range)
		}
		mode := tfaddr.Managed
		if ref.Root == "data" {
			mode = tfaddr.Data
		}
		ref.Resource, ref.Rest = tfaddr.Resource{Mode: mode, Type: words[0], Name: words[1]}, t[3:]
		return ref, nil
	}
	if len(words) == 0 {
		return ref, incompleteReference(ref.Root, "a resource name", ref.Range)
	}
	ref.Resource, ref.Rest = tfaddr.Resource{Mode: tfaddr.Managed, Type: ref.Root, Name: words[0]}, t[2:]
	return ref, nil
}

// names are the attribute steps that t begins with.
func names(t hcl.Traversal) []string {
	var out []string
	for _, step := range t {
		attr, ok := step.(hcl.TraverseAttr)
		if !ok {
			break
		}
		out = append(out, attr.Name)
	}
	return out
}

// References finds the references of traversals, in order. Those that bound
// names, such as the iterators of dynamic blocks, begin are left out.
func References(traversals []hcl.Traversal, bound []string) ([]Reference, diag.List) {
	var refs []Reference
	var diags diag.List
	for _, t := range traversals {
		if slices.Contains(bound, t.RootName()) {
			continue
		}
		ref, d := ParseReference(t)
		if d != nil {
			diags = append(diags, d)
			continue
		}
		refs = append(refs, ref)
	}
	return refs, diags
}

// Layered is a body that is made of others.
type Layered interface{ Layers() []hcl.Body }

// BodyTraversals finds every variable mentioned in a body, at any depth, and
// the names that its dynamic blocks bind. It needs no schema: where a JSON
// body does not say what is a block, everything counts as an expression.
// Arguments and blocks called except, at the top, are left out.
func BodyTraversals(body hcl.Body, except ...string) (traversals []hcl.Traversal, bound []string) {
	switch b := body.(type) {
	case Layered:
		for _, layer := range b.Layers() {
			inner, innerBound := BodyTraversals(layer, except...)
			traversals, bound = append(traversals, inner...), append(bound, innerBound...)
		}
		return traversals, bound
	case *hclsyntax.Body:
		return nativeTraversals(b, except...)
	}
	attrs, _ := body.JustAttributes() // what is wrong with them is found when they are decoded
	for _, name := range sortedKeys(attrs) {
		if !slices.Contains(except, name) {
			traversals = append(traversals, attrs[name].Expr.Variables()...)
		}
	}
	return traversals, nil
}

func nativeTraversals(body *hclsyntax.Body, except ...string) (traversals []hcl.Traversal, bound []string) {
	traversals = attributeTraversals(body.Attributes, except...)
	for _, block := range body.Blocks {
		if slices.Contains(except, block.Type) {
			continue
		}
		if block.Type == "dynamic" && len(block.Labels) == 1 {
			bound = append(bound, iteratorName(block))
			traversals = append(traversals, dynamicTraversals(block)...)
		}
		inner, innerBound := nativeTraversals(block.Body)
		if block.Type != "dynamic" {
			traversals = append(traversals, inner...)
		}
		bound = append(bound, innerBound...)
	}
	return traversals, bound
}

// iteratorName is what the content of a dynamic block calls its element.
func iteratorName(block *hclsyntax.Block) string {
	if attr, ok := block.Body.Attributes["iterator"]; ok {
		if name := hcl.ExprAsKeyword(attr.Expr); name != "" {
			return name
		}
	}
	return block.Labels[0]
}

// dynamicTraversals are those of a dynamic block: all but its iterator
// argument, which is a name and not a reference.
func dynamicTraversals(block *hclsyntax.Block) []hcl.Traversal {
	out := attributeTraversals(block.Body.Attributes, "iterator")
	for _, inner := range block.Body.Blocks {
		found, _ := nativeTraversals(inner.Body)
		out = append(out, found...)
	}
	return out
}

// attributeTraversals are the variables in attributes, by the names of these.
// Most have none, and are not worth an order.
func attributeTraversals(attributes hclsyntax.Attributes, except ...string) []hcl.Traversal {
	type mention struct {
		name string
		in   []hcl.Traversal
	}
	var found []mention
	for name, attr := range attributes {
		if in := traversalsIn(attr.Expr); len(in) > 0 && !slices.Contains(except, name) {
			found = append(found, mention{name, in})
		}
	}
	slices.SortFunc(found, func(a, b mention) int { return strings.Compare(a.name, b.name) })
	var out []hcl.Traversal
	for _, m := range found {
		out = append(out, m.in...)
	}
	return out
}

// traversalsIn are the variables in an expression, as its own method has them.
// That makes something new for each expression, and most are literals.
func traversalsIn(expr hcl.Expression) (out []hcl.Traversal) {
	switch e := expr.(type) {
	case *hclsyntax.LiteralValueExpr:
		return nil
	case *hclsyntax.ScopeTraversalExpr:
		return []hcl.Traversal{e.Traversal}
	case *hclsyntax.TemplateExpr:
		for _, part := range e.Parts {
			out = append(out, traversalsIn(part)...)
		}
		return out
	case *hclsyntax.TupleConsExpr:
		for _, member := range e.Exprs {
			out = append(out, traversalsIn(member)...)
		}
		return out
	case *hclsyntax.ObjectConsExpr:
		for _, item := range e.Items {
			out = append(append(out, traversalsIn(item.KeyExpr)...), traversalsIn(item.ValueExpr)...)
		}
		return out
	case *hclsyntax.ObjectConsKeyExpr:
		if hcl.ExprAsKeyword(e.Wrapped) != "" {
			return nil
		}
		return traversalsIn(e.Wrapped)
	}
	return expr.Variables()
}
