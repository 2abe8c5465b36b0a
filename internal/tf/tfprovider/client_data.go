package tfprovider

import (
	"context"

	"github.com/zclconf/go-cty/cty"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfschema"
	"github.com/formation-iac/formation/internal/tf/wire"
)

// ReadDataSource implements [Provider].
func (c *client) ReadDataSource(ctx context.Context, req ReadDataRequest) (ReadResponse, diag.List) {
	const rpc = "ReadDataSource"
	config, ty, diags := c.encodeBlock(ctx, tfschema.KindDataSource, req.TypeName, req.Config)
	meta, moreDiags := c.encodeMeta(ctx, req.Meta)
	if diags = append(diags, moreDiags...); diags.HasErrors() {
		return ReadResponse{}, diags
	}
	resp := &wire.ReadDataSourceResponse{}
	diags = append(diags, invoke(ctx, c, rpc, func(m wire.Methods) string { return m.ReadDataSource }, true, &wire.ReadDataSourceRequest{
		TypeName: req.TypeName, Config: config, ProviderMeta: meta, ClientCapabilities: capabilities(),
	}, resp)...)
	diags = append(diags, c.said(resp.GetDiagnostics(), ty)...)
	if diags.HasErrors() {
		return ReadResponse{}, diags
	}
	state, moreDiags := c.decode(rpc, resp.GetState(), ty)
	return ReadResponse{State: state, Deferred: deferReason(resp.GetDeferred())}, append(diags, moreDiags...)
}

// OpenEphemeral implements [Provider].
func (c *client) OpenEphemeral(ctx context.Context, typeName string, config cty.Value) (EphemeralResponse, diag.List) {
	const rpc = "OpenEphemeralResource"
	value, ty, diags := c.encodeBlock(ctx, tfschema.KindEphemeral, typeName, config)
	if diags.HasErrors() {
		return EphemeralResponse{}, diags
	}
	c.supervisor.hold(1) // what is opened may live in the process
	resp := &wire.OpenEphemeralResourceResponse{}
	diags = append(diags, invoke(ctx, c, rpc, func(m wire.Methods) string { return m.OpenEphemeralResource }, false,
		&wire.OpenEphemeralResourceRequest{TypeName: typeName, Config: value, ClientCapabilities: capabilities()}, resp)...)
	diags = append(diags, c.said(resp.GetDiagnostics(), ty)...)
	if diags.HasErrors() {
		c.supervisor.hold(-1)
		return EphemeralResponse{}, diags
	}
	result, moreDiags := c.decode(rpc, resp.GetResult(), ty)
	out := ephemeralResponse(resp.GetPrivate(), resp.GetRenewAt())
	out.Result, out.Deferred = result, deferReason(resp.GetDeferred())
	return out, append(diags, moreDiags...)
}

// RenewEphemeral implements [Provider].
func (c *client) RenewEphemeral(ctx context.Context, typeName string, private []byte) (EphemeralResponse, diag.List) {
	resp := &wire.RenewEphemeralResourceResponse{}
	diags := invoke(ctx, c, "RenewEphemeralResource", func(m wire.Methods) string { return m.RenewEphemeralResource }, false,
		&wire.RenewEphemeralResourceRequest{TypeName: typeName, Private: private}, resp)
	diags = append(diags, c.said(resp.GetDiagnostics(), cty.DynamicPseudoType)...)
	if diags.HasErrors() {
		return EphemeralResponse{}, diags
	}
	return ephemeralResponse(resp.GetPrivate(), resp.GetRenewAt()), diags
}

func ephemeralResponse(private []byte, renewAt *timestamppb.Timestamp) EphemeralResponse {
	out := EphemeralResponse{Private: private}
	if renewAt != nil {
		out.RenewAt = renewAt.AsTime()
	}
	return out
}

// CloseEphemeral implements [Provider].
func (c *client) CloseEphemeral(ctx context.Context, typeName string, private []byte) diag.List {
	resp := &wire.Outcome{}
	diags := invoke(ctx, c, "CloseEphemeralResource", func(m wire.Methods) string { return m.CloseEphemeralResource }, false,
		&wire.CloseEphemeralResourceRequest{TypeName: typeName, Private: private}, resp)
	diags = append(diags, c.said(resp.GetDiagnostics(), cty.DynamicPseudoType)...)
	if !diags.HasErrors() {
		c.supervisor.hold(-1)
	}
	return diags
}
