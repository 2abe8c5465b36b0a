package minimise_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/importer/minimise"
	"github.com/formation-iac/formation/internal/tf/tfplan"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// TestOneMinimal holds every outcome to the definition, asking the provider
// anew: the three conditions hold, and leaving out any one more optional
// attribute, block or element of a block, however deep, breaks one of them. What
// was left out because of an objection is objected to.
func TestOneMinimal(t *testing.T) {
	t.Parallel()
	for prefix, binary := range providers {
		t.Run(binary, func(t *testing.T) {
			t.Parallel()
			s := start(t, binary, 40)
			found := s.found(t, prefix)
			if len(found) < 30 {
				t.Fatalf("only %d objects to work on", len(found))
			}
			places, deep := 0, 0
			for _, m := range s.minimise(t, found, minimise.Options{Concurrency: 4}) {
				name := m.Object.Type + " " + m.Object.Found.ID
				if why := s.broken(t, m, m.Config, ""); why != "" {
					t.Errorf("%s: %s", name, why)
				}
				for _, cut := range cuts(s.block(t, m), m.Config) {
					if s.broken(t, m, cut.config, cut.root) == "" {
						t.Errorf("%s: %s could go", name, cut.what)
					}
					places++
					if strings.Contains(cut.what, ".") {
						deep++
					}
				}
				s.objectsTo(t, m)
			}
			t.Logf("%d objects, %d places tried, %d of them deep inside", len(found), places, deep)
			if deep < 50 {
				t.Errorf("only %d places deep inside were tried", deep)
			}
		})
	}
}

func (s subject) block(t *testing.T, m minimise.Minimal) *tfschema.Block {
	t.Helper()
	schema, err := s.catalog.Resource(m.Object.Type)
	fail(t, err)
	return schema.Block
}

// objectsTo writes each value again that is said to be refused beside others.
func (s subject) objectsTo(t *testing.T, m minimise.Minimal) {
	t.Helper()
	for _, path := range m.Conflicting {
		config := with(m.Config, path[0].(cty.GetAttrStep).Name, m.Object.State)
		if s.ValidateResourceConfig(t.Context(), m.Object.Type, config).Err() == nil {
			t.Errorf("%s %s: %s is not refused", m.Object.Type, m.Object.Found.ID, ctyx.PathString(path))
		}
	}
}

// with has the attribute of that name from another value.
func with(config cty.Value, name string, from cty.Value) cty.Value {
	attrs := config.AsValueMap()
	attrs[name] = from.GetAttr(name)
	return cty.ObjectVal(attrs)
}

// broken names the first condition that does not hold, or "". The third is
// checked at the root attribute or block that something was left out of, or at
// all that are left out.
func (s subject) broken(t *testing.T, m minimise.Minimal, config cty.Value, root string) string {
	t.Helper()
	if err := s.ValidateResourceConfig(t.Context(), m.Object.Type, config).Err(); err != nil {
		return "invalid: " + err.Error()
	}
	update, diags := tfplan.Plan(t.Context(), s, tfplan.Request{
		TypeName: m.Object.Type, Prior: m.Object.State, Config: config, Ignore: ignored(m),
		PriorPrivate: m.Object.Private, Identity: m.Object.Identity,
	})
	if diags.HasErrors() || update.Action != tfplan.NoOp {
		return fmt.Sprintf("update plan: %v %s %v", diags.Err(), update.Action, update.Changes)
	}
	create, diags := tfplan.Plan(t.Context(), s, tfplan.Request{TypeName: m.Object.Type, Config: config})
	if diags.HasErrors() {
		return "create plan: " + diags.Err().Error()
	}
	return recreates(s.block(t, m), m, config, create, root)
}

func recreates(block *tfschema.Block, m minimise.Minimal, config cty.Value, create tfplan.Result, root string) string {
	was, now := settable(block.Attributes, block.Blocks, m.Object.State), settable(block.Attributes, block.Blocks, create.Planned)
	for name := range was.Type().AttributeTypes() {
		absent := config.GetAttr(name).IsNull() && !was.GetAttr(name).IsNull() &&
			!slices.ContainsFunc(m.Conflicting, cty.GetAttrPath(name).Equals)
		if name != root && (root != "" || !absent) || create.Legacy && name == "id" {
			continue
		}
		if !equivalent(now.GetAttr(name), was.GetAttr(name), create.Legacy) {
			return fmt.Sprintf("a creation gives %#v for %s, which is %#v", now.GetAttr(name), name, was.GetAttr(name))
		}
	}
	return ""
}

// settable is a value without what only the provider sets.
func settable(attrs []*tfschema.Attribute, blocks []*tfschema.NestedBlock, v cty.Value) cty.Value {
	if v.IsNull() || !v.IsKnown() {
		return v
	}
	vals := map[string]cty.Value{}
	for _, a := range attrs {
		switch {
		case !a.Optional && !a.Required:
			vals[a.Name] = cty.NullVal(a.Type)
		case a.Nested != nil:
			vals[a.Name] = each(v.GetAttr(a.Name), a.Nested.Nesting, func(elem cty.Value) cty.Value {
				return settable(a.Nested.Attributes, nil, elem)
			})
		default:
			vals[a.Name] = v.GetAttr(a.Name)
		}
	}
	for _, n := range blocks {
		vals[n.Name] = each(v.GetAttr(n.Name), n.Nesting, func(elem cty.Value) cty.Value {
			return settable(n.Block.Attributes, n.Block.Blocks, elem)
		})
	}
	return cty.ObjectVal(vals)
}

