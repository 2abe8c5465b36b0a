package tfprovider

import (
	"context"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/wire"
)

// ImportResourceState implements [Provider].
func (c *client) ImportResourceState(ctx context.Context, r ImportRequest) ([]Imported, diag.List) {
	b := c.newBatch(ctx, "ImportResourceState", r.TypeName)
	req := &wire.ImportResourceStateRequest{
		TypeName: r.TypeName, Id: r.ID,
		ClientCapabilities: capabilities(),
		Identity:           b.encodeIdentity(r.Identity),
	}
	if !b.failed() && r.ID == "" && req.Identity == nil {
		return nil, append(b.diags, nothingToImportBy(c.name, r.TypeName, b.identity))
	}
	resp := &wire.ImportResourceStateResponse{}
	b.call(ctx, func(m wire.Methods) string { return m.ImportResourceState }, true, req, resp)
	b.said(resp.GetDiagnostics())
	if b.failed() {
		return nil, b.diags
	}
	var out []Imported
	for _, r := range resp.GetImportedResources() {
		imported, diags := c.imported(ctx, r)
		b.diags = append(b.diags, diags...)
		imported.Deferred = deferReason(resp.GetDeferred())
		out = append(out, imported)
	}
	if b.failed() {
		return nil, b.diags
	}
	return out, b.diags
}

// imported decodes one resource, whose type need not be the one asked for.
func (c *client) imported(ctx context.Context, r *wire.ImportResourceStateResponse_ImportedResource) (Imported, diag.List) {
	b := c.newBatch(ctx, "ImportResourceState", r.GetTypeName())
	if b.failed() {
		return Imported{}, b.diags
	}
	return Imported{
		TypeName: r.GetTypeName(),
		State:    b.decode(r.GetState()),
		Private:  r.GetPrivate(),
		Identity: b.decodeIdentity(r.GetIdentity()),
	}, b.diags
}

// MoveResourceState implements [Provider].
func (c *client) MoveResourceState(ctx context.Context, r MoveRequest) (MoveResponse, diag.List) {
	b := c.newBatch(ctx, "MoveResourceState", r.TargetTypeName)
	req := &wire.MoveResourceStateRequest{
		SourceProviderAddress:       r.SourceProvider,
		SourceTypeName:              r.SourceTypeName,
		SourceSchemaVersion:         r.SourceSchemaVersion,
		SourceState:                 &wire.RawState{Json: r.SourceState.JSON, Flatmap: r.SourceState.Flatmap},
		TargetTypeName:              r.TargetTypeName,
		SourcePrivate:               r.SourcePrivate,
		SourceIdentity:              &wire.RawState{Json: r.SourceIdentity},
		SourceIdentitySchemaVersion: r.SourceIdentitySchemaVersion,
	}
	resp := &wire.MoveResourceStateResponse{}
	b.call(ctx, func(m wire.Methods) string { return m.MoveResourceState }, true, req, resp)
	b.said(resp.GetDiagnostics())
	if b.failed() {
		return MoveResponse{}, b.diags
	}
	return MoveResponse{
		State:    b.decode(resp.GetTargetState()),
		Private:  resp.GetTargetPrivate(),
		Identity: b.decodeIdentity(resp.GetTargetIdentity()),
	}, b.diags
}
