package tfschema_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// modes are the nesting modes.
var modes = []tfschema.Nesting{
	tfschema.NestingSingle, tfschema.NestingGroup, tfschema.NestingList, tfschema.NestingSet, tfschema.NestingMap,
}

// holding is a block with one attribute a of a type, in a block type b.
func holding(n tfschema.Nesting, ty cty.Type) *tfschema.Block {
	inner := &tfschema.Block{Attributes: []*tfschema.Attribute{{Name: "a", Type: ty, Optional: true}}}
	return &tfschema.Block{Blocks: []*tfschema.NestedBlock{{Name: "b", Nesting: n, Block: inner}}}
}

// TestBlockTypes checks the type of a block type, and its value where none is
// written, in every mode.
func TestBlockTypes(t *testing.T) {
	t.Parallel()
	plain, dynamic := cty.Object(map[string]cty.Type{"a": cty.String}), cty.Object(map[string]cty.Type{"a": cty.DynamicPseudoType})
	null := func(ty cty.Type) cty.Value { return cty.NullVal(ty) }
	tests := []struct {
		nesting    tfschema.Nesting
		attribute  cty.Type
		wantType   cty.Type
		wantAbsent cty.Value
	}{
		{tfschema.NestingSingle, cty.String, plain, null(plain)},
		{tfschema.NestingGroup, cty.String, plain, cty.ObjectVal(map[string]cty.Value{"a": null(cty.String)})},
		{tfschema.NestingList, cty.String, cty.List(plain), cty.ListValEmpty(plain)},
		{tfschema.NestingSet, cty.String, cty.Set(plain), cty.SetValEmpty(plain)},
		{tfschema.NestingMap, cty.String, cty.Map(plain), cty.MapValEmpty(plain)},
		{tfschema.NestingSingle, cty.DynamicPseudoType, dynamic, null(dynamic)},
		{tfschema.NestingGroup, cty.DynamicPseudoType, dynamic, cty.ObjectVal(map[string]cty.Value{"a": null(cty.DynamicPseudoType)})},
		{tfschema.NestingList, cty.DynamicPseudoType, cty.DynamicPseudoType, cty.EmptyTupleVal},
		{tfschema.NestingMap, cty.DynamicPseudoType, cty.DynamicPseudoType, cty.EmptyObjectVal},
	}
	for _, test := range tests {
		t.Run(test.nesting.String()+" "+test.attribute.FriendlyName(), func(t *testing.T) {
			t.Parallel()
			b := holding(test.nesting, test.attribute)
			if got := b.ImpliedType().AttributeType("b"); !got.Equals(test.wantType) {
				t.Errorf("the type is %#v, want %#v", got, test.wantType)
			}
			empty := b.EmptyValue()
			if got := empty.GetAttr("b"); !got.RawEquals(test.wantAbsent) {
				t.Errorf("absent, it is %#v, want %#v", got, test.wantAbsent)
			}
			if errs := empty.Type().TestConformance(b.ImpliedType()); len(errs) > 0 {
				t.Errorf("the empty value does not conform: %v", errs)
			}
		})
	}
}

// TestObjectTypes checks nested attributes, in which dynamic types change
// nothing.
func TestObjectTypes(t *testing.T) {
	t.Parallel()
	for _, attribute := range []cty.Type{cty.String, cty.DynamicPseudoType} {
		elem := cty.Object(map[string]cty.Type{"a": attribute})
		want := map[tfschema.Nesting]cty.Type{
			tfschema.NestingSingle: elem, tfschema.NestingList: cty.List(elem), tfschema.NestingSet: cty.Set(elem), tfschema.NestingMap: cty.Map(elem),
		}
		for nesting, ty := range want {
			o := &tfschema.Object{Nesting: nesting, Attributes: []*tfschema.Attribute{{Name: "a", Type: attribute}}}
			if got := o.ImpliedType(); !got.Equals(ty) {
				t.Errorf("%s of %s: %#v", nesting, attribute.FriendlyName(), got)
			}
		}
	}
}

// TestDeepTypes nests every mode in every other.
func TestDeepTypes(t *testing.T) {
	t.Parallel()
	for _, outer := range modes {
		for _, inner := range modes {
			b := &tfschema.Block{
				Attributes: []*tfschema.Attribute{{Name: "a", Type: cty.Number}},
				Blocks:     []*tfschema.NestedBlock{{Name: "o", Nesting: outer, Block: holding(inner, cty.Bool)}},
			}
			if errs := b.EmptyValue().Type().TestConformance(b.ImpliedType()); len(errs) > 0 {
				t.Errorf("%s of %s: %v", outer, inner, errs)
			}
			if !b.ImpliedType().Equals(b.ImpliedType()) {
				t.Errorf("%s of %s: the type changes", outer, inner)
			}
		}
	}
}

func TestLookUp(t *testing.T) {
	t.Parallel()
	b := &tfschema.Block{
		Attributes: []*tfschema.Attribute{{Name: "a"}, {Name: "b", Computed: true}, {Name: "c", Required: true}},
		Blocks:     []*tfschema.NestedBlock{{Name: "x"}, {Name: "y"}},
	}
	for _, name := range []string{"a", "b", "c"} {
		if got := b.Attribute(name); got == nil || got.Name != name {
			t.Errorf("%s is %v", name, got)
		}
	}
	if b.Attribute("x") != nil || b.NestedBlock("a") != nil || b.NestedBlock("y") != b.Blocks[1] {
		t.Error("attributes and blocks are mixed up")
	}
	if b.Attributes[1].Configurable() || !b.Attributes[2].Configurable() {
		t.Error("what is configurable is mixed up")
	}
}

