package memschema

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// Shapes has one of everything that a provider can have, and of every case
// in which names meet.
func Shapes() *Schemas {
	return &Schemas{
		Provider:  shapesProvider(),
		Resources: shapesResources(),
		Data: map[string]*tfschema.Block{
			"shape_thing": described("Finds a thing by its `thing_name`.", Block([]*tfschema.Attribute{
				Required("thing_name", cty.String), Computed("id", cty.String), Optional("pulumi", cty.String),
			}, Nested("filter", tfschema.NestingSet, Block([]*tfschema.Attribute{Required("key", cty.String), Computed("hits", cty.Number)})))),
			"shape_foobar":  Block([]*tfschema.Attribute{Computed("all", cty.List(cty.String))}),
			"shape_foo_bar": Block([]*tfschema.Attribute{Computed("all", cty.List(cty.String))}),
		},
		Ephemeral: map[string]*tfschema.Block{
			"shape_token": described("Opens a token.", Block([]*tfschema.Attribute{
				Required("audience", cty.String), Computed("claims", cty.List(cty.Object(map[string]cty.Type{"claim_name": cty.String}))),
			})),
		},
		Lists: map[string]*tfschema.Block{
			"shape_keyed": Block([]*tfschema.Attribute{Required("folder", cty.String), Optional("label", cty.List(cty.String))}),
		},
		Functions: shapesFunctions(),
		Identities: map[string]*tfschema.Identity{
			"shape_keyed": {Attributes: []*tfschema.IdentityAttribute{{Name: "id", Type: cty.String, RequiredForImport: true}}},
		},
	}
}

func shapesProvider() *tfschema.Block {
	secret := Optional("api_key", cty.String)
	secret.Sensitive = true
	return Block([]*tfschema.Attribute{Required("region", cty.String), secret, Optional("version", cty.String)},
		Nested("endpoint", tfschema.NestingList, Block([]*tfschema.Attribute{Required("url", cty.String), Optional("header", cty.Map(cty.String))})))
}

func shapesResources() map[string]*tfschema.Block {
	disk := Nested("disk", tfschema.NestingList, Block([]*tfschema.Attribute{Required("size_gb", cty.Number)}))
	barDisk := Nested("bar_disk", tfschema.NestingList, Block([]*tfschema.Attribute{Required("speed", cty.String)}))
	id := Computed("id", cty.String)
	return map[string]*tfschema.Block{
		"shape":             Block([]*tfschema.Attribute{id}),
		"shape_attributes":  described("Holds every kind of attribute.\n\n~> Beware of `foo_bar`, and see `shape_blocks`.", Block(shapesAttributes())),
		"shape_blocks":      shapesBlocks(),
		"shape_provider":    Block([]*tfschema.Attribute{id}),
		"shape_1st":         Block([]*tfschema.Attribute{id}),
		"shape_foo":         Block([]*tfschema.Attribute{id}, barDisk),
		"shape_foobar":      Block([]*tfschema.Attribute{id}),
		"shape_foo_bar":     Block([]*tfschema.Attribute{id}, disk),
		"shape_bare":        Block([]*tfschema.Attribute{Optional("name", cty.String)}),
		"shape_keyed":       Block([]*tfschema.Attribute{Required("id", cty.String), Required("name", cty.String), Computed("urn", cty.String)}),
		"shape_numbered":    Block([]*tfschema.Attribute{Computed("id", cty.Number), Computed("numbered_id", cty.String)}),
		"shape_optional":    Block([]*tfschema.Attribute{OptionalComputed("id", cty.String)}),
		"shape_complicated": Block([]*tfschema.Attribute{Computed("id", cty.List(cty.String))}),
	}
}

func shapesAttributes() []*tfschema.Attribute {
	object := cty.Object(map[string]cty.Type{"inner_name": cty.String, "port": cty.List(cty.Number)})
	nested := []*tfschema.Attribute{Computed("last_seen", cty.String), Optional("weight", cty.Number), Required("host", cty.String)}
	deprecated, obsolete := Optional("old", cty.Bool), Optional("older", cty.Bool)
	deprecated.Deprecated, deprecated.DeprecationMessage = true, "Use `foo_bar`."
	obsolete.Deprecated = true
	secret, once := Optional("password", cty.String), Optional("password_once", cty.String)
	secret.Sensitive, once.WriteOnly = true, true
	described := OptionalComputed("foo_bar", cty.String)
	described.Description = "One of [these](#these), see [the list](/docs/list) and [more](https://example.com).\n\n-> Not `inner_name`."
	return []*tfschema.Attribute{
		Computed("id", cty.String), Required("name", cty.String), described, Optional("foo__bar", cty.String),
		Optional("enabled", cty.Bool), Optional("count_of", cty.Number), Optional("anything", cty.DynamicPseudoType),
		Optional("policy", cty.List(cty.String)), Optional("tag", cty.Set(cty.String)), Optional("tags", cty.Map(cty.String)),
		Optional("child", cty.List(object)), Optional("single", object), Optional("matrix", cty.List(cty.List(object))),
		Optional("free", cty.Map(cty.DynamicPseudoType)), Optional("pair", cty.Tuple([]cty.Type{cty.String, cty.Number})),
		Optional("twins", cty.Tuple([]cty.Type{cty.String, cty.String})),
		NestedAttribute("nested_single", tfschema.NestingSingle, nested), NestedAttribute("nested_list", tfschema.NestingList, nested),
		NestedAttribute("nested_set", tfschema.NestingSet, nested), NestedAttribute("nested_map", tfschema.NestingMap, nested),
		deprecated, obsolete, secret, once, Optional("pulumi", cty.String), Optional("_private", cty.String),
	}
}

