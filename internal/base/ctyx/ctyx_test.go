package ctyx

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	vmsgpack "github.com/vmihailenco/msgpack/v5"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/msgpack"
)

func TestPathString(t *testing.T) {
	t.Parallel()
	for want, path := range map[string]cty.Path{
		"":                  nil,
		"a":                 cty.GetAttrPath("a"),
		"a.b[0].c":          cty.GetAttrPath("a").GetAttr("b").IndexInt(0).GetAttr("c"),
		`[7]["k"]`:          cty.IndexIntPath(7).IndexString("k"),
		`tags["a \"b\""]`:   cty.GetAttrPath("tags").IndexString(`a "b"`),
		`tags["$${x}"]`:     cty.GetAttrPath("tags").IndexString("${x}"),
		`tags["line\nend"]`: cty.GetAttrPath("tags").IndexString("line\nend"),
		"n[-1.5]":           cty.GetAttrPath("n").Index(cty.NumberFloatVal(-1.5)),
		"object[*].x":       cty.GetAttrPath("object").Index(cty.EmptyObjectVal).GetAttr("x"),
		"unknown[*]":        cty.GetAttrPath("unknown").Index(cty.UnknownVal(cty.String)),
		"null[*]":           cty.GetAttrPath("null").Index(cty.NullVal(cty.String)),
		"marked[*]":         cty.GetAttrPath("marked").Index(cty.StringVal("secret").Mark("m")),
		"set[*]":            append(cty.GetAttrPath("set"), SetElement()),
	} {
		if got := PathString(path); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestHideSetElements(t *testing.T) {
	t.Parallel()
	inner := cty.Object(map[string]cty.Type{"names": cty.Set(cty.String), "by": cty.Map(cty.Set(cty.Number))})
	ty := cty.Object(map[string]cty.Type{
		"set": cty.Set(cty.String), "map": cty.Map(cty.String), "list": cty.List(inner), "objects": cty.Set(inner),
		"pair": cty.Tuple([]cty.Type{cty.String, cty.Set(cty.String)}), "any": cty.DynamicPseudoType,
	})
	at := cty.GetAttrPath
	object := cty.ObjectVal(map[string]cty.Value{"names": cty.SetValEmpty(cty.String)})
	for want, path := range map[string]cty.Path{
		"":                     nil,
		"set[*]":               at("set").IndexString("x"),
		`map["x"]`:             at("map").IndexString("x"),
		"list[0].names[*]":     at("list").IndexInt(0).GetAttr("names").IndexString("x"),
		`list[0].by["x"][*]`:   at("list").IndexInt(0).GetAttr("by").IndexString("x").IndexInt(1),
		"objects[*].names[*]":  at("objects").Index(object).GetAttr("names").IndexString("x"),
		"pair[1][*]":           at("pair").IndexInt(1).IndexString("x"),
		`pair[2]["x"]`:         at("pair").IndexInt(2).IndexString("x"),
		`pair["one"]["x"]`:     at("pair").IndexString("one").IndexString("x"),
		`any["x"]`:             at("any").IndexString("x"),
		`nothing["x"]`:         at("nothing").IndexString("x"),
		`map.x["y"]`:           at("map").GetAttr("x").IndexString("y"),
		"set[*].beyond[\"x\"]": at("set").IndexString("x").GetAttr("beyond").IndexString("x"),
	} {
		before := PathString(path)
		if got := PathString(HideSetElements(path, ty)); got != want {
			t.Errorf("%s became %s, want %s", before, got, want)
		}
		if PathString(path) != before {
			t.Errorf("%s itself was changed", before)
		}
	}
}

// values are one of every kind, with types that hold them.
func values() map[string]struct {
	v  cty.Value
	ty cty.Type
} {
	object := cty.ObjectVal(map[string]cty.Value{"a": cty.StringVal("x"), "n": cty.NumberFloatVal(1.5)})
	huge := cty.MustParseNumberVal("12345678901234567890123456789.5")
	return map[string]struct {
		v  cty.Value
		ty cty.Type
	}{
		"string":  {cty.StringVal("é\n"), cty.String},
		"number":  {huge, cty.Number},
		"bool":    {cty.True, cty.Bool},
		"null":    {cty.NullVal(cty.String), cty.String},
		"object":  {object, object.Type()},
		"list":    {cty.ListVal([]cty.Value{object}), cty.List(object.Type())},
		"set":     {cty.SetVal([]cty.Value{cty.StringVal("a"), cty.StringVal("b")}), cty.Set(cty.String)},
		"map":     {cty.MapVal(map[string]cty.Value{"k": cty.Zero}), cty.Map(cty.Number)},
		"tuple":   {cty.TupleVal([]cty.Value{cty.True, cty.Zero}), cty.Tuple([]cty.Type{cty.Bool, cty.Number})},
		"dynamic": {object, cty.DynamicPseudoType},
		"long":    {cty.StringVal(strings.Repeat("x", 1<<17)), cty.String},
		"many":    {cty.ListVal(numbers(1 << 16)), cty.List(cty.Number)},
		"empty":   {cty.ListValEmpty(cty.String), cty.List(cty.String)},
	}
}

func numbers(n int) []cty.Value {
	out := make([]cty.Value, n)
	for i := range out {
		out[i] = cty.NumberIntVal(int64(i))
	}
	return out
}

// many is an array of n elements.
func many(n int) cty.Value {
	if n == 0 {
		return cty.ListValEmpty(cty.Bool)
	}
	return cty.ListVal(slices.Repeat([]cty.Value{cty.True}, n))
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for name, test := range values() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			packed, err := EncodeMsgpack(test.v.Mark("dropped"), test.ty)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := DecodeMsgpack(packed, test.ty); err != nil || !got.RawEquals(test.v) {
				t.Errorf("msgpack: %#v, %v", got, err)
			}
			text, err := EncodeJSON(test.v.Mark("dropped"), test.ty)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := DecodeJSON(text, test.ty); err != nil || !got.RawEquals(test.v) {
				t.Errorf("JSON: %#v, %v", got, err)
			}
		})
	}
}

