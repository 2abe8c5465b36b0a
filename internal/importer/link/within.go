package link

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// Agreement narrows a target to resources that agree with the one that refers
// to them: Theirs, a root attribute of the target's type, has the same value
// as Ours, a root attribute of the rule's type. Many names are unique within
// something alone: a schema's within a database, an object's within a
// namespace.
type Agreement struct{ Theirs, Ours string }

// lookup is how a target asks the index: for an attribute, within others,
// whose sorted names a blank stands between.
type lookup struct{ attribute, within string }

func (t *Target) lookup() lookup {
	theirs := make([]string, len(t.Within))
	for i, a := range t.Within {
		theirs[i] = a.Theirs
	}
	return lookup{t.Attribute, strings.Join(theirs, " ")}
}

// theirs are the attributes that the lookup is within.
func (l lookup) theirs() []string { return strings.Fields(l.within) }

// ours are the attributes of the resource that refers, in the order of the
// lookup's.
func (t *Target) ours() []string {
	var names []string
	for _, a := range t.Within {
		names = append(names, a.Ours)
	}
	return names
}

// scope is what a resource has under some names, as one key, and whether all
// of it can be compared.
func (r Resource) scope(names []string) (string, bool) {
	var b strings.Builder
	for _, name := range names {
		text, ok := r.rootText(name)
		if !ok {
			return "", false
		}
		b.WriteString(strconv.Quote(text))
	}
	return b.String(), true
}

// rootText is the text of a root attribute, or of one that the identity
// alone has. What is not set agrees with what is not set.
func (r Resource) rootText(name string) (string, bool) {
	switch {
	case hasRoot(r.State, name):
		if !mayRefer(r.Schema, name) {
			return "", false
		}
		return textOrUnset(r.State.GetAttr(name))
	case hasRoot(r.Identity, name):
		return textOrUnset(r.Identity.GetAttr(name))
	}
	return "", false
}

func textOrUnset(v cty.Value) (string, bool) {
	if v.IsMarked() || !v.IsKnown() {
		return "", false
	}
	if v.IsNull() || v.Type() == cty.String && v.AsString() == "" {
		return "", true
	}
	return keyValue(v)
}

// within writes agreements as rule files do.
func within(agreements []Agreement) string {
	switch {
	case len(agreements) == 0:
		return ""
	case len(agreements) == 1 && agreements[0].Theirs == agreements[0].Ours:
		return "[" + agreements[0].Theirs + "]"
	}
	var items []string
	for _, a := range agreements {
		items = append(items, a.Theirs+" = "+a.Ours)
	}
	return "[{ " + strings.Join(items, ", ") + " }]"
}

// narrowedTarget reads type[attribute].attribute. Where it cannot, it says
// why.
func narrowedTarget(expr *hclsyntax.RelativeTraversalExpr) (Target, string) {
	index, ok := expr.Source.(*hclsyntax.IndexExpr)
	if !ok {
		return Target{}, notReference
	}
	of, ok := index.Collection.(*hclsyntax.ScopeTraversalExpr)
	if !ok || len(of.Traversal) != 1 {
		return Target{}, "brackets stand right after the type"
	}
	target, why := attributeOf(append(slices.Clone(of.Traversal), expr.Traversal...))
	if why != "" {
		return Target{}, why
	}
	target.Within, why = agreements(index.Key)
	return target, why
}

// agreements reads what stands in brackets: the name of an attribute that both
// have, or an object of theirs and ours.
func agreements(key hclsyntax.Expression) ([]Agreement, string) {
	if name := hcl.ExprAsKeyword(key); name != "" {
		return []Agreement{{name, name}}, ""
	}
	object, ok := key.(*hclsyntax.ObjectConsExpr)
	if !ok || len(object.Items) == 0 {
		return nil, notAgreement
	}
	var out []Agreement
	for _, item := range object.Items {
		theirs, ok := keyText(item.KeyExpr)
		ours := hcl.ExprAsKeyword(item.ValueExpr)
		if !ok || !hclsyntax.ValidIdentifier(theirs) || ours == "" {
			return nil, notAgreement
		}
		out = append(out, Agreement{theirs, ours})
	}
	slices.SortFunc(out, func(a, b Agreement) int { return cmp.Compare(a.Theirs, b.Theirs) })
	for i := range out[1:] {
		if out[i].Theirs == out[i+1].Theirs {
			return nil, "it names " + out[i].Theirs + " twice in brackets"
		}
	}
	return out, ""
}
