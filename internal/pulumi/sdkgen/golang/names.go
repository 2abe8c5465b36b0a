package golang

import (
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// pascal makes a property's or type's name one that Go exports.
func pascal(name string) string {
	out := sdkgen.Pascal(name)
	if first, _ := utf8.DecodeRuneInString(out); !unicode.IsLetter(first) {
		return "X" + out
	}
	return out
}

// camel is pascal with a small first letter, and is no keyword.
func camel(name string) string {
	out := pascal(name)
	first, size := utf8.DecodeRuneInString(out)
	out = string(unicode.ToLower(first)) + out[size:]
	if token.IsKeyword(out) {
		return out + "_"
	}
	return out
}

// fieldNames are the Go names of properties. Those of the methods and fields
// that every resource, argument or output has get an underscore behind them.
func fieldName(property string) string {
	name := pascal(property)
	switch name {
	case "ElementType", "ID", "URN", "GetProvider", "ApplyT", "ApplyTWithContext":
		return name + "_"
	}
	return name
}

// enumValueName names a value of an enum behind the enum's own name.
func enumValueName(enum, value string) string {
	value = strings.TrimSpace(value)
	if token.IsIdentifier("X" + value) {
		return enum + upperFirst(value)
	}
	words := strings.FieldsFunc(value, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, word := range words {
		words[i] = upperFirst(word)
	}
	return enum + "_" + strings.Join(words, "_")
}

func upperFirst(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(first)) + s[size:]
}