// TestUnknowns keeps what is known about unknown values.
func TestUnknowns(t *testing.T) {
	t.Parallel()
	for _, v := range []cty.Value{
		cty.UnknownVal(cty.String), cty.UnknownVal(cty.String).RefineNotNull(),
		cty.UnknownVal(cty.String).Refine().StringPrefixFull("arn:").NewValue(),
		cty.UnknownVal(cty.Number).Refine().NumberRangeLowerBound(cty.Zero, true).NewValue(),
		cty.UnknownVal(cty.List(cty.String)).Refine().CollectionLengthUpperBound(3).NewValue(),
	} {
		data, err := EncodeMsgpack(v, v.Type())
		if err != nil {
			t.Fatal(err)
		}
		if got, err := DecodeMsgpack(data, v.Type()); err != nil || !got.RawEquals(v) {
			t.Errorf("%#v became %#v, %v", v, got, err)
		}
		if _, err := EncodeJSON(v, v.Type()); err == nil {
			t.Errorf("%#v has a JSON form", v)
		}
	}
}

// TestMisfits encodes what a type does not hold, and decodes what is none.
func TestMisfits(t *testing.T) {
	t.Parallel()
	if _, err := EncodeMsgpack(cty.True, cty.Map(cty.String)); err == nil {
		t.Error("a bool is a map")
	}
	if _, err := EncodeJSON(cty.True, cty.Map(cty.String)); err == nil {
		t.Error("a bool is a map in JSON")
	}
	for want, data := range map[string][]byte{
		"in the middle of a value": {0xdd, 0xff, 0xff, 0xff, 0xff, 0xa1, 'a'}, // a list of 4 thousand million
		"begins nothing":           {0xc1},
		"too deep":                 bytes.Repeat([]byte{0x91}, 5000),
	} {
		if _, err := DecodeMsgpack(data, cty.List(cty.String)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("% .10x: got %v, want %s", data, err, want)
		}
	}
	object := cty.Object(map[string]cty.Type{"a": cty.String, "b": cty.DynamicPseudoType})
	for name, data := range map[string][]byte{
		"no attributes": {0x80}, "one attribute twice": {0x82, 0xa1, 'a', 0xc0, 0xa1, 'a', 0xc0}, "no elements": {0x90},
	} {
		ty := object
		if name == "no elements" {
			ty = cty.Tuple([]cty.Type{cty.String})
		}
		if v, err := DecodeMsgpack(data, ty); err == nil {
			t.Errorf("%s: got %#v", name, v)
		}
	}
	for _, text := range []string{"", "{", "[1,", `{"a":1}x`, "\xff"} {
		if _, err := DecodeJSON([]byte(text), cty.List(cty.String)); err == nil {
			t.Errorf("%q is a list", text)
		}
	}
}

