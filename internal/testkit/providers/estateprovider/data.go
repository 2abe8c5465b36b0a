package estateprovider

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/formation-iac/formation/internal/testkit/estateapi"
)

// networkData is data.estate_network: a network by its name.
type networkData struct{ client *estateapi.Client }

func newNetworkData() datasource.DataSource { return &networkData{} }

func (d *networkData) Metadata(_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = "estate_network"
}

func (d *networkData) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"name": schema.StringAttribute{Required: true},
		"id":   schema.StringAttribute{Computed: true},
		"arn":  schema.StringAttribute{Computed: true},
		"cidr": schema.StringAttribute{Computed: true},
	}}
}

func (d *networkData) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	d.client = clientFrom(req.ProviderData, &resp.Diagnostics)
}

type networkModel struct {
	Name types.String `tfsdk:"name"`
	ID   types.String `tfsdk:"id"`
	ARN  types.String `tfsdk:"arn"`
	CIDR types.String `tfsdk:"cidr"`
}

func (d *networkData) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m networkModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	for obj, err := range d.client.List(ctx, "networks", map[string]string{"name": m.Name.ValueString()}) {
		if err != nil {
			resp.Diagnostics.AddError("Cannot list networks", err.Error())
			return
		}
		m.ID, m.ARN, m.CIDR = textOf(obj, "id"), textOf(obj, "arn"), textOf(obj, "cidr")
		resp.Diagnostics.Append(resp.State.Set(ctx, m)...)
		return
	}
	resp.Diagnostics.AddError("No such network", fmt.Sprintf("There is no network named %q.", m.Name.ValueString()))
}

func textOf(obj estateapi.Object, name string) types.String {
	text, ok := obj[name].(string)
	if !ok {
		return types.StringNull()
	}
	return types.StringValue(text)
}

// zonesData is data.estate_zones: the zones that subnets are in.
type zonesData struct{ networkData }

func newZonesData() datasource.DataSource { return &zonesData{} }

func (d *zonesData) Metadata(_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = "estate_zones"
}

func (d *zonesData) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"zones": schema.ListAttribute{Computed: true, ElementType: types.StringType},
	}}
}

type zonesModel struct {
	Zones []string `tfsdk:"zones"`
}

func (d *zonesData) Read(ctx context.Context, _ datasource.ReadRequest, resp *datasource.ReadResponse) {
	seen := map[string]bool{}
	for obj, err := range d.client.List(ctx, "subnets", nil) {
		if err != nil {
			resp.Diagnostics.AddError("Cannot list subnets", err.Error())
			return
		}
		seen[textOf(obj, "zone").ValueString()] = true
	}
	zones := slices.AppendSeq([]string{}, maps.Keys(seen))
	slices.Sort(zones)
	resp.Diagnostics.Append(resp.State.Set(ctx, zonesModel{Zones: zones})...)
}
