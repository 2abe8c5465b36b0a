package mapping

import (
	"strconv"
	"strings"

	"github.com/pulumi/inflector"
	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// reservedName is the one name that Pulumi takes no property or function of;
// replacedName is what such a property is called instead.
const (
	reservedName = "pulumi"
	replacedName = "pulumiInfo"
)

// camel turns a Terraform attribute name into Pulumi's. Underscores in front
// stay, and one at the end; a letter after any other becomes a capital.
func camel(name string) string {
	body := strings.TrimLeft(name, "_")
	if !strings.Contains(body, "_") && !strings.HasSuffix(name, "_") {
		return name
	}
	var b strings.Builder
	b.Grow(len(name) + 1)
	b.WriteString(name[:len(name)-len(body)])
	capital := false
	for i := range len(body) { // what is not ASCII stays as it is
		c := body[i]
		switch {
		case c == '_':
			capital = true
			continue
		case capital && 'a' <= c && c <= 'z':
			c -= 'a' - 'A'
		}
		b.WriteByte(c)
		capital = false
	}
	if strings.HasSuffix(name, "_") {
		b.WriteByte('_')
	}
	return b.String()
}

// propertyName is the Pulumi name of an attribute or block. Lists are in the
// plural, unless has reports that another attribute is called so.
func propertyName(name string, list bool, has func(name string) bool) string {
	name = strings.TrimSuffix(name, ":")
	if list {
		if plural := inflector.Pluralize(name); !has(plural) {
			name = plural
		}
	}
	return camel(name)
}

// typeName names the nested type of a property inside the type called prefix.
func typeName(prefix, property string, list bool) string {
	if list {
		property = inflector.Singularize(property)
	}
	// A Caster has state, so that each call needs its own.
	return prefix + cases.Title(language.Und, cases.NoLower).String(property)
}

// tokenName drops what no name in a token may have.
func tokenName(name string) string {
	return letterFirst(strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' {
			return r
		}
		return -1
	}, name))
}

// firstFree returns the first of base, base2, base3… that is not taken.
func firstFree(base string, taken func(string) bool) string {
	name := base
	for n := 2; taken(name); n++ {
		name = base + strconv.Itoa(n)
	}
	return name
}
