package ctyx

import (
	"slices"
	"testing"

	"github.com/zclconf/go-cty/cty"
)

func TestOtherMembers(t *testing.T) {
	t.Parallel()
	ty := cty.Object(map[string]cty.Type{"a": cty.String, "b": cty.List(cty.String), "c": cty.Number})
	of := func(a string, b []cty.Value, c cty.Value) []byte {
		list := cty.ListValEmpty(cty.String)
		if len(b) > 0 {
			list = cty.ListVal(b)
		}
		data, err := EncodeMsgpack(cty.ObjectVal(map[string]cty.Value{"a": cty.StringVal(a), "b": list, "c": c}), ty)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	one := of("x", []cty.Value{cty.StringVal("y")}, cty.UnknownVal(cty.Number))
	for name, test := range map[string]struct {
		other []byte
		want  []string
		ok    bool
	}{
		"the same":            {one, nil, true},
		"one differs":         {of("z", []cty.Value{cty.StringVal("y")}, cty.UnknownVal(cty.Number)), []string{"a"}, true},
		"all differ":          {of("z", nil, cty.NumberIntVal(1)), []string{"a", "b", "c"}, true},
		"null":                {[]byte{0xc0}, nil, false},
		"nothing":             {nil, nil, false},
		"cut off":             {one[:len(one)-1], nil, false},
		"other attributes":    {[]byte("\x83\xa1a\xa1x\xa1b\xc0\xa1d\xc0"), nil, false},
		"fewer":               {[]byte("\x82\xa1a\xa1x\xa1b\xc0"), nil, false},
		"names of other form": {[]byte("\x83\xd9\x01a\xa1x\xa1b\xc0\xa1c\xc0"), nil, false},
	} {
		if got, ok := OtherMembers(one, test.other); ok != test.ok || !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, %t", name, got, ok)
		}
	}
}

// FuzzOtherMembers compares arbitrary bytes: attributes whose bytes are the
// same decode to the same value.
func FuzzOtherMembers(f *testing.F) {
	ty := cty.Object(map[string]cty.Type{"id": cty.String, "n": cty.Number, "tags": cty.Map(cty.String)})
	a := []byte("\x83\xa2id\xa1x\xa1n\x01\xa4tags\x81\xa1a\xa1b")
	f.Add(a, a)
	f.Add(a, []byte("\x83\xa2id\xc0\xa1n\xd4\x00\x00\xa4tags\x80"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		others, ok := OtherMembers(a, b)
		x, errX := DecodeMsgpack(a, ty)
		y, errY := DecodeMsgpack(b, ty)
		if !ok || errX != nil || errY != nil {
			return
		}
		for name := range ty.AttributeTypes() {
			if !slices.Contains(others, name) && !x.GetAttr(name).RawEquals(y.GetAttr(name)) {
				t.Errorf("% x and % x differ in %s", a, b, name)
			}
		}
	})
}
