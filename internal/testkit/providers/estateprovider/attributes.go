package estateprovider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Short constructors keep the resource types readable: each is one common sort
// of attribute.

// attributes is the set that every resource type has, and more.
func attributes(more map[string]schema.Attribute) map[string]schema.Attribute {
	for _, name := range []string{"id", "arn", "created_at"} {
		more[name] = answered("Set by the API.")
	}
	return more
}

// answered is a string that the API alone sets, and keeps.
func answered(description string) schema.StringAttribute {
	return schema.StringAttribute{
		Description: description, Computed: true,
		PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
	}
}

func required() schema.StringAttribute { return schema.StringAttribute{Required: true} }
func optional() schema.StringAttribute { return schema.StringAttribute{Optional: true} }

// fixed is a required string whose change replaces the resource.
func fixed() schema.StringAttribute {
	return schema.StringAttribute{
		Required: true, PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()},
	}
}

// fixedOptional is an optional string whose change replaces the resource.
func fixedOptional() schema.StringAttribute {
	return schema.StringAttribute{
		Optional: true, PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()},
	}
}

// chosen is a string that the API chooses where the user does not, for good.
func chosen() schema.StringAttribute {
	return schema.StringAttribute{
		Optional: true, Computed: true,
		PlanModifiers: []planmodifier.String{
			stringplanmodifier.UseStateForUnknown(),
			stringplanmodifier.RequiresReplaceIfConfigured(),
		},
	}
}

func textOr(value string) schema.StringAttribute {
	return schema.StringAttribute{Optional: true, Computed: true, Default: stringdefault.StaticString(value)}
}

func flagOr(value bool) schema.BoolAttribute {
	return schema.BoolAttribute{Optional: true, Computed: true, Default: booldefault.StaticBool(value)}
}

func numberOr(value int64) schema.Int64Attribute {
	return schema.Int64Attribute{Optional: true, Computed: true, Default: int64default.StaticInt64(value)}
}

func textMap() schema.MapAttribute {
	return schema.MapAttribute{Optional: true, ElementType: types.StringType}
}

func textSet() schema.SetAttribute {
	return schema.SetAttribute{Optional: true, ElementType: types.StringType}
}

func textList() schema.ListAttribute {
	return schema.ListAttribute{Optional: true, ElementType: types.StringType}
}

// policyText marks a string that holds a JSON document.
func policyText(a schema.StringAttribute) schema.StringAttribute {
	a.PlanModifiers = append(a.PlanModifiers, sameDocumentModifier{})
	return a
}

// sameDocumentModifier plans no change between JSON texts of one meaning.
type sameDocumentModifier struct{}

func (sameDocumentModifier) Description(context.Context) string {
	return "JSON documents that differ in form alone are the same."
}

func (m sameDocumentModifier) MarkdownDescription(ctx context.Context) string {
	return m.Description(ctx)
}

func (sameDocumentModifier) PlanModifyString(
	_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse,
) {
	if req.StateValue.IsNull() || req.PlanValue.IsNull() || req.PlanValue.IsUnknown() {
		return
	}
	if sameDocument(req.StateValue.ValueString(), req.PlanValue.ValueString()) {
		resp.PlanValue = req.StateValue
	}
}
