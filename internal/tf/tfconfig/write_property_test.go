package tfconfig

import (
	"bytes"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hcldec"
	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// decoderSpec is what Terraform decodes a block of this schema with.
func decoderSpec(b *tfschema.Block) hcldec.ObjectSpec {
	spec := hcldec.ObjectSpec{}
	for _, a := range b.Attributes {
		spec[a.Name] = &hcldec.AttrSpec{Name: a.Name, Type: decoderType(a)}
	}
	for _, n := range b.Blocks {
		inner := decoderSpec(n.Block)
		switch n.Nesting {
		case tfschema.NestingSingle:
			spec[n.Name] = &hcldec.BlockSpec{TypeName: n.Name, Nested: inner}
		case tfschema.NestingGroup:
			spec[n.Name] = &hcldec.DefaultSpec{
				Primary: &hcldec.BlockSpec{TypeName: n.Name, Nested: inner},
				Default: &hcldec.LiteralSpec{Value: n.EmptyValue()},
			}
		case tfschema.NestingList:
			spec[n.Name] = &hcldec.BlockListSpec{TypeName: n.Name, Nested: inner}
		case tfschema.NestingSet:
			spec[n.Name] = &hcldec.BlockSetSpec{TypeName: n.Name, Nested: inner}
		case tfschema.NestingMap:
			spec[n.Name] = &hcldec.BlockMapSpec{TypeName: n.Name, LabelNames: []string{"key"}, Nested: inner}
		}
	}
	return spec
}

// decoderType lets the attributes of nested objects be absent.
func decoderType(a *tfschema.Attribute) cty.Type {
	if a.Nested == nil {
		return a.Type
	}
	attrs, names := map[string]cty.Type{}, []string{}
	for _, inner := range a.Nested.Attributes {
		attrs[inner.Name] = decoderType(inner)
		names = append(names, inner.Name)
	}
	object := cty.ObjectWithOptionalAttrs(attrs, names)
	switch a.Nested.Nesting {
	case tfschema.NestingList:
		return cty.List(object)
	case tfschema.NestingSet:
		return cty.Set(object)
	case tfschema.NestingMap:
		return cty.Map(object)
	}
	return object
}

// readBack evaluates what was printed, as a block called "resource".
func readBack(t *testing.T, src []byte, schema *tfschema.Block) cty.Value {
	t.Helper()
	file, diags := hclparse.NewParser().ParseHCL(src, "main.tf")
	if diags.HasErrors() {
		t.Fatalf("printed text does not parse: %v\n%s", diags, src)
	}
	ctx := &hcl.EvalContext{Functions: map[string]function.Function{
		"jsonencode": stdlib.JSONEncodeFunc,
		"tolist":     stdlib.MakeToFunc(cty.List(cty.DynamicPseudoType)),
		"toset":      stdlib.MakeToFunc(cty.Set(cty.DynamicPseudoType)),
		"tomap":      stdlib.MakeToFunc(cty.Map(cty.DynamicPseudoType)),
	}}
	spec := &hcldec.BlockSpec{TypeName: "resource", Nested: decoderSpec(schema)}
	got, diags := hcldec.Decode(file.Body, spec, ctx)
	if diags.HasErrors() {
		t.Fatalf("printed text does not evaluate: %v\n%s", diags, src)
	}
	got, err := convert.Convert(got, schema.ImpliedType()) // empty collections keep "optional" otherwise
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// checkRoundTrip is the property: what was written says the same, and the
// formatter has nothing to change.
func checkRoundTrip(t *testing.T, schema *tfschema.Block, config cty.Value) {
	t.Helper()
	body, diags := Lower(schema, config)
	if len(diags) > 0 {
		t.Fatalf("unexpected diagnostics: %v", diags.Err())
	}
	src := Print([]*Block{{Type: "resource", Body: body}})
	if formatted := hclwrite.Format(src); !bytes.Equal(formatted, src) {
		t.Fatalf("formatting changes the text:\n%s\nto:\n%s", src, formatted)
	}
	got, want := readBack(t, src, schema), AsWritten(config)
	if !got.RawEquals(want) {
		t.Fatalf("read back differs\ngot:  %#v\nwant: %#v\ntext:\n%s", got, want, src)
	}
}

func TestWriteRoundTrip(t *testing.T) {
	t.Parallel()
	for seed := range uint64(600) {
		g := newGenerator(seed)
		schema := g.block(2)
		checkRoundTrip(t, schema, g.config(schema))
	}
}

func FuzzWriteRoundTrip(f *testing.F) {
	f.Add(uint64(1), "x\ny\n")
	f.Add(uint64(2), `{"a":"${b}"}`)
	f.Add(uint64(3), "  a\n b\n\n$${c}\n%")
	f.Fuzz(func(t *testing.T, seed uint64, text string) {
		g := newGenerator(seed)
		schema := g.block(2)
		if body, diags := Lower(schema, g.config(schema)); body == nil || len(diags) > 0 {
			t.Fatalf("unexpected diagnostics: %v", diags.Err())
		}
		one := &tfschema.Block{Attributes: []*tfschema.Attribute{
			{Name: "keys", Type: cty.Map(cty.String), Optional: true},
			{Name: "text", Type: cty.String, Optional: true},
			{Name: "texts", Type: cty.List(cty.String), Optional: true},
		}}
		value := cty.StringVal(text)
		config := cty.ObjectVal(map[string]cty.Value{
			"keys": cty.MapVal(map[string]cty.Value{text: value}), "text": value, "texts": cty.ListVal([]cty.Value{value}),
		})
		if _, diags := Lower(one, config); diags.HasErrors() {
			return // not UTF-8, and said so
		}
		checkRoundTrip(t, one, config)
	})
}

// TestQuoteExhaustive reads back every short text over the characters that
// the language gives a meaning.
func TestQuoteExhaustive(t *testing.T) {
	t.Parallel()
	const alphabet = "$%{}\"\\\na~"
	var try func(prefix string, left int)
	try = func(prefix string, left int) {
		if !readsAs(quote(prefix), prefix) {
			t.Errorf("%q is written as %s, which does not read back", prefix, quote(prefix))
		}
		if left == 0 {
			return
		}
		for _, r := range alphabet {
			try(prefix+string(r), left-1)
		}
	}
	try("", 5)
}