func shapesBlocks() *tfschema.Block {
	inner := func() *tfschema.Block {
		return Block([]*tfschema.Attribute{Required("key", cty.String), OptionalComputed("value", cty.String)})
	}
	limited := func(name string, nesting tfschema.Nesting, least, most int64) *tfschema.NestedBlock {
		n := Nested(name, nesting, inner())
		n.Min, n.Max = least, most
		return n
	}
	b := Block([]*tfschema.Attribute{Computed("id", cty.String)},
		Nested("alone", tfschema.NestingSingle, inner()), Nested("group", tfschema.NestingGroup, inner()),
		Nested("entry", tfschema.NestingList, Block([]*tfschema.Attribute{Required("key", cty.String)}, Nested("box", tfschema.NestingList, inner()))),
		Nested("status", tfschema.NestingSet, inner()), Nested("by_key", tfschema.NestingMap, inner()),
		limited("only_list", tfschema.NestingList, 0, 1), limited("only_set", tfschema.NestingSet, 1, 1), limited("few", tfschema.NestingList, 1, 3),
		Nested("loose", tfschema.NestingList, Block([]*tfschema.Attribute{Optional("anything", cty.DynamicPseudoType)})),
		Nested("timeouts", tfschema.NestingSingle, Block([]*tfschema.Attribute{Optional("create", cty.String), Optional("delete", cty.String)})))
	b.Deprecated = true
	return b
}

func shapesFunctions() map[string]*tfschema.Function {
	result := cty.Object(map[string]cty.Type{"account_id": cty.String, "part": cty.List(cty.Object(map[string]cty.Type{"text": cty.String}))})
	return map[string]*tfschema.Function{
		"parse_arn": {
			Name: "parse_arn", Return: result, Summary: "Parses an ARN.", Description: "The `arn` comes apart.",
			Parameters: []*tfschema.Parameter{{Name: "arn", Type: cty.String, Description: "What to parse."}},
		},
		"join": {
			Name: "join", Return: cty.String, Deprecated: "Use templates.",
			Parameters: []*tfschema.Parameter{{Type: cty.String, AllowNull: true}, {Name: "pulumi", Type: cty.String}, {Name: "last_one", Type: cty.Bool, AllowNull: true}},
			Variadic:   &tfschema.Parameter{Name: "part", Type: cty.String},
		},
		"merge":  {Name: "merge", Return: cty.DynamicPseudoType, Variadic: &tfschema.Parameter{Name: "values", Type: cty.DynamicPseudoType}},
		"foo":    {Name: "foo", Return: cty.Number},
		"pulumi": {Name: "pulumi", Return: cty.Number},
	}
}

// Required makes an attribute.
func Required(name string, ty cty.Type) *tfschema.Attribute {
	return &tfschema.Attribute{Name: name, Type: ty, Required: true}
}

// Optional makes an attribute, as [Required] does.
func Optional(name string, ty cty.Type) *tfschema.Attribute {
	return &tfschema.Attribute{Name: name, Type: ty, Optional: true}
}

// Computed makes an attribute, as [Required] does.
func Computed(name string, ty cty.Type) *tfschema.Attribute {
	return &tfschema.Attribute{Name: name, Type: ty, Computed: true}
}

// OptionalComputed makes an attribute, as [Required] does.
func OptionalComputed(name string, ty cty.Type) *tfschema.Attribute {
	return &tfschema.Attribute{Name: name, Type: ty, Optional: true, Computed: true}
}

// NestedAttribute makes an optional attribute with nested objects.
func NestedAttribute(name string, nesting tfschema.Nesting, attributes []*tfschema.Attribute) *tfschema.Attribute {
	o := &tfschema.Object{Nesting: nesting, Attributes: Block(attributes).Attributes}
	return &tfschema.Attribute{Name: name, Type: o.ImpliedType(), Nested: o, Optional: true}
}

// Nested makes a block inside a block.
func Nested(name string, nesting tfschema.Nesting, b *tfschema.Block) *tfschema.NestedBlock {
	return &tfschema.NestedBlock{Name: name, Nesting: nesting, Block: b}
}

func described(description string, b *tfschema.Block) *tfschema.Block {
	b.Description = description
	return b
}
