package link

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
)

// candidate is a link that could be made.
type candidate struct {
	to        int32
	attribute string
	target    *Target
	// before and after are the text around the reference.
	before, after string
}

// maxSplits bounds where a target with ${any} may end, per value.
const maxSplits = 64

// resolve finds what the literal at a site means. It returns either a
// candidate or the reason why there is none, with the resources concerned.
func (x *Index) resolve(from int32, s site) (*candidate, Skipped) {
	if s.secret || s.value.IsMarked() {
		return nil, Skipped{Reason: Secret, Rule: s.rule.Range}
	}
	if s.value.IsNull() || !s.value.IsKnown() {
		return nil, Skipped{}
	}
	var unreferable Skipped
	for i := range s.rule.Targets {
		target := &s.rule.Targets[i]
		for _, c := range splits(target, s.value) {
			found, ok := x.find(from, target, c.value)
			if !ok {
				continue
			}
			link, skipped := x.settle(from, s, target, c, found)
			if skipped.Reason != Unreferable {
				return link, skipped
			}
			unreferable = skipped
		}
	}
	if unreferable.Reason != "" {
		return nil, unreferable
	}
	if _, ok := keyValue(s.value); !ok || len(s.rule.Targets) == 0 {
		return nil, Skipped{} // nothing that could be a link
	}
	return nil, Skipped{Reason: NotFound, Rule: s.rule.Range}
}

// settle decides about resources that have the value of the first target
// that matches.
func (x *Index) settle(from int32, s site, target *Target, c split, found holders) (*candidate, Skipped) {
	no := func(why Reason) (*candidate, Skipped) {
		named := found.more[:min(len(found.more), maxNamed-1)]
		return nil, Skipped{
			Reason: why, Rule: target.Range, More: len(found.more) - len(named),
			Candidates: x.addresses(append([]int32{found.first}, named...)),
		}
	}
	switch {
	case len(found.more) > 0:
		return no(Ambiguous)
	case found.first == from:
		return no(Itself)
	}
	attribute, typ := x.referable(found.first, target.Attribute, c.value)
	plain := c.before == "" && c.after == ""
	if attribute == "" || plain && s.exact && !typ.Equals(s.value.Type()) {
		return no(Unreferable)
	}
	return &candidate{found.first, attribute, target, c.before, c.after}, Skipped{}
}

func (x *Index) addresses(positions []int32) []tfaddr.Resource {
	out := make([]tfaddr.Resource, len(positions))
	for i, p := range positions {
		out[i] = x.resources[p].Addr
	}
	return out
}

// split is a value taken apart: what to look up, and the text around it.
type split struct{ before, value, after string }

// splits lists the ways in which v fits a target, longest value first.
func splits(target *Target, v cty.Value) []split {
	text, ok := keyValue(v)
	if !ok {
		return nil
	}
	if target.Before == "" && target.After == "" {
		return []split{{value: text}}
	}
	inner, ok := strings.CutPrefix(text, target.Before)
	if !ok || v.Type() != cty.String {
		return nil
	}
	if !target.Rest {
		value, ok := strings.CutSuffix(inner, target.After)
		if !ok {
			return nil
		}
		return []split{{target.Before, value, target.After}}
	}
	var out []split
	for end := len(inner); len(out) < maxSplits; {
		if end = strings.LastIndex(inner[:end], target.After); end < 0 {
			break
		}
		out = append(out, split{target.Before, inner[:end], inner[end:]})
	}
	return out
}

// expr writes the reference to resource to.
func (c *candidate) expr(to Resource) tfconfig.Expr {
	ref := reference(to.Addr, c.attribute)
	if c.before == "" && c.after == "" {
		return ref
	}
	var parts []tfconfig.Expr
	if c.before != "" {
		parts = append(parts, tfconfig.Text(c.before))
	}
	parts = append(parts, ref)
	if c.after != "" {
		parts = append(parts, tfconfig.Text(c.after))
	}
	return tfconfig.Template{Parts: parts}
}

func reference(addr tfaddr.Resource, attribute string) tfconfig.Reference {
	steps := []string{addr.Type, addr.Name, attribute}
	if addr.Mode == tfaddr.Data {
		steps = append([]string{"data"}, steps...)
	}
	traversal := hcl.Traversal{hcl.TraverseRoot{Name: steps[0]}}
	for _, name := range steps[1:] {
		traversal = append(traversal, hcl.TraverseAttr{Name: name})
	}
	return tfconfig.Reference{Traversal: traversal}
}
