package wideprovider

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// plain is how many attributes a type has besides id, name and secret.
const plain = 47

// thingSchema is the schema of the type with a number. Only descriptions
// differ from type to type.
func thingSchema(number int) schema.Schema {
	attributes := map[string]schema.Attribute{
		"id": schema.StringAttribute{
			Computed: true, PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			MarkdownDescription: "The identifier of the thing.",
		},
		"name": schema.StringAttribute{
			Required: true, PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()},
			MarkdownDescription: fmt.Sprintf("The name of the thing of type `wide_thing_%04d`. It must be unique among them.", number),
		},
		"secret": schema.StringAttribute{Optional: true, Sensitive: true, MarkdownDescription: "A password, which is never shown."},
	}
	for i := range plain {
		attributes[fmt.Sprintf("%s_setting_%02d", kinds()[i%len(kinds())].prefix, i)] = kinds()[i%len(kinds())].attribute(i)
	}
	return schema.Schema{
		MarkdownDescription: fmt.Sprintf("Manages a thing of type %d. Things hold settings, rules and one disk.", number),
		Attributes:          attributes,
		Blocks: map[string]schema.Block{
			"rule": schema.ListNestedBlock{NestedObject: nestedBlock("rule"), MarkdownDescription: "A rule; they are tried in order."},
			"tag":  schema.SetNestedBlock{NestedObject: nestedBlock("tag"), MarkdownDescription: "A tag."},
			"disk": schema.SingleNestedBlock{Attributes: leaves("disk"), MarkdownDescription: "The disk."},
		},
	}
}

// kind makes attributes of one type.
type kind struct {
	prefix    string
	attribute func(i int) schema.Attribute
}

func kinds() []kind {
	describe := func(i int) string {
		return fmt.Sprintf("Setting %d. Where it is not given, the thing goes by what its parent says, and by the default of the region after that.", i)
	}
	return []kind{
		{"text", func(i int) schema.Attribute {
			return schema.StringAttribute{Optional: true, MarkdownDescription: describe(i)}
		}},
		{"count", func(i int) schema.Attribute {
			return schema.Int64Attribute{Optional: true, MarkdownDescription: describe(i)}
		}},
		{"enabled", func(i int) schema.Attribute {
			return schema.BoolAttribute{Optional: true, MarkdownDescription: describe(i)}
		}},
		{"list", func(i int) schema.Attribute {
			return schema.ListAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: describe(i)}
		}},
		{"label", func(i int) schema.Attribute {
			return schema.MapAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: describe(i)}
		}},
	}
}

func nestedBlock(of string) schema.NestedBlockObject {
	return schema.NestedBlockObject{Attributes: leaves(of)}
}

func leaves(of string) map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"kind":     schema.StringAttribute{Optional: true, MarkdownDescription: "The kind of the " + of + "."},
		"size":     schema.Int64Attribute{Optional: true, MarkdownDescription: "The size of the " + of + ", in bytes."},
		"disabled": schema.BoolAttribute{Optional: true, MarkdownDescription: "Whether the " + of + " is ignored."},
	}
}
