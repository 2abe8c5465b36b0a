package link

import (
	"slices"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// text, texts and so on are attributes of test schemas.
func text(name string) *tfschema.Attribute {
	return &tfschema.Attribute{Name: name, Type: cty.String, Optional: true}
}

func typed(name string, ty cty.Type) *tfschema.Attribute {
	return &tfschema.Attribute{Name: name, Type: ty, Optional: true}
}

func computed(name string) *tfschema.Attribute {
	return &tfschema.Attribute{Name: name, Type: cty.String, Computed: true}
}

func nestedIn(name string, nesting tfschema.Nesting, attributes ...*tfschema.Attribute) *tfschema.Attribute {
	o := &tfschema.Object{Nesting: nesting, Attributes: sorted(attributes)}
	return &tfschema.Attribute{Name: name, Optional: true, Nested: o, Type: o.ImpliedType()}
}

func blockIn(name string, nesting tfschema.Nesting, inner *tfschema.Block) *tfschema.NestedBlock {
	return &tfschema.NestedBlock{Name: name, Nesting: nesting, Block: inner}
}

// schema makes a block with a computed id and arn beside what is given.
func schema(attributes []*tfschema.Attribute, blocks ...*tfschema.NestedBlock) *tfschema.Block {
	return block(append(attributes, computed("id"), computed("arn")), blocks...)
}

func block(attributes []*tfschema.Attribute, blocks ...*tfschema.NestedBlock) *tfschema.Block {
	slices.SortFunc(blocks, func(a, b *tfschema.NestedBlock) int { return strings.Compare(a.Name, b.Name) })
	return &tfschema.Block{Attributes: sorted(attributes), Blocks: blocks}
}

func sorted(attributes []*tfschema.Attribute) []*tfschema.Attribute {
	slices.SortFunc(attributes, func(a, b *tfschema.Attribute) int { return strings.Compare(a.Name, b.Name) })
	return attributes
}

// values is an object's attributes by name.
type values map[string]cty.Value

func (v values) object() cty.Value { return cty.ObjectVal(v) }

func str(s string) cty.Value { return cty.StringVal(s) }

func strs(list ...string) []cty.Value {
	var out []cty.Value
	for _, s := range list {
		out = append(out, cty.StringVal(s))
	}
	return out
}

// resource makes one resource from its state; absent attributes are null.
// What the schema lets configuration set is in the body.
func resource(t testing.TB, addr string, s *tfschema.Block, state values) Resource {
	t.Helper()
	resourceType, name, _ := strings.Cut(addr, ".")
	all := s.EmptyValue().AsValueMap()
	for name, v := range state {
		all[name] = v
	}
	object := cty.ObjectVal(all)
	body, diags := tfconfig.Lower(s, object)
	if len(diags) > 0 {
		t.Fatalf("%s: %v", addr, diags.Err())
	}
	return Resource{
		Addr: tfaddr.Resource{Mode: tfaddr.Managed, Type: resourceType, Name: name},
		Body: body, Schema: s, State: object, Identity: cty.NilVal,
	}
}

// printed is the configuration of a resource as text.
func printed(r Resource) string {
	return string(tfconfig.Print([]*tfconfig.Block{{Type: "resource", Labels: []string{r.Addr.Type, r.Addr.Name}, Body: r.Body}}))
}

func parse(t testing.TB, src string) *Rules {
	t.Helper()
	rules, diags := ParseRules("rules.hcl", []byte(src))
	if len(diags) > 0 {
		t.Fatalf("rules: %v", diags.Err())
	}
	return rules
}

func madeLines(result Result) []string {
	var out []string
	for _, m := range result.Links {
		out = append(out, m.String())
	}
	return out
}

func skippedLines(result Result) []string {
	var out []string
	for _, s := range result.Skipped {
		out = append(out, s.String())
	}
	return out
}
