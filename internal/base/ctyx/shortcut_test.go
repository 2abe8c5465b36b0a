package ctyx

import (
	"bytes"
	"math"
	"testing"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"
)

// shortcutTypes are types of every kind that the shortcuts know, and of some
// that they leave to cty.
func shortcutTypes() []cty.Type {
	rule := cty.Object(map[string]cty.Type{"port": cty.Number, "names": cty.List(cty.String), "open": cty.Bool})
	return []cty.Type{
		cty.Object(map[string]cty.Type{
			"id": cty.String, "n": cty.Number, "tags": cty.Map(cty.String), "rules": cty.Set(rule), "by": cty.Map(rule),
			"none": cty.EmptyObject,
		}),
		cty.Object(map[string]cty.Type{"any": cty.DynamicPseudoType, "ids": cty.Set(cty.Number)}),
		cty.Tuple([]cty.Type{cty.String, cty.Bool}), cty.DynamicPseudoType, cty.Number, cty.String, cty.Bool,
		cty.List(cty.Number), cty.Set(cty.String),
	}
}

// agrees holds the encoders to cty's, byte for byte.
func agrees(t *testing.T, v cty.Value, ty cty.Type) {
	t.Helper()
	want, err := msgpack.Marshal(v, ty)
	if got, ok := pack(nil, v, ty); ok && (err != nil || !bytes.Equal(got, want)) {
		t.Errorf("%#v packs as % x, and for cty as % x, %v", v, got, want, err)
	}
	want, err = ctyjson.Marshal(v, ty)
	if got, ok := writeJSON(nil, v, ty); ok && (err != nil || !bytes.Equal(got, want)) {
		t.Errorf("%#v is %s, and for cty %s, %v", v, got, want, err)
	}
}

// TestShortcutsAgree encodes numbers on both sides of every border, and values
// that are not of the type.
func TestShortcutsAgree(t *testing.T) {
	t.Parallel()
	numbers := []cty.Value{
		cty.PositiveInfinity, cty.NegativeInfinity, cty.NumberFloatVal(0.1), cty.NumberFloatVal(1e30), cty.NumberFloatVal(math.Copysign(0, -1)),
		cty.NumberFloatVal(1 << 60), cty.MustParseNumberVal("0.1"), cty.MustParseNumberVal("1e400"), cty.NumberUIntVal(math.MaxUint64),
	}
	for shift := range 64 {
		for _, near := range []int64{-1, 0, 1} {
			i := int64(1)<<shift + near
			numbers = append(numbers, cty.NumberIntVal(i), cty.NumberIntVal(-i), cty.NumberFloatVal(float64(i)), cty.MustParseNumberVal(cty.NumberIntVal(i).AsBigFloat().Text('f', 0)))
		}
	}
	for _, n := range numbers {
		agrees(t, n, cty.Number)
		data, err := EncodeMsgpack(n, cty.Number)
		if err != nil {
			t.Fatal(err)
		}
		want, err := msgpack.Unmarshal(data, cty.Number) // shortest digits of floats are others' integers
		if got, ok := unpack(data, cty.Number); err != nil || !ok || !got.RawEquals(want) {
			t.Errorf("%#v became %#v, and for cty %#v, %v", n, got, want, err)
		}
	}
	object := cty.ObjectVal(map[string]cty.Value{"a": cty.True})
	for _, ty := range append(shortcutTypes(), cty.Object(map[string]cty.Type{"a": cty.String}), cty.Object(map[string]cty.Type{"b": cty.Bool})) {
		for _, v := range []cty.Value{cty.NullVal(cty.Bool), cty.NullVal(ty), cty.UnknownVal(ty), object, cty.EmptyObjectVal, cty.StringVal("1"), cty.EmptyTupleVal} {
			agrees(t, v, ty)
		}
	}
	for _, s := range []string{"", "a", `"\`, "<&>", "é", "\x00\x1f\x7f", "\u2028", "\xff"} {
		agrees(t, cty.StringVal(s), cty.String)
		agrees(t, cty.MapVal(map[string]cty.Value{s: cty.StringVal(s)}), cty.Map(cty.String))
	}
}

// TestShortcutsAreTaken holds that usual values take them.
func TestShortcutsAreTaken(t *testing.T) {
	t.Parallel()
	for name, test := range values() {
		if name == "tuple" || name == "dynamic" {
			continue
		}
		data, ok := pack(nil, test.v.Mark("dropped"), test.ty)
		if !ok {
			t.Errorf("%s is packed by cty", name)
		}
		if v, ok := unpack(data, test.ty); !ok || !v.RawEquals(test.v) {
			t.Errorf("%s is unpacked by cty", name)
		}
		text, ok := writeJSON(nil, test.v.Mark("dropped"), test.ty)
		if !ok {
			t.Errorf("%s is written by cty", name)
		}
		if v, ok := readJSON(text, test.ty); !ok || !v.RawEquals(test.v) {
			t.Errorf("%s is read by cty", name)
		}
	}
}

// FuzzUnpack holds what the shortcut decodes to what cty does, and the
// encoders to each other.
func FuzzUnpack(f *testing.F) {
	for i, ty := range shortcutTypes() {
		f.Add([]byte{0x80}, uint8(i))
		f.Add([]byte{0xd1, 0xff, 0x00}, uint8(i))
		if data, err := msgpack.Marshal(cty.NullVal(ty), ty); err == nil {
			f.Add(data, uint8(i))
		}
	}
	for _, test := range values() {
		if data, err := msgpack.Marshal(test.v, test.ty); err == nil && len(data) < 1000 {
			f.Add(data, uint8(0))
		}
	}
	f.Add([]byte("\x86\xa2by\x81\xa1k\x83\xa5names\x91\xa1n\xa4open\xc3\xa4port\x01\xa2id\xa1x\xa1n\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00\xa4none\x80\xa5rules\x90\xa4tags\x81\xa1a\xa1b"), uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, kind uint8) {
		ty := shortcutTypes()[int(kind)%len(shortcutTypes())]
		got, ok := unpack(data, ty)
		if !ok {
			return
		}
		want, err := msgpack.Unmarshal(data, ty)
		if err == nil {
			err = conforming(want, ty)
		}
		if err != nil || !got.RawEquals(want) || checkMsgpack(data) != nil {
			t.Errorf("% x is %#v, and for cty %#v, %v, %v", data, got, want, err, checkMsgpack(data))
		}
		agrees(t, got, ty)
	})
}

// FuzzReadJSON holds what the shortcut decodes to what cty does.
func FuzzReadJSON(f *testing.F) {
	for i := range shortcutTypes() {
		for _, text := range []string{
			`{"id": "x\u00e9", "n": -1.5e3, "tags": {"a": null}, "rules": [{"port": 80, "open": true}], "by": {"k": {"names": ["é"]}}}`,
			`{"ids": [1, 2, -0]}`, "12", `"12"`, "true", "[]", `["a", "b"]`, "null", `{"id": "a", "id": "b"}`, `{"x": 1}`, "[1,]", "01", "1 2",
		} {
			f.Add([]byte(text), uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, kind uint8) {
		ty := shortcutTypes()[int(kind)%len(shortcutTypes())]
		got, ok := readJSON(data, ty)
		if !ok {
			return
		}
		if want, err := ctyjson.Unmarshal(data, ty); err != nil || !got.RawEquals(want) {
			t.Errorf("%q is %#v, and for cty %#v, %v", data, got, want, err)
		}
		agrees(t, got, ty)
	})
}