// each changes the objects that nesting keeps in v.
func each(v cty.Value, nesting tfschema.Nesting, change func(cty.Value) cty.Value) cty.Value {
	if v.IsNull() || !v.IsKnown() {
		return v
	}
	if nesting == tfschema.NestingSingle || nesting == tfschema.NestingGroup {
		return change(v)
	}
	var elems []element
	for key, elem := range v.Elements() {
		elems = append(elems, element{key, change(elem)})
	}
	return collected(elems, v.Type())
}

type element struct{ key, value cty.Value }

// collected is a list, set or map of elements.
func collected(elems []element, ty cty.Type) cty.Value {
	var vals []cty.Value
	keyed := map[string]cty.Value{}
	for _, e := range elems {
		if vals = append(vals, e.value); ty.IsMapType() {
			keyed[e.key.AsString()] = e.value
		}
	}
	switch {
	case ty.IsMapType() && len(keyed) == 0:
		return cty.MapValEmpty(ty.ElementType())
	case ty.IsMapType():
		return cty.MapVal(keyed)
	case ty.IsSetType() && len(vals) == 0:
		return cty.SetValEmpty(ty.ElementType())
	case ty.IsSetType():
		return cty.SetVal(vals)
	case len(vals) == 0:
		return cty.ListValEmpty(ty.ElementType())
	default:
		return cty.ListVal(vals)
	}
}

func equivalent(now, was cty.Value, legacy bool) bool {
	if !now.IsWhollyKnown() {
		return false
	}
	return now.RawEquals(was) || legacy && zeroed(now).RawEquals(zeroed(was))
}

// zeroed has zero values in the place of nulls, which are one to the legacy SDK.
func zeroed(v cty.Value) cty.Value {
	out, err := cty.Transform(v, func(_ cty.Path, v cty.Value) (cty.Value, error) {
		if !v.IsNull() {
			return v, nil
		}
		switch ty := v.Type(); {
		case ty == cty.String:
			return cty.StringVal(""), nil
		case ty == cty.Bool:
			return cty.False, nil
		case ty == cty.Number:
			return cty.Zero, nil
		case ty.IsCollectionType():
			return collected(nil, ty), nil
		}
		return v, nil
	})
	if err != nil {
		panic(err)
	}
	return out
}

// cut is a configuration with one thing less.
type cut struct {
	what, root string
	config     cty.Value
}

// cuts leaves out each optional attribute and each element of a block or a
// nested attribute, at any depth, one at a time.
func cuts(block *tfschema.Block, config cty.Value) []cut {
	var out []cut
	for _, l := range objectCuts(block.Attributes, block.Blocks, config) {
		root, _, _ := strings.Cut(l.what, ".")
		out = append(out, cut{l.what, root, l.value})
	}
	return out
}

// less is a value with one thing less.
type less struct {
	what  string
	value cty.Value
}

func objectCuts(attrs []*tfschema.Attribute, blocks []*tfschema.NestedBlock, v cty.Value) []less {
	var out []less
	add := func(name, inside string, now cty.Value) {
		vals := v.AsValueMap()
		vals[name] = now
		out = append(out, less{strings.TrimSuffix(name+"."+inside, "."), cty.ObjectVal(vals)})
	}
	for _, a := range attrs {
		was := v.GetAttr(a.Name)
		if was.IsNull() {
			continue
		}
		if a.Optional {
			add(a.Name, "", cty.NullVal(a.Type))
		}
		if a.Nested != nil {
			for _, l := range elementCuts(was, a.Nested.Nesting, func(v cty.Value) []less { return objectCuts(a.Nested.Attributes, nil, v) }) {
				add(a.Name, l.what, l.value)
			}
		}
	}
	for _, n := range blocks {
		for _, l := range elementCuts(v.GetAttr(n.Name), n.Nesting, func(v cty.Value) []less { return objectCuts(n.Block.Attributes, n.Block.Blocks, v) }) {
			add(n.Name, l.what, l.value)
		}
	}
	return out
}

// elementCuts leaves out each element, and what inside leaves out of each.
func elementCuts(v cty.Value, nesting tfschema.Nesting, inside func(cty.Value) []less) []less {
	if v.IsNull() {
		return nil
	}
	if nesting == tfschema.NestingSingle || nesting == tfschema.NestingGroup {
		return inside(v)
	}
	var elems []element
	for key, elem := range v.Elements() {
		elems = append(elems, element{key, elem})
	}
	var out []less
	for i, e := range elems {
		out = append(out, less{fmt.Sprintf("[%d]", i), collected(slices.Delete(slices.Clone(elems), i, i+1), v.Type())})
		for _, l := range inside(e.value) {
			now := slices.Clone(elems)
			now[i].value = l.value
			out = append(out, less{fmt.Sprintf("[%d].%s", i, l.what), collected(now, v.Type())})
		}
	}
	return out
}
