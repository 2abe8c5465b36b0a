package tfprovider

import (
	"cmp"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/formation-iac/formation/internal/tf/tfschema"
	"github.com/formation-iac/formation/internal/tf/wire"
)

// FuzzSchemaMessage decodes arbitrary bytes, and compares with what the
// generated messages make of them.
func FuzzSchemaMessage(f *testing.F) {
	for _, schema := range []*wire.Schema6{
		{}, {Version: -1, Block: &wire.Block6{Description: "d", DescriptionKind: 1, Deprecated: true, DeprecationMessage: "m"}},
		{Block: &wire.Block6{Attributes: []*wire.Attribute6{fullAttribute("b"), fullAttribute("a")}}},
		{Block: &wire.Block6{Attributes: []*wire.Attribute6{{Name: "n", NestedType: &wire.Object6{
			Nesting: 2, Attributes: []*wire.Attribute6{fullAttribute("a")},
		}}}}},
		{Block: &wire.Block6{BlockTypes: []*wire.NestedBlock6{{
			TypeName: "t", Nesting: 3, MinItems: 1, MaxItems: -2, Block: &wire.Block6{Attributes: []*wire.Attribute6{fullAttribute("a")}},
		}}}},
	} {
		data, err := proto.Marshal(schema)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		f.Add(slices.Concat(data, data))                                       // merged
		f.Add(protowire.AppendVarint(protowire.AppendTag(data, 2, 0), 7))      // a number where a message belongs
		f.Add(protowire.AppendFixed64(protowire.AppendTag(data, 99, 1), 7))    // of a later protocol
		f.Add(protowire.AppendString(protowire.AppendTag(data, 1, 2), "\xff")) // a text where a number belongs
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var want wire.Schema6
		malformed := proto.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(data, &want)
		got, err := dialects()[6].decodeSchema(data)
		switch {
		case err != nil: // what contradicts itself is refused as well
		case malformed != nil:
			t.Fatalf("accepted: %v", malformed)
		default:
			if got.Version != want.GetVersion() {
				t.Errorf("version %d, want %d", got.Version, want.GetVersion())
			}
			compareBlock(t, got.Block, want.GetBlock())
		}
	})
}

func fullAttribute(name string) *wire.Attribute6 {
	return &wire.Attribute6{
		Name: name, Type: []byte(`["list","string"]`), Description: "d", DescriptionKind: 1,
		Required: true, Optional: true, Computed: true, Sensitive: true,
		Deprecated: true, WriteOnly: true, DeprecationMessage: "m",
	}
}

func compareBlock(t *testing.T, got *tfschema.Block, want *wire.Block6) {
	t.Helper()
	if got.Description != want.GetDescription() || got.Markdown != (want.GetDescriptionKind() == kindMarkdown) ||
		got.Deprecated != want.GetDeprecated() || got.DeprecationMessage != want.GetDeprecationMessage() {
		t.Errorf("block %+v, want %v", got, want)
	}
	compareAttributes(t, got.Attributes, want.GetAttributes())
	blocks := want.GetBlockTypes()
	slices.SortFunc(blocks, func(a, b *wire.NestedBlock6) int { return cmp.Compare(a.GetTypeName(), b.GetTypeName()) })
	if len(got.Blocks) != len(blocks) {
		t.Fatalf("%d block types, want %d", len(got.Blocks), len(blocks))
	}
	for i, n := range got.Blocks {
		w := blocks[i]
		if n.Name != w.GetTypeName() || n.Min != w.GetMinItems() || n.Max != w.GetMaxItems() || nestings[n.Nesting] != w.GetNesting() {
			t.Errorf("block type %+v, want %v", n, w)
		}
		compareBlock(t, n.Block, w.GetBlock())
	}
}

var nestings = map[tfschema.Nesting]int32{
	tfschema.NestingSingle: 1, tfschema.NestingList: 2, tfschema.NestingSet: 3, tfschema.NestingMap: 4, tfschema.NestingGroup: 5,
}

