package estateprovider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/formation-iac/formation/internal/testkit/estateapi"
)

// token is ephemeral.estate_token: a short-lived token for an audience.
type token struct{ client *estateapi.Client }

var _ ephemeral.EphemeralResourceWithConfigure = (*token)(nil)

func newToken() ephemeral.EphemeralResource { return &token{} }

func (t *token) Metadata(_ context.Context, _ ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = "estate_token"
}

func (t *token) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	resp.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"audience":   schema.StringAttribute{Required: true},
		"token":      schema.StringAttribute{Computed: true, Sensitive: true},
		"expires_at": schema.StringAttribute{Computed: true},
	}}
}

func (t *token) Configure(_ context.Context, req ephemeral.ConfigureRequest, resp *ephemeral.ConfigureResponse) {
	t.client = clientFrom(req.ProviderData, &resp.Diagnostics)
}

type tokenModel struct {
	Audience  types.String `tfsdk:"audience"`
	Token     types.String `tfsdk:"token"`
	ExpiresAt types.String `tfsdk:"expires_at"`
}

func (t *token) Open(ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	var m tokenModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	obj, err := t.client.Create(ctx, "tokens", estateapi.Object{"audience": m.Audience.ValueString()})
	if err != nil {
		resp.Diagnostics.AddError("Cannot issue a token", err.Error())
		return
	}
	m.Token, m.ExpiresAt = textOf(obj, "token"), textOf(obj, "expires_at")
	resp.Diagnostics.Append(resp.Result.Set(ctx, m)...)
}
