package lifecycle

import (
	"context"
	"errors"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/rawstate"
	"github.com/formation-iac/formation/internal/mapping/translate"
	"github.com/formation-iac/formation/internal/tf/tfplan"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// prior brings stored outputs to the provider's current schema. Providers
// upgrade their state whatever its version, as Terraform has them do.
func (s subject) prior(ctx context.Context, stored property.Map) (object, error) {
	raw, meta, diags := rawstate.Recover(s.Object, stored)
	if diags.HasErrors() {
		return s.nothing(), diags.Err()
	}
	if meta.SchemaVersion > s.Schema.Version {
		return s.nothing(), newerState(s.Token, meta.SchemaVersion, s.Schema.Version)
	}
	value, diags := s.terraform.UpgradeResourceState(ctx, tfprovider.UpgradeStateRequest{
		TypeName: s.Terraform, Version: meta.SchemaVersion, Raw: tfprovider.RawState{JSON: raw},
	})
	if err := s.heed(ctx, diags); err != nil {
		return s.nothing(), err
	}
	identity, err := s.priorIdentity(ctx, meta)
	value = tfplan.NormalizeLegacy(s.Schema.Block, value)
	return object{value: value, private: meta.Private, identity: identity}, err
}

// priorIdentity brings a stored identity to the current schema. One of a
// later schema, or of a type that has none any more, is dropped: providers
// give it anew.
func (s subject) priorIdentity(ctx context.Context, meta rawstate.Meta) (cty.Value, error) {
	switch {
	case s.Identity == nil || meta.Identity == nil || meta.IdentityVersion > s.Identity.Version:
		return cty.NilVal, nil
	case meta.IdentityVersion == s.Identity.Version:
		identity, err := ctyx.DecodeJSON(meta.Identity, s.Identity.Type())
		if err != nil {
			return cty.NilVal, unreadableIdentity(s.Token, err)
		}
		return identity, nil
	}
	identity, diags := s.terraform.UpgradeResourceIdentity(ctx, tfprovider.UpgradeIdentityRequest{
		TypeName: s.Terraform, Version: meta.IdentityVersion, JSON: meta.Identity,
	})
	return identity, s.heed(ctx, diags)
}

// store makes the outputs that the engine stores for an object. What is
// secret in one of the sources is secret in them.
func (s subject) store(o object, sources ...property.Map) (property.Map, error) {
	meta := rawstate.Meta{SchemaVersion: s.Schema.Version, Private: o.private}
	if s.Identity != nil && o.identity != cty.NilVal && !o.identity.IsNull() {
		identity, err := ctyx.EncodeJSON(o.identity, s.Identity.Type())
		if err != nil {
			return property.Map{}, unstorable(err)
		}
		meta.Identity, meta.IdentityVersion = identity, s.Identity.Version
	}
	r := s.rendering(o)
	return rawstate.Attach(translate.KeepSecrets(s.Object, r.properties, sources...), r.delta, meta), nil
}

// properties are an object's outputs for a program.
func (s subject) properties(o object, sources ...property.Map) property.Map {
	return translate.KeepSecrets(s.Object, translate.FromTerraform(s.Object, o.value), sources...)
}

// keep makes of an object what the engine stores. failed is why the
// operation went wrong although there is an object, or nil; the object then
// goes with the error.
func (s subject) keep(o object, inputs property.Map, failed error) (id string, outputs property.Map, err error) {
	outputs, err = s.store(o, inputs)
	if err != nil {
		return "", property.Map{}, &UnknownOutcomeError{Err: errors.Join(failed, err)}
	}
	id = s.id(o.value)
	if failed != nil {
		return "", property.Map{}, initFailed(id, outputs, inputs, failed)
	}
	return id, outputs, nil
}

// id is the Pulumi ID of a state.
func (s subject) id(state cty.Value) string {
	if s.ID.Attribute == "" {
		return mapping.MissingID
	}
	text, err := convert.Convert(state.GetAttr(s.ID.Attribute), cty.String)
	if err != nil || text.IsNull() || !text.IsKnown() || text.AsString() == "" {
		return mapping.MissingID
	}
	return text.AsString()
}
