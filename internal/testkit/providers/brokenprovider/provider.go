package brokenprovider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	providerschema "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// good is the provider before it misbehaves.
type good struct{ schema string }

func (good) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "broken"
}

func (g good) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	if g.schema == "required" || g.schema == "optional" {
		resp.Schema.Attributes = map[string]providerschema.Attribute{
			"endpoint": providerschema.StringAttribute{Required: g.schema == "required", Optional: g.schema == "optional"},
		}
	}
}

func (good) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {}

func (good) DataSources(context.Context) []func() datasource.DataSource { return nil }

func (g good) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{func() resource.Resource {
		return thing{secretName: g.schema == "sensitive" || g.schema == "secret-id", secretID: g.schema == "secret-id"}
	}}
}

// thing is broken_thing: it exists wherever one looks.
type thing struct{ secretName, secretID bool }

type thingModel struct {
	ID     types.String `tfsdk:"id"`
	Name   types.String `tfsdk:"name"`
	Secret types.String `tfsdk:"secret"`
}

func (thing) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = "broken_thing"
}

func (t thing) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"id": schema.StringAttribute{
			Computed: true, Sensitive: t.secretID, PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
		},
		"name":   schema.StringAttribute{Required: true, Sensitive: t.secretName},
		"secret": schema.StringAttribute{Optional: true, Sensitive: true},
	}}
}

func (thing) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var m thingModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &m)...)
	m.ID = m.Name
	resp.Diagnostics.Append(resp.State.Set(ctx, m)...)
}

func (thing) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var m thingModel
	resp.Diagnostics.Append(req.State.Get(ctx, &m)...)
	if m.Name.IsNull() {
		m.Name = types.StringValue("thing " + m.ID.ValueString())
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, m)...)
}

func (thing) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var m thingModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &m)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, m)...)
}

func (thing) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

func (thing) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	resource.ImportStatePassthroughID(ctx, path.Root("id"), req, resp)
}
