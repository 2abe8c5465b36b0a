package tfprovider

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/tf/tfschema"
	"github.com/formation-iac/formation/internal/tf/wire"
)

// appendMessage appends a field that holds a message.
func appendMessage(t testing.TB, b []byte, field int, m proto.Message) []byte {
	t.Helper()
	data, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	b = protowire.AppendTag(b, protowire.Number(field), protowire.BytesType)
	return protowire.AppendBytes(b, data)
}

// appendEntry appends an entry of a map from names to messages.
func appendEntry(t testing.TB, b []byte, field int, name string, m proto.Message) []byte {
	t.Helper()
	entry := protowire.AppendTag(nil, 1, protowire.BytesType)
	entry = appendMessage(t, protowire.AppendString(entry, name), 2, m)
	b = protowire.AppendTag(b, protowire.Number(field), protowire.BytesType)
	return protowire.AppendBytes(b, entry)
}

// manyTypes is the schema of a large provider.
func manyTypes(t testing.TB, types int) []byte {
	t.Helper()
	var attributes []*wire.Attribute6
	for i := range 40 {
		attributes = append(attributes, &wire.Attribute6{
			Name: fmt.Sprintf("attribute_%d", i), Type: []byte(`["list",["object",{"a":"string","b":"number"}]]`),
			Optional: true, Description: strings.Repeat("word ", 20),
		})
	}
	var out []byte
	for i := range types {
		out = appendEntry(t, out, fieldResources, fmt.Sprintf("large_type_%d", i), &wire.Schema6{Block: &wire.Block6{Attributes: attributes}})
	}
	return out
}

