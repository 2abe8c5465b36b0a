package pschema

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"strconv"

	"github.com/formation-iac/formation/internal/base/diag"
)

// Decode reads a whole schema as it is written, and reports what is no JSON,
// of the wrong kind, repeated or unknown. What could be read is in the result
// beside errors too. filename is what ranges call the text.
func Decode[Text ~string | ~[]byte](filename string, data Text) (PackageSpec, diag.List) {
	doc, diags := newDocument(filename, string(data))
	if doc == nil {
		return PackageSpec{}, diags
	}
	spec := doc.header
	spec.Resources = everyMember(doc, doc.resources, (*cursor).resource)
	spec.Functions = everyMember(doc, doc.functions, (*cursor).function)
	spec.Types = everyMember(doc, doc.types, (*cursor).complexType)
	return spec, doc.diagnostics()
}

func everyMember[T any](doc *document, members section, decode func(*cursor) T) map[string]T {
	if len(members) == 0 {
		return nil
	}
	all := make(map[string]T, len(members))
	for token, span := range members {
		all[token] = decode(doc.cursor(span))
	}
	return all
}

// unknown reports a member that kind does not have, and skips it.
func (c *cursor) unknown(kind, key string) {
	c.report(unknownMember(c.place(), kind, key))
	c.skip()
}

// table reads an object as a map, with entry for each value.
func table[T any](c *cursor, entry func() T) map[string]T {
	var all map[string]T
	c.entries(func(key string, place Place) {
		if all == nil {
			all = map[string]T{}
		}
		if _, twice := all[key]; twice {
			c.report(repeatedMember(place, key))
		}
		all[key] = entry()
	})
	return all
}

// list reads an array, with item for each element.
func list[T any](c *cursor, item func() T) []T {
	var all []T
	c.items(func() { all = append(all, item()) })
	return all
}

func (c *cursor) strings() []string { return list(c, c.string) }

func (c *cursor) language() Language {
	return table(c, func() json.RawMessage { return json.RawMessage(c.raw()) })
}

// bytes reads base64; nil where there is none.
func (c *cursor) bytes() []byte {
	place := c.place()
	text := c.string()
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		c.report(notBase64(place, err))
	}
	if len(data) == 0 {
		return nil
	}
	return data
}

// scalar reads a string, a bool or a float64; nil for anything else.
func (c *cursor) scalar() any {
	place := c.place()
	switch begins := c.peek(); begins {
	case '"':
		return c.quoted()
	case 't', 'f':
		return c.bool()
	case '{', '[':
		c.report(wrongKind(place, "a string, a number or a boolean", kindOf(begins)))
		c.skip()
		return nil
	case 'n':
		c.skip()
		return nil
	}
	word := c.word()
	number, err := strconv.ParseFloat(word, 64)
	if err != nil || math.IsInf(number, 0) {
		c.report(numberOutOfRange(place, word))
		return nil
	}
	return number
}

func (c *cursor) typeSpec() TypeSpec {
	spec := TypeSpec{At: c.place()}
	c.members(func(key string) {
		if !c.typeMember(&spec, key) {
			c.unknown("a type", key)
		}
	})
	return spec
}

func (c *cursor) typeMember(spec *TypeSpec, key string) bool {
	switch key {
	case "type":
		spec.Type = c.string()
	case "$ref":
		spec.Ref = c.string()
	case "additionalProperties":
		spec.AdditionalProperties = maybe(c, c.typeSpec)
	case "items":
		spec.Items = maybe(c, c.typeSpec)
	case "oneOf":
		spec.OneOf = list(c, c.typeSpec)
	case "discriminator":
		spec.Discriminator = maybe(c, c.discriminator)
	case "plain":
		spec.Plain = c.bool()
	default:
		return false
	}
	return true
}

// maybe reads a value that may be absent: null is nil.
func maybe[T any](c *cursor, read func() T) *T {
	if c.peek() == 'n' {
		c.skip()
		return nil
	}
	value := read()
	return &value
}

func (c *cursor) discriminator() DiscriminatorSpec {
	spec := DiscriminatorSpec{At: c.place()}
	c.members(func(key string) {
		switch key {
		case "propertyName":
			spec.PropertyName = c.string()
		case "mapping":
			spec.Mapping = table(c, c.string)
		default:
			c.unknown("a discriminator", key)
		}
	})
	return spec
}

func (c *cursor) property() PropertySpec {
	var spec PropertySpec
	spec.At = c.place()
	c.members(func(key string) {
		if !c.typeMember(&spec.TypeSpec, key) {
			c.propertyMember(&spec, key)
		}
	})
	return spec
}

func (c *cursor) propertyMember(spec *PropertySpec, key string) {
	switch key {
	case "description":
		spec.Description = c.string()
	case "const":
		spec.Const = c.scalar()
	case "default":
		spec.Default = c.scalar()
	case "defaultInfo":
		spec.DefaultInfo = maybe(c, c.defaultInfo)
	case "deprecationMessage":
		spec.DeprecationMessage = c.string()
	case "language":
		spec.Language = c.language()
	case "secret":
		spec.Secret = c.bool()
	case "replaceOnChanges":
		spec.ReplaceOnChanges = c.bool()
	case "willReplaceOnChanges":
		spec.WillReplaceOnChanges = c.bool()
	default:
		c.unknown("a property", key)
	}
}

func (c *cursor) defaultInfo() DefaultSpec {
	spec := DefaultSpec{At: c.place()}
	c.members(func(key string) {
		switch key {
		case "environment":
			spec.Environment = c.strings()
		case "language":
			spec.Language = c.language()
		default:
			c.unknown("a default value", key)
		}
	})
	return spec
}

func (c *cursor) properties() map[string]PropertySpec { return table(c, c.property) }
