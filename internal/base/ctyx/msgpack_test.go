package ctyx

import (
	"testing"

	"github.com/zclconf/go-cty/cty"
)

// FuzzKnownMsgpack says of arbitrary bytes that they are known only where what
// they decode to is, and of bytes of our own wherever it is.
func FuzzKnownMsgpack(f *testing.F) {
	ty := cty.Object(map[string]cty.Type{"a": cty.DynamicPseudoType, "b": cty.List(cty.String), "n": cty.Number})
	f.Add([]byte("\x83\xa1a\xc0\xa1b\xc0\xa1n\x01"))
	f.Add([]byte("\x83\xa1a\xd4\x00\x00\xa1b\x91\xd4\x00\x00\xa1n\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00"))
	f.Add([]byte("\x83\xa1a\x92\xc4\x08\"string\"\xc7\x03\x0c\x81\x01\xc2\xa1b\x90\xa1n\xa3\x31e9"))
	f.Add([]byte{0xc0})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		known := KnownMsgpack(data)
		v, err := DecodeMsgpack(data, ty)
		if err != nil {
			return
		}
		if known && !v.IsWhollyKnown() {
			t.Errorf("% x is said to be known, and is %#v", data, v)
		}
		again, err := EncodeMsgpack(v, ty)
		if err == nil && KnownMsgpack(again) != v.IsWhollyKnown() {
			t.Errorf("% x of %#v is said to be the opposite", again, v)
		}
	})
}
