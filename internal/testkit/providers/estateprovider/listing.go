package estateprovider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/formation-iac/formation/internal/testkit/estateapi"
)

// estateList lists the objects of one resource type.
type estateList struct{ estateResource }

var _ list.ListResourceWithConfigure = (*estateList)(nil)

func newList(d definition) func() list.ListResource {
	return func() list.ListResource {
		return &estateList{estateResource{definition: d, shape: shapeOf(d.schema)}}
	}
}

func (l *estateList) ListResourceConfigSchema(
	_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse,
) {
	resp.Schema = l.list.schema
}

// Configure takes the client from the provider.
func (l *estateList) Configure(ctx context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	l.estateResource.Configure(ctx, req, resp)
}

// List streams what the API lists, page by page, up to the limit.
func (l *estateList) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	filter, diags := l.filter(ctx, req)
	if diags.HasError() {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	stream.Results = func(push func(list.ListResult) bool) {
		sent := int64(0)
		for obj, err := range l.client.List(ctx, l.kind, filter) {
			if req.Limit > 0 && sent == req.Limit {
				return
			}
			sent++
			if err != nil {
				failed := diag.NewErrorDiagnostic("Cannot list "+l.typeName(), err.Error())
				push(list.ListResult{Diagnostics: diag.Diagnostics{failed}})
				return
			}
			if !push(l.result(ctx, req, obj)) {
				return
			}
		}
	}
}

func (l *estateList) filter(ctx context.Context, req list.ListRequest) (map[string]string, diag.Diagnostics) {
	filter, diags := map[string]string{}, diag.Diagnostics{}
	for _, name := range l.list.filters {
		var value types.String
		diags.Append(req.Config.GetAttribute(ctx, path.Root(name), &value)...)
		if !value.IsNull() {
			filter[name] = value.ValueString()
		}
	}
	return filter, diags
}

func (l *estateList) result(ctx context.Context, req list.ListRequest, obj estateapi.Object) list.ListResult {
	result := req.NewListResult(ctx)
	result.DisplayName = fmt.Sprint(obj["id"])
	if name, ok := obj["name"].(string); ok {
		result.DisplayName = name
	}
	l.identify(ctx, obj, result.Identity, &result.Diagnostics)
	if !req.IncludeResource {
		return result
	}
	t := result.Resource.Schema.Type().TerraformType(ctx)
	value, err := l.fromAPI(ctx, obj, t, tftypes.NewValue(t, nil))
	if err != nil {
		result.Diagnostics.AddError("The API's answer does not fit "+l.typeName(), err.Error())
		return result
	}
	result.Resource.Raw = value
	return result
}