// FuzzCheckMsgpack compares the walk with that of a decoder: they agree on
// what is a whole value, but for how deep one may be.
func FuzzCheckMsgpack(f *testing.F) {
	for _, test := range values() {
		if data, err := msgpack.Marshal(test.v, test.ty); err == nil && len(data) < 1000 {
			f.Add(data)
		}
	}
	f.Add([]byte{0xdf, 0x7f, 0xff, 0xff, 0xff})
	f.Add([]byte{0xc7, 0x03, 0x0c, 0x81, 0x01, 0xc2})
	f.Fuzz(func(t *testing.T, data []byte) {
		err := checkMsgpack(data)
		if errors.Is(err, errMsgpackDeep) {
			return
		}
		if other := vmsgpack.NewDecoder(bytes.NewReader(data)).Skip(); (err == nil) != (other == nil) {
			t.Errorf("% x: %v, and the decoder says %v", data, err, other)
		}
	})
}

// FuzzDecodeMsgpack holds that what is decoded is of the type, and that it
// encodes.
func FuzzDecodeMsgpack(f *testing.F) {
	types := []cty.Type{
		cty.Object(map[string]cty.Type{
			"id": cty.String, "n": cty.Number, "tags": cty.Map(cty.String), "any": cty.DynamicPseudoType,
			"rules": cty.Set(cty.Object(map[string]cty.Type{"port": cty.Number, "names": cty.List(cty.String)})),
		}),
		cty.Tuple([]cty.Type{cty.String, cty.Bool}), cty.DynamicPseudoType,
	}
	for i, ty := range types {
		f.Add([]byte{0x80}, uint8(i))
		f.Add([]byte{0x90}, uint8(i))
		if data, err := msgpack.Marshal(cty.UnknownVal(ty), ty); err == nil {
			f.Add(data, uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, kind uint8) {
		ty := types[int(kind)%len(types)]
		v, err := DecodeMsgpack(data, ty)
		if err != nil {
			return
		}
		if errs := v.Type().TestConformance(ty); errs != nil {
			t.Errorf("%#v is not of the type: %v", v, errs)
		}
		if _, err := EncodeMsgpack(v, ty); err != nil {
			t.Errorf("%#v does not encode: %v", v, err)
		}
	})
}

// TestHeads holds the walk to every form of the specification, by encoding
// lengths on both sides of each border.
func TestHeads(t *testing.T) {
	t.Parallel()
	for _, length := range []int{0, 1, 15, 16, 31, 32, math.MaxUint8, math.MaxUint8 + 1, math.MaxUint16, math.MaxUint16 + 1} {
		for _, v := range []cty.Value{cty.StringVal(strings.Repeat("x", length)), many(length), manyKeys(min(length, 300))} {
			data, err := msgpack.Marshal(v, v.Type())
			if err != nil {
				t.Fatal(err)
			}
			if err := checkMsgpack(data); err != nil {
				t.Errorf("%d: % .10x: %v", length, data, err)
			}
			if err := checkMsgpack(data[:len(data)-1]); err == nil {
				t.Errorf("%d: % .10x: whole without its last byte", length, data)
			}
		}
	}
	scalars := []byte{0x98}
	for head, rest := range map[byte]int{0xca: 4, 0xcb: 8, 0xcc: 1, 0xcf: 8, 0xd2: 4, 0xd4: 2, 0xd8: 17, 0xd7: 9} {
		scalars = append(append(scalars, head), make([]byte, rest)...)
	}
	if err := checkMsgpack(scalars); err != nil {
		t.Error(err)
	}
	if err := checkMsgpack(scalars[:len(scalars)-1]); err == nil {
		t.Error("whole without its last byte")
	}
}

func manyKeys(n int) cty.Value {
	if n == 0 {
		return cty.MapValEmpty(cty.Bool)
	}
	out := make(map[string]cty.Value, n)
	for i := range n {
		out[cty.NumberIntVal(int64(i)).AsBigFloat().Text('f', 0)] = cty.True
	}
	return cty.MapVal(out)
}
