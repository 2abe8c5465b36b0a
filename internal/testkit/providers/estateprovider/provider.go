// Package estateprovider is the test provider "estate": plugin framework,
// protocol 6, over the synthetic estate. Between them, its types show every
// feature of the framework that an importer can meet; each type's comment says
// which. It is a test tool and manages nothing real.
package estateprovider

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/formation-iac/formation/internal/testkit/estateapi"
)

// Address is the provider's full source address.
const Address = "registry.opentofu.org/formation-iac/estate"

// Version is what the provider says of itself.
const Version = "1.0.0"

// estateProvider is the provider. crash ends the process; see estateapi.
type estateProvider struct{ crash func(message string) }

var (
	_ provider.ProviderWithListResources      = (*estateProvider)(nil)
	_ provider.ProviderWithFunctions          = (*estateProvider)(nil)
	_ provider.ProviderWithEphemeralResources = (*estateProvider)(nil)
)

// New makes the provider. crash is called when the API asks the process to die;
// nil turns such answers into errors.
func New(crash func(message string)) provider.Provider { return &estateProvider{crash: crash} }

func (p *estateProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName, resp.Version = "estate", Version
}

func (p *estateProvider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = schema.Schema{
		Description: "Manages a synthetic estate, for tests.",
		Attributes: map[string]schema.Attribute{
			"endpoint": schema.StringAttribute{
				Optional: true, Description: "URL of the estate; otherwise ESTATE_ENDPOINT.",
			},
			"token": schema.StringAttribute{
				Optional: true, Sensitive: true, Description: "Bearer token; otherwise ESTATE_TOKEN.",
			},
			"max_retries": schema.Int64Attribute{
				Optional: true, Description: "How often a throttled call is tried again; 4 where not set.",
			},
		},
	}
}

// settings is the provider's configuration.
type settings struct {
	Endpoint   types.String `tfsdk:"endpoint"`
	Token      types.String `tfsdk:"token"`
	MaxRetries types.Int64  `tfsdk:"max_retries"`
}

func (p *estateProvider) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	var s settings
	resp.Diagnostics.Append(req.Config.Get(ctx, &s)...)
	if resp.Diagnostics.HasError() {
		return
	}
	endpoint := orEnvironment(s.Endpoint, "endpoint", "ESTATE_ENDPOINT", &resp.Diagnostics)
	token := orEnvironment(s.Token, "token", "ESTATE_TOKEN", &resp.Diagnostics)
	if s.MaxRetries.IsUnknown() {
		resp.Diagnostics.AddAttributeError(path.Root("max_retries"), "Unknown value", "max_retries must be known.")
	}
	if resp.Diagnostics.HasError() {
		return
	}
	if u, err := url.Parse(endpoint); err != nil || u.Host == "" {
		resp.Diagnostics.AddAttributeError(path.Root("endpoint"), "No estate endpoint",
			fmt.Sprintf("The endpoint %q is not a URL. Set endpoint or ESTATE_ENDPOINT to the URL that estate-server prints.", endpoint))
		return
	}
	client := &estateapi.Client{
		Endpoint: strings.TrimSuffix(endpoint, "/"), Token: token, MaxRetries: 4, Crash: p.crash,
	}
	if !s.MaxRetries.IsNull() {
		client.MaxRetries = int(s.MaxRetries.ValueInt64())
	}
	resp.ResourceData, resp.DataSourceData = client, client
	resp.ListResourceData, resp.EphemeralResourceData = client, client
}

// orEnvironment is a setting, or the environment variable where it is null.
func orEnvironment(value types.String, name, variable string, diags *diag.Diagnostics) string {
	if value.IsUnknown() {
		diags.AddAttributeError(path.Root(name), "Unknown value",
			"The provider's "+name+" must be known when the provider starts.")
	}
	if value.IsNull() {
		return os.Getenv(variable)
	}
	return value.ValueString()
}

// clientFrom takes the client that Configure left. Before it ran there is none.
func clientFrom(data any, diags *diag.Diagnostics) *estateapi.Client {
	if data == nil {
		return nil
	}
	client, ok := data.(*estateapi.Client)
	if !ok {
		diags.AddError("Unexpected provider data", fmt.Sprintf("got %T", data))
	}
	return client
}

func (p *estateProvider) Resources(context.Context) []func() resource.Resource {
	var all []func() resource.Resource
	for _, d := range definitions() {
		all = append(all, newResource(d))
	}
	return all
}

func (p *estateProvider) ListResources(context.Context) []func() list.ListResource {
	var all []func() list.ListResource
	for _, d := range definitions() {
		if d.list != nil {
			all = append(all, newList(d))
		}
	}
	return all
}

func (p *estateProvider) DataSources(context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{newNetworkData, newZonesData}
}

func (p *estateProvider) Functions(context.Context) []func() function.Function {
	return []func() function.Function{newARNParse, newARNBuild}
}

func (p *estateProvider) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{newToken}
}
