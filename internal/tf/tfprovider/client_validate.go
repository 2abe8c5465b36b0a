package tfprovider

import (
	"context"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfschema"
	"github.com/formation-iac/formation/internal/tf/wire"
)

// ValidateProviderConfig implements [Provider]. The prepared configuration
// that protocol 5 returns is ignored, as its own clients do.
func (c *client) ValidateProviderConfig(ctx context.Context, config cty.Value) diag.List {
	value, ty, diags := c.encodeBlock(ctx, tfschema.KindProvider, "", config)
	if diags.HasErrors() {
		return diags
	}
	resp := &wire.ValidateProviderConfigResponse{}
	diags = append(diags, invoke(ctx, c, "ValidateProviderConfig", func(m wire.Methods) string { return m.ValidateProviderConfig }, true,
		&wire.ValidateProviderConfigRequest{Config: value}, resp)...)
	return append(diags, c.said(resp.GetDiagnostics(), ty)...)
}

// ValidateResourceConfig implements [Provider].
func (c *client) ValidateResourceConfig(ctx context.Context, typeName string, config cty.Value) diag.List {
	value, ty, diags := c.encodeBlock(ctx, tfschema.KindResource, typeName, config)
	if diags.HasErrors() {
		return diags
	}
	req := &wire.ValidateTypeRequest{TypeName: typeName, Config: value, ClientCapabilities: capabilities()}
	q := c.recall.question(req)
	if c.recall.isValid(q) {
		return diags
	}
	resp := &wire.Outcome{}
	said := invoke(ctx, c, "ValidateResourceConfig", func(m wire.Methods) string { return m.ValidateResourceConfig }, true, req, resp)
	said = append(said, c.said(resp.GetDiagnostics(), ty)...)
	if len(said) == 0 {
		c.recall.noteValid(q)
	}
	return append(diags, said...)
}

// ValidateDataSourceConfig implements [Provider].
func (c *client) ValidateDataSourceConfig(ctx context.Context, typeName string, config cty.Value) diag.List {
	return c.validateType(ctx, "ValidateDataResourceConfig", tfschema.KindDataSource, typeName, config,
		func(m wire.Methods) string { return m.ValidateDataResourceConfig })
}

// ValidateEphemeralConfig implements [Provider].
func (c *client) ValidateEphemeralConfig(ctx context.Context, typeName string, config cty.Value) diag.List {
	return c.validateType(ctx, "ValidateEphemeralResourceConfig", tfschema.KindEphemeral, typeName, config,
		func(m wire.Methods) string { return m.ValidateEphemeralResourceConfig })
}

func (c *client) validateType(ctx context.Context, rpc string, kind tfschema.Kind, typeName string, config cty.Value, method func(wire.Methods) string) diag.List {
	value, ty, diags := c.encodeBlock(ctx, kind, typeName, config)
	if diags.HasErrors() {
		return diags
	}
	resp := &wire.Outcome{}
	diags = append(diags, invoke(ctx, c, rpc, method, true, &wire.ValidateTypeRequest{TypeName: typeName, Config: value}, resp)...)
	return append(diags, c.said(resp.GetDiagnostics(), ty)...)
}

// ValidateListConfig implements [Provider].
func (c *client) ValidateListConfig(ctx context.Context, typeName string, config cty.Value) diag.List {
	value, ty, diags := c.encodeBlock(ctx, tfschema.KindList, typeName, config)
	if diags.HasErrors() {
		return diags
	}
	resp := &wire.Outcome{}
	diags = append(diags, invoke(ctx, c, "ValidateListResourceConfig", func(m wire.Methods) string { return m.ValidateListResourceConfig }, true,
		&wire.ValidateListResourceConfigRequest{TypeName: typeName, Config: value}, resp)...)
	return append(diags, c.said(resp.GetDiagnostics(), ty)...)
}

// encodeBlock encodes a value under one schema, and returns that one's type.
func (c *client) encodeBlock(ctx context.Context, kind tfschema.Kind, typeName string, v cty.Value) (*wire.DynamicValue, cty.Type, diag.List) {
	ty, diags := c.blockType(ctx, kind, typeName)
	if diags.HasErrors() {
		return nil, cty.NilType, diags
	}
	value, moreDiags := c.encode(strings.TrimSpace(kind.String()+" "+typeName), v, ty)
	return value, ty, append(diags, moreDiags...)
}

// encodeMeta encodes a provider_meta object; an absent one is not sent.
func (c *client) encodeMeta(ctx context.Context, v cty.Value) (*wire.DynamicValue, diag.List) {
	if v == cty.NilVal {
		return nil, nil
	}
	out, _, diags := c.encodeBlock(ctx, tfschema.KindProviderMeta, "", v)
	return out, diags
}
