package secret

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// Placeholder stands for a secret in what is shown.
const Placeholder = "(sensitive value)"

// Shortest is the length, in bytes, from which a value is looked for inside of
// other texts. Shorter ones are in every other word: without them a text would
// say nothing, and its gaps would tell the secret.
const Shortest = 4

// digestPrefix begins what [Cover] puts in the place of texts.
const digestPrefix = "sha256:"

// Tells reports whether a text gives one of the values away: it is one, or
// holds one of at least [Shortest] bytes.
func Tells(text string, values []string) bool {
	return slices.ContainsFunc(values, func(v string) bool {
		return v != "" && text == v || len(v) >= Shortest && strings.Contains(text, v)
	})
}

// Cover returns a text that can be shown for an id: itself, or where it tells
// one of the values, the beginning of a digest. That is the same on every run,
// so that the object is known again. It is short, so that it fits many texts
// and tells of a weak secret no more than it must.
func Cover(text string, values []string) string {
	if !Tells(text, values) {
		return text
	}
	return fmt.Sprintf("%s%x", digestPrefix, sha256.Sum256([]byte(text)))[:len(digestPrefix)+8]
}

// IsDigest reports whether a text is a digest and nothing else, of [Cover] or
// of another.
func IsDigest(text string) bool { return strings.HasPrefix(text, digestPrefix) }

// CoverIdentity covers the strings of an identity. Numbers that tell one of
// the values become null. cty.NilVal stays what it is.
func CoverIdentity(identity cty.Value, values []string) cty.Value {
	if identity == cty.NilVal || len(values) == 0 {
		return identity
	}
	out, err := cty.Transform(identity, func(_ cty.Path, v cty.Value) (cty.Value, error) {
		texts := Texts(v)
		switch {
		case !v.Type().IsPrimitiveType() || len(texts) != 1 || !Tells(texts[0], values):
			return v, nil
		case v.Type() == cty.String:
			return cty.StringVal(Cover(texts[0], values)), nil
		default:
			return cty.NullVal(v.Type()), nil
		}
	})
	if err != nil { // what is of the type before is so after
		return cty.NullVal(identity.Type())
	}
	return out
}
