package pvalue

import (
	"encoding/binary"
	"math"
	"math/bits"
	"unicode/utf8"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/sig"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// packer appends the encoded form of properties, without a message for each
// value. ok is false where there is what the encoder of messages must encode
// or refuse.
type packer struct{ opts Options }

// open begins a field whose length is not known yet; closed puts it there.
func open(b []byte, tag byte) (out []byte, begin int) {
	return append(b, tag, 0), len(b) + 2
}

func closed(b []byte, begin int) []byte {
	length := len(b) - begin
	if length < 0x80 {
		b[begin-1] = byte(length)
		return b
	}
	more := (bits.Len(uint(length)) - 1) / 7 // bytes of the length beside the first
	b = append(b, make([]byte, more)...)
	copy(b[begin+more:], b[begin:begin+length])
	binary.PutUvarint(b[begin-1:], uint64(length))
	return b
}

func packText(b []byte, tag byte, text string) []byte {
	b = binary.AppendUvarint(append(b, tag), uint64(len(text)))
	return append(b, text...)
}

func (p packer) properties(b []byte, properties property.Map, depth int) (out []byte, ok bool) {
	for key, v := range properties.All {
		if key == sig.Key || !utf8.ValidString(key) {
			return b, false
		}
		if b, ok = p.member(b, key, v, depth+1); !ok {
			return b, false
		}
	}
	return b, true
}

func (p packer) member(b []byte, key string, v property.Value, depth int) (out []byte, ok bool) {
	b, begin := open(b, tagEntry)
	b = packText(b, tagKey, key)
	b, ok = p.value(b, tagValue, v, depth)
	return closed(b, begin), ok
}

// value packs v with what stands beside it, as a field with a tag.
func (p packer) value(b []byte, tag byte, v property.Value, depth int) (out []byte, ok bool) {
	if depth > maxDepth || p.opts.Outputs && len(v.Dependencies()) > 0 {
		return b, false
	}
	b, begin := open(b, tag)
	if v.Secret() && p.opts.Secrets {
		b, ok = p.secret(b, v, depth)
	} else {
		b, ok = p.bare(b, v, depth)
	}
	return closed(b, begin), ok
}

func (p packer) secret(b []byte, v property.Value, depth int) (out []byte, ok bool) {
	b, begin := open(b, tagStruct)
	b, _ = p.member(b, sig.Key, property.New(sig.Secret), 0)
	b, ok = p.member(b, "value", v.WithSecret(false), depth)
	return closed(b, begin), ok
}

func (p packer) bare(b []byte, v property.Value, depth int) (out []byte, ok bool) {
	switch {
	case v.IsString():
		text := v.AsString()
		return packText(b, tagString, text), utf8.ValidString(text)
	case v.IsNull():
		return append(b, tagNull, 0), true
	case v.IsBool() && v.AsBool():
		return append(b, tagBool, 1), true
	case v.IsBool():
		return append(b, tagBool, 0), true
	case v.IsNumber():
		return binary.LittleEndian.AppendUint64(append(b, tagNumber), math.Float64bits(v.AsNumber())), true
	case v.IsComputed():
		return packText(b, tagString, sig.UnknownStringValue), true
	case v.IsMap():
		b, begin := open(b, tagStruct)
		b, ok = p.properties(b, v.AsMap(), depth)
		return closed(b, begin), ok
	case v.IsArray():
		b, begin := open(b, tagList)
		b, ok = p.elements(b, v.AsArray(), depth)
		return closed(b, begin), ok
	default:
		return b, false
	}
}

func (p packer) elements(b []byte, elements property.Array, depth int) (out []byte, ok bool) {
	for _, element := range elements.All {
		if b, ok = p.value(b, tagEntry, element, depth+1); !ok {
			return b, false
		}
	}
	return b, true
}
