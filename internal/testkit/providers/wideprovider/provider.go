// Package wideprovider is a Terraform provider with as many resource types as
// one asks for, all of one shape: fifty attributes, and blocks of several
// nestings. It stands for the large providers where cost is measured. Its
// resources exist in their state alone.
package wideprovider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Address is the provider's source address.
const Address = "registry.terraform.io/formation/wide"

// Wide is the provider.
type Wide struct {
	// Types is how many resource types it has: wide_thing_0000 and on.
	Types int
}

// Metadata implements provider.Provider.
func (Wide) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName, resp.Version = "wide", "1.0.0"
}

// Schema implements provider.Provider: there is nothing to configure.
func (Wide) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}

// Configure implements provider.Provider.
func (Wide) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {}

// DataSources implements provider.Provider.
func (Wide) DataSources(context.Context) []func() datasource.DataSource { return nil }

// Resources implements provider.Provider.
func (w Wide) Resources(context.Context) []func() resource.Resource {
	all := make([]func() resource.Resource, w.Types)
	for i := range all {
		all[i] = func() resource.Resource { return thing{number: i} }
	}
	return all
}

// thing is one resource type.
type thing struct{ number int }

func (t thing) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = fmt.Sprintf("wide_thing_%04d", t.number)
}

func (t thing) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = thingSchema(t.number)
}

// Create keeps what was planned, under an ID made of the name.
func (thing) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var name string
	resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root("name"), &name)...)
	resp.State.Raw = req.Plan.Raw
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), "thing/"+name)...)
}

// Read finds what the state says.
func (thing) Read(_ context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	resp.State.Raw = req.State.Raw
}

// Update keeps what was planned.
func (thing) Update(_ context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	resp.State.Raw = req.Plan.Raw
}

// Delete has nothing to delete.
func (thing) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

// ImportState finds everything that it is asked for.
func (thing) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	resource.ImportStatePassthroughID(ctx, path.Root("id"), req, resp)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("name"), types.StringValue(req.ID))...)
}