func compareAttributes(t *testing.T, got []*tfschema.Attribute, want []*wire.Attribute6) {
	t.Helper()
	slices.SortFunc(want, func(a, b *wire.Attribute6) int { return cmp.Compare(a.GetName(), b.GetName()) })
	if len(got) != len(want) {
		t.Fatalf("%d attributes, want %d", len(got), len(want))
	}
	for i, a := range got {
		if again := asMessage(a); !proto.Equal(again, withoutType(want[i])) {
			t.Errorf("attribute %v, want %v", again, want[i])
		}
		nested := want[i].GetNestedType()
		if (a.Nested != nil) != (nested != nil) {
			t.Fatalf("attribute %q: nested %v, want %v", a.Name, a.Nested, nested)
		}
		if nested == nil {
			if ty, err := decodeType(want[i].GetType()); err != nil || !ty.Equals(a.Type) {
				t.Errorf("attribute %q: %#v, want %#v, %v", a.Name, a.Type, ty, err)
			}
			continue
		}
		if nestings[a.Nested.Nesting] != nested.GetNesting() || !a.Nested.ImpliedType().Equals(a.Type) {
			t.Errorf("attribute %q: nested %v, want %v", a.Name, a.Nested, nested)
		}
		compareAttributes(t, a.Nested.Attributes, nested.GetAttributes())
	}
}

// asMessage is an attribute as a message, but for its type.
func asMessage(a *tfschema.Attribute) *wire.Attribute6 {
	out := &wire.Attribute6{
		Name: a.Name, Description: a.Description, Required: a.Required, Optional: a.Optional, Computed: a.Computed,
		Sensitive: a.Sensitive, Deprecated: a.Deprecated, WriteOnly: a.WriteOnly, DeprecationMessage: a.DeprecationMessage,
	}
	if a.Markdown {
		out.DescriptionKind = kindMarkdown
	}
	return out
}

func withoutType(a *wire.Attribute6) *wire.Attribute6 {
	out := proto.CloneOf(a)
	out.Type, out.NestedType = nil, nil
	if out.DescriptionKind != kindMarkdown {
		out.DescriptionKind = 0
	}
	return out
}

// TestAttributeNumbers decodes attributes of both protocols, which number
// their later fields differently.
func TestAttributeNumbers(t *testing.T) {
	t.Parallel()
	five := &wire.Schema5{Block: &wire.Block5{Attributes: []*wire.Attribute5{{
		Name: "a", Type: []byte(`"bool"`), Description: "d", DescriptionKind: 1, Required: true, Optional: true, Computed: true,
		Sensitive: true, Deprecated: true, WriteOnly: true, DeprecationMessage: "m",
	}}}}
	six := &wire.Schema6{Block: &wire.Block6{Attributes: []*wire.Attribute6{fullAttribute("a")}}}
	for version, schema := range map[int]proto.Message{5: five, 6: six} {
		data, err := proto.Marshal(schema)
		if err != nil {
			t.Fatal(err)
		}
		got, err := dialects()[version].decodeSchema(data)
		if err != nil {
			t.Fatal(err)
		}
		if a := asMessage(got.Block.Attribute("a")); !proto.Equal(a, withoutType(fullAttribute("a"))) {
			t.Errorf("protocol %d: %v", version, a)
		}
	}
}

// TestDeepSchema decodes blocks that are nested deeper than any stack.
func TestDeepSchema(t *testing.T) {
	t.Parallel()
	data := []byte{}
	for range 6_000 {
		nested := protowire.AppendBytes(protowire.AppendTag(nil, 2, protowire.BytesType), data)
		data = protowire.AppendBytes(protowire.AppendTag(nil, 3, protowire.BytesType), nested)
	}
	schema := protowire.AppendBytes(protowire.AppendTag(nil, 2, protowire.BytesType), data)
	if _, err := dialects()[6].decodeSchema(schema); err == nil {
		t.Error("accepted")
	}
}

// BenchmarkDecodeSchema decodes a type of a large provider.
func BenchmarkDecodeSchema(b *testing.B) {
	index, err := newSchemaIndex(dialects()[6], manyTypes(b, 1), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := index.Schema(tfschema.KindResource, "large_type_0"); err != nil {
			b.Fatal(err)
		}
	}
}
