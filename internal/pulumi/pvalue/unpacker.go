package pvalue

import (
	"encoding/binary"
	"math"
	"unicode/utf8"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/sig"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// unpacker reads properties from an encoded google.protobuf.Struct in one
// pass, in the form that all encoders write. It stops at whatever else there
// is, malformed bytes and the rarer signatures included: the decoder of
// messages judges that. Strings are parts of the text that is read.
type unpacker struct{ opts Options }

// The tags of google/protobuf/struct.proto.
const (
	tagEntry  = 1<<3 | 2 // of Struct.fields, and of ListValue.values
	tagKey    = 1<<3 | 2 // of an entry
	tagValue  = 2<<3 | 2 // of an entry
	tagNull   = 1 << 3   // of Value, as those below
	tagNumber = 2<<3 | 1
	tagString = 3<<3 | 2
	tagBool   = 4 << 3
	tagStruct = 5<<3 | 2
	tagList   = 6<<3 | 2
)

// sized reads a tag, and the text of that length that follows it.
func sized(text string, tag byte) (inner, rest string, ok bool) {
	if len(text) < 2 || text[0] != tag {
		return "", "", false
	}
	length, shift := uint64(0), 0
	for i := 1; i < len(text) && i < 6; i++ { // no text has as many bytes as six digits can say
		length |= uint64(text[i]&0x7f) << shift
		shift += 7
		if text[i] < 0x80 {
			text = text[i+1:]
			if length > uint64(len(text)) {
				return "", "", false
			}
			return text[:length], text[length:], true
		}
	}
	return "", "", false
}

// entries counts what a message repeats.
func entries(text string) (n int, ok bool) {
	for text != "" {
		if _, text, ok = sized(text, tagEntry); !ok {
			return 0, false
		}
		n++
	}
	return n, true
}

// entry reads the next member of a struct.
func entry(text string) (key, value, rest string, ok bool) {
	inner, rest, ok := sized(text, tagEntry)
	if !ok {
		return "", "", "", false
	}
	key, inner, ok = sized(inner, tagKey)
	if !ok || !utf8.ValidString(key) {
		return "", "", "", false
	}
	value, inner, ok = sized(inner, tagValue)
	return key, value, rest, ok && inner == ""
}

// properties reads a struct without a signature.
func (u unpacker) properties(text string, depth int) (out property.Map, ok bool) {
	n, ok := entries(text)
	if !ok {
		return property.Map{}, false
	}
	members := make(map[string]property.Value, n)
	for text != "" {
		var key, value string
		if key, value, text, ok = entry(text); !ok || key == sig.Key {
			return property.Map{}, false
		}
		if members[key], ok = u.value(value, depth+1); !ok {
			return property.Map{}, false
		}
	}
	return property.NewMap(members), len(members) == n // none came twice
}

func (u unpacker) value(text string, depth int) (out property.Value, ok bool) {
	if depth > maxDepth || len(text) < 2 {
		return property.Value{}, false
	}
	switch text[0] {
	case tagNull:
		return property.Value{}, text[1:] == "\x00"
	case tagBool:
		return property.New(text[1] == 1), len(text) == 2 && text[1] <= 1
	case tagNumber:
		if len(text) != 9 {
			return property.Value{}, false
		}
		bits := binary.LittleEndian.Uint64([]byte(text[1:]))
		return property.New(math.Float64frombits(bits)), true
	}
	inner, rest, ok := sized(text, text[0])
	if !ok || rest != "" {
		return property.Value{}, false
	}
	switch text[0] {
	case tagString:
		if sig.IsUnknown(inner) {
			return property.New(property.Computed), true
		}
		return property.New(inner), utf8.ValidString(inner)
	case tagStruct:
		return u.structure(inner, depth)
	case tagList:
		return u.list(inner, depth)
	default:
		return property.Value{}, false
	}
}

func (u unpacker) list(text string, depth int) (out property.Value, ok bool) {
	n, ok := entries(text)
	if !ok {
		return property.Value{}, false
	}
	elements := make([]property.Value, n)
	for i := range elements {
		var element string
		if element, text, ok = sized(text, tagEntry); !ok {
			return property.Value{}, false
		}
		if elements[i], ok = u.value(element, depth+1); !ok {
			return property.Value{}, false
		}
	}
	return property.New(property.NewArray(elements)), true
}

// structure reads a plain struct or a secret, which has two members.
func (u unpacker) structure(text string, depth int) (out property.Value, ok bool) {
	if secret, ok := secretIn(text); ok {
		v, ok := u.value(secret, depth+1)
		return v.WithSecret(v.Secret() || u.opts.Secrets), ok
	}
	properties, ok := u.properties(text, depth)
	return property.New(properties), ok
}

// secretIn returns the value in a struct that is {signature, value}.
func secretIn(text string) (value string, ok bool) {
	oneKey, one, text, ok := entry(text)
	if !ok || text == "" {
		return "", false
	}
	otherKey, other, text, ok := entry(text)
	if !ok || text != "" {
		return "", false
	}
	if oneKey != sig.Key {
		oneKey, one, otherKey, other = otherKey, other, oneKey, one
	}
	signature, rest, ok := sized(one, tagString)
	return other, ok && rest == "" && oneKey == sig.Key && otherKey == "value" && signature == sig.Secret
}