// shelf is a decoder that counts.
type shelf struct{ decoded map[string]int }

func (shelf) Names(kind tfschema.Kind) []string {
	if kind != tfschema.KindResource {
		return nil
	}
	return []string{"bad", "good"}
}

func (s shelf) Schema(kind tfschema.Kind, name string) (*tfschema.Schema, error) {
	s.decoded[name]++
	switch {
	case kind != tfschema.KindResource || name == "nowhere":
		return nil, nil
	case name == "bad":
		return nil, errors.New("not a schema")
	}
	return &tfschema.Schema{Block: &tfschema.Block{}}, nil
}

func (shelf) IdentityNames() []string { return nil }

func (s shelf) Identity(name string) (*tfschema.Identity, error) {
	s.decoded["identity "+name]++
	if name == "bad" {
		return nil, errors.New("not an identity")
	}
	return nil, nil
}

func (shelf) FunctionNames() []string { return nil }

func (shelf) Function(name string) (*tfschema.Function, error) {
	if name == "bad" {
		return nil, errors.New("not a function")
	}
	return nil, nil
}

func (shelf) Capabilities() tfschema.Capabilities { return tfschema.Capabilities{PlanDestroy: true} }

func TestCatalog(t *testing.T) {
	t.Parallel()
	s := shelf{decoded: map[string]int{}}
	c := tfschema.NewCatalog(s)
	if !c.Has(tfschema.KindResource, "good") || c.Has(tfschema.KindResource, "nowhere") || c.Has(tfschema.KindList, "good") {
		t.Error("names are mixed up")
	}
	for range 2 {
		for _, name := range []string{"good", "bad", "nowhere"} {
			_, err := c.Resource(name)
			var unknown *tfschema.UnknownTypeError
			if (err == nil) != (name == "good") || errors.As(err, &unknown) != (name == "nowhere") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if id, err := c.Identity("good"); id != nil || err != nil {
			t.Errorf("an identity %v, %v", id, err)
		}
		if _, err := c.Identity("bad"); err == nil {
			t.Error("a bad identity is none")
		}
	}
	want := map[string]int{"good": 1, "bad": 2, "nowhere": 2, "identity good": 1, "identity bad": 2}
	if diff := cmp.Diff(want, s.decoded); diff != "" {
		t.Errorf("decoded (-want +got):\n%s", diff)
	}
	for _, kind := range []tfschema.Kind{tfschema.KindProvider, tfschema.KindProviderMeta} {
		if got, err := c.Schema(kind, ""); err != nil || !got.Block.ImpliedType().Equals(cty.EmptyObject) {
			t.Errorf("%s: %v, %v", kind, got, err)
		}
	}
}

// TestUnknownTypes says what is missing in words.
func TestUnknownTypes(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]*tfschema.UnknownTypeError{
		`the provider has no resource type "x"`:           {Kind: tfschema.KindResource, Name: "x"},
		`the provider has no data source "x"`:             {Kind: tfschema.KindDataSource, Name: "x"},
		`the provider has no ephemeral resource type "x"`: {Kind: tfschema.KindEphemeral, Name: "x"},
		`the provider has no list resource type "x"`:      {Kind: tfschema.KindList, Name: "x"},
		`the provider has no function "x"`:                {Name: "x"},
	} {
		if diff := cmp.Diff(want, err.Error()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	c := tfschema.NewCatalog(shelf{})
	if _, err := c.Function("x"); err == nil || err.Error() != `the provider has no function "x"` {
		t.Errorf("got %v", err)
	}
	if _, err := c.Function("bad"); err == nil || err.Error() != `signature of function "bad": not a function` {
		t.Errorf("got %v", err)
	}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	s := &tfschema.Schema{Block: &tfschema.Block{
		Attributes: []*tfschema.Attribute{
			{Name: "id", Type: cty.String, Computed: true},
			{Name: "name", Type: cty.String, Required: true},
			{Name: "rules", Nested: &tfschema.Object{Nesting: tfschema.NestingList, Attributes: []*tfschema.Attribute{
				{Name: "port", Type: cty.Number, Required: true},
				{Name: "protocol", Type: cty.String, Optional: true, Computed: true},
			}}, Optional: true},
			{Name: "secret_token", Type: cty.String, Optional: true, Sensitive: true, WriteOnly: true},
			{Name: "single", Nested: &tfschema.Object{Nesting: tfschema.NestingSingle}, Optional: true},
			{Name: "tags", Type: cty.Map(cty.String), Optional: true, Deprecated: true},
		},
		Blocks: []*tfschema.NestedBlock{
			{Name: "empty", Nesting: tfschema.NestingSingle, Block: &tfschema.Block{}},
			{Name: "timeouts", Nesting: tfschema.NestingSet, Min: 1, Max: 3, Block: &tfschema.Block{
				Attributes: []*tfschema.Attribute{{Name: "create", Type: cty.List(cty.Bool), Optional: true}},
			}},
		},
	}}
	const want = `id            string           computed
name          string           required
rules         list of objects  optional
  port      number  required
  protocol  string  optional, computed
secret_token  string           optional, sensitive, write-only
single        object           optional
tags          map(string)      optional, deprecated
empty {  # single
}
timeouts {  # set, at least 1, at most 3
  create  list(bool)  optional
}
`
	if diff := cmp.Diff(want, s.Describe()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