// TestDecodedOnUse opens a schema of a thousand types and counts what is
// decoded.
func TestDecodedOnUse(t *testing.T) {
	t.Parallel()
	var decoded atomic.Int64
	d := dialects()[6]
	decode := d.decodeSchema
	d.decodeSchema = func(data []byte) (*tfschema.Schema, error) {
		decoded.Add(1)
		return decode(data)
	}
	index, err := newSchemaIndex(d, manyTypes(t, 1000), nil)
	if err != nil {
		t.Fatal(err)
	}
	catalog := tfschema.NewCatalog(index)
	if n := len(catalog.Names(tfschema.KindResource)); n != 1000 || !catalog.Has(tfschema.KindResource, "large_type_999") {
		t.Fatalf("%d names", n)
	}
	for _, name := range []string{"large_type_7", "large_type_8", "large_type_7"} {
		if _, err := catalog.Resource(name); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := catalog.Resource("large_type_1000"); err == nil {
		t.Error("there is one type too many")
	}
	if n := decoded.Load(); n != 2 {
		t.Errorf("%d types were decoded for 2", n)
	}
}

// encoded is the content of the file that keeps a schema.
func encoded(c cachedSchema) []byte {
	var out bytes.Buffer
	_ = c.write(&out) // memory takes everything
	return out.Bytes()
}

// BenchmarkOpenSchema opens a schema of a thousand types, and decodes one.
func BenchmarkOpenSchema(b *testing.B) {
	response := encoded(cachedSchema{protocol: 6, response: manyTypes(b, 1000)})
	b.SetBytes(int64(len(response)))
	for b.Loop() {
		cached, err := decodeCachedSchema(response)
		if err != nil {
			b.Fatal(err)
		}
		index, err := newSchemaIndex(dialects()[6], cached.response, cached.identities)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := tfschema.NewCatalog(index).Resource("large_type_7"); err != nil {
			b.Fatal(err)
		}
	}
}

// TestRefusedSchemas decodes schemas that contradict themselves.
func TestRefusedSchemas(t *testing.T) {
	t.Parallel()
	attribute := func(name, ty string) *wire.Attribute6 { return &wire.Attribute6{Name: name, Type: []byte(ty)} }
	block := func(name string, nesting int32, attributes ...*wire.Attribute6) *wire.NestedBlock6 {
		return &wire.NestedBlock6{TypeName: name, Nesting: nesting, Block: &wire.Block6{Attributes: attributes}}
	}
	nested := func(nesting int32, attributes ...*wire.Attribute6) *wire.Attribute6 {
		return &wire.Attribute6{Name: "n", NestedType: &wire.Object6{Nesting: nesting, Attributes: attributes}}
	}
	text := attribute("a", `"string"`)
	for want, b := range map[string]*wire.Block6{
		`attribute "a" is declared twice`:         {Attributes: []*wire.Attribute6{text, text}},
		`block type "a" is declared twice`:        {BlockTypes: []*wire.NestedBlock6{block("a", 1), block("a", 2)}},
		`"a" is both an attribute and a block`:    {Attributes: []*wire.Attribute6{text}, BlockTypes: []*wire.NestedBlock6{block("a", 1)}},
		`"" is not a name`:                        {Attributes: []*wire.Attribute6{attribute("", `"string"`)}},
		`attribute "a": malformed type "maybe"`:   {Attributes: []*wire.Attribute6{attribute("a", "maybe")}},
		`attribute "a": malformed type "\"any\""`: {Attributes: []*wire.Attribute6{attribute("a", `"any"`)}},
		`attribute "a": malformed type ""`:        {Attributes: []*wire.Attribute6{attribute("a", "")}},
		`block type "b": unknown nesting mode 6`:  {BlockTypes: []*wire.NestedBlock6{block("b", 6)}},
		`block type "b": unknown nesting mode 0`:  {BlockTypes: []*wire.NestedBlock6{block("b", 0)}},
		`attribute "n": unknown nesting mode 5`:   {Attributes: []*wire.Attribute6{nested(5, text)}},
		`block type "b": a set of blocks cannot`:  {BlockTypes: []*wire.NestedBlock6{block("b", 3, attribute("d", `"dynamic"`))}},
		`attribute "n": a set of objects cannot`:  {Attributes: []*wire.Attribute6{nested(3, attribute("d", `"dynamic"`))}},
	} {
		data, err := proto.Marshal(&wire.Schema6{Block: b})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := dialects()[6].decodeSchema(data); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	twice := &wire.ResourceIdentitySchema{IdentityAttributes: []*wire.ResourceIdentitySchema_IdentityAttribute{
		{Name: "a", Type: []byte(`"string"`)}, {Name: "a", Type: []byte(`"string"`)},
	}}
	if _, err := identity(twice); err == nil || !strings.Contains(err.Error(), `"a" is declared twice`) {
		t.Errorf("got %v", err)
	}
}

// FuzzSchema indexes arbitrary bytes and decodes all that is in them.
func FuzzSchema(f *testing.F) {
	f.Add(manyTypes(f, 1), []byte(nil), true)
	f.Add([]byte{0x0a, 0x7f, 0xff}, []byte{0x0a, 0x00}, false)
	schema, err := proto.Marshal(thingSchema(f, &wire.ServerCapabilities{PlanDestroy: true}))
	if err != nil {
		f.Fatal(err)
	}
	identities, err := proto.Marshal(thingIdentities())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(schema, identities, true)
	f.Add(deepSchema(f), identities, true)
	f.Fuzz(func(t *testing.T, response, identities []byte, six bool) {
		d := dialects()[5]
		if six {
			d = dialects()[6]
		}
		index, err := newSchemaIndex(d, response, identities)
		if err != nil {
			return
		}
		catalog := tfschema.NewCatalog(index)
		for kind := tfschema.KindProvider; kind <= tfschema.KindList; kind++ {
			names := catalog.Names(kind)
			if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
				t.Errorf("names %q", names)
			}
			for _, name := range names {
				if s, err := catalog.Schema(kind, name); err == nil {
					checkBlock(t, s.Block)
				}
			}
		}
		for _, name := range index.IdentityNames() {
			if id, err := catalog.Identity(name); err == nil && len(id.Type().AttributeTypes()) != len(id.Attributes) {
				t.Errorf("identity %s has lost attributes", name)
			}
		}
		for _, name := range catalog.FunctionNames() {
			if f, err := catalog.Function(name); err == nil && f.Return == cty.NilType {
				t.Errorf("function %s returns nothing", name)
			}
		}
	})
}

// deepSchema nests blocks of every mode.
func deepSchema(t testing.TB) []byte {
	t.Helper()
	body := &wire.Block6{Attributes: []*wire.Attribute6{{Name: "d", Type: []byte(`"string"`)}}}
	for mode := int32(1); mode <= blockNestings; mode++ {
		body = &wire.Block6{
			BlockTypes: []*wire.NestedBlock6{{TypeName: "b", Nesting: mode, Block: body}},
			Attributes: []*wire.Attribute6{{Name: "n", NestedType: &wire.Object6{
				Nesting: min(mode, objectNestings), Attributes: []*wire.Attribute6{{Name: "x", Type: []byte(`["map","number"]`)}},
			}}},
		}
	}
	return appendEntry(t, nil, fieldResources, "deep", &wire.Schema6{Version: 3, Block: body})
}

// checkBlock holds an accepted schema to what tfschema promises.
func checkBlock(t *testing.T, b *tfschema.Block) {
	t.Helper()
	ty := b.ImpliedType()
	if len(ty.AttributeTypes()) != len(b.Attributes)+len(b.Blocks) {
		t.Errorf("the type has %d members of %d and %d", len(ty.AttributeTypes()), len(b.Attributes), len(b.Blocks))
	}
	for _, a := range b.Attributes {
		if b.Attribute(a.Name) != a || !ty.HasAttribute(a.Name) {
			t.Errorf("attribute %q is lost", a.Name)
		}
	}
	for _, n := range b.Blocks {
		if b.NestedBlock(n.Name) != n || !ty.HasAttribute(n.Name) {
			t.Errorf("block type %q is lost", n.Name)
		}
		checkBlock(t, n.Block)
	}
	if errs := b.EmptyValue().Type().TestConformance(ty); len(errs) != 0 {
		t.Errorf("the empty value does not conform: %v", errs)
	}
}

// FuzzDecodeDynamic decodes arbitrary bytes under arbitrary types. What is
// accepted conforms to its type and survives a round trip.
func FuzzDecodeDynamic(f *testing.F) {
	for _, seed := range []struct{ msgpack, json, ty string }{
		{"\xa1a", "", `"string"`},
		{"\x93\x01\x02\x03", "", `["set","number"]`},
		{"", `{"a":"b"}`, `["object",{"a":"string"}]`},
		{"\x92\xc4\x08\"string\"\xa1a", "", `"dynamic"`},
		{"\xd4\x00\x00", "", `["map","bool"]`},
		{"\xc7\x03\x0c\x81\x01\xc2", "", `"string"`},
		{"\x92\xa1a\x01", "", `["tuple",["string","number"]]`},
	} {
		f.Add([]byte(seed.msgpack), []byte(seed.json), seed.ty)
	}
	f.Fuzz(func(t *testing.T, msgpack, json []byte, typeText string) {
		ty, err := decodeType([]byte(typeText))
		if err != nil {
			return
		}
		v, err := decodeDynamic(&wire.DynamicValue{Msgpack: msgpack, Json: json}, ty)
		if err != nil {
			return
		}
		if errs := v.Type().TestConformance(ty); len(errs) != 0 {
			t.Fatalf("%#v is no %#v: %v", v, ty, errs)
		}
		if !v.IsWhollyKnown() {
			return // refinements may be encoded more loosely than they came
		}
		data, err := ctyx.EncodeMsgpack(v, ty)
		if err != nil {
			return // such as a number beyond every encoding
		}
		again, err := decodeDynamic(&wire.DynamicValue{Msgpack: data}, ty)
		if err != nil || !again.RawEquals(v) {
			t.Errorf("%#v became %#v, %v", v, again, err)
		}
	})
}

// FuzzCachedSchema decodes arbitrary bytes, and what it encoded itself.
func FuzzCachedSchema(f *testing.F) {
	f.Add([]byte("response"), []byte("identities"), byte(6))
	f.Add(encoded(cachedSchema{protocol: 5, response: []byte("r")}), []byte(nil), byte(5))
	f.Fuzz(func(t *testing.T, response, identities []byte, protocol byte) {
		if c, err := decodeCachedSchema(response); err == nil && !bytes.Equal(encoded(c), response) {
			t.Errorf("another encoding of %+v", c)
		}
		want := cachedSchema{
			protocol: int(protocol), environment: sha256.Sum256(identities), response: response, identities: identities,
		}
		data := encoded(want)
		got, err := decodeCachedSchema(data)
		if err != nil || got.protocol != want.protocol || got.environment != want.environment || !bytes.Equal(got.response, response) || !bytes.Equal(got.identities, identities) {
			t.Fatalf("%+v became %+v, %v", want, got, err)
		}
		for _, cut := range []int{1, 4, len(data) / 2} {
			if _, err := decodeCachedSchema(data[:len(data)-cut]); err == nil {
				t.Errorf("accepted without the last %d bytes", cut)
			}
		}
	})
}

// FuzzAttributePath reads arbitrary paths, as diagnostics carry them.
func FuzzAttributePath(f *testing.F) {
	path := &wire.AttributePath{Steps: []*wire.AttributePath_Step{
		{Selector: &wire.AttributePath_Step_AttributeName{AttributeName: "a"}},
		{Selector: &wire.AttributePath_Step_ElementKeyInt{ElementKeyInt: -1}},
		{Selector: &wire.AttributePath_Step_ElementKeyString{ElementKeyString: "b c"}},
	}}
	data, err := proto.Marshal(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		var p wire.AttributePath
		if proto.Unmarshal(data, &p) != nil {
			return
		}
		path, err := attributePath(&p)
		if err == nil && len(path) != len(p.GetSteps()) {
			t.Errorf("%d steps of %d", len(path), len(p.GetSteps()))
		}
		_ = ctyx.PathString(path)
	})
}
