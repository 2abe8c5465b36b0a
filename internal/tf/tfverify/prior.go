package tfverify

import (
	"context"
	"errors"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfstate"
)

var errNotAPath = errors.New("it must be made of attribute names and constant indexes")

// priorObject is what is known of an object before its plan. The zero value
// is that of an object that does not exist.
type priorObject struct {
	value    cty.Value
	private  []byte
	identity cty.Value
	tainted  bool
	gone     bool // the state has it and the provider does not
}

// refresh brings the state's object to the provider's current schema and
// reads it anew.
func (i *instance) refresh(ctx context.Context, o *object) (priorObject, diag.List) {
	if o == nil {
		return priorObject{}, nil
	}
	var diags diag.List
	if was := o.resource.Provider; was != i.provider.address && !tfstate.IsLegacyProvider(was) {
		diags = append(diags, otherProvider(was.String(), i.provider.address.String(), i.res.Range))
	}
	known, more := i.upgrade(ctx, o.instance)
	diags = append(diags, more...)
	if !diags.HasErrors() && known.value.IsNull() {
		return priorObject{gone: true}, diags // the state says so
	}
	if diags.HasErrors() || i.m.v.req.SkipRefresh {
		return known, diags
	}
	meta, more := i.meta(ctx)
	if diags = append(diags, more...); more.HasErrors() {
		return known, diags
	}
	var resp tfprovider.ReadResponse
	more = nil
	stopped := i.m.v.call(ctx, func() {
		resp, more = i.provider.provider.ReadResource(ctx, tfprovider.ReadRequest{
			TypeName: i.res.Addr.Type, State: known.value, Private: known.private, Identity: known.identity, Meta: meta,
		})
	})
	diags = append(append(diags, more...), stopped...)
	if diags.HasErrors() {
		return known, diags
	}
	if resp.Deferred != "" {
		return known, append(diags, deferredPlan(string(resp.Deferred)))
	}
	if resp.State == cty.NilVal || resp.State.IsNull() {
		return priorObject{gone: true}, append(diags, goneObject())
	}
	for _, err := range resp.State.Type().TestConformance(i.schema.Block.ImpliedType()) {
		return known, append(diags, inconsistentRead(err))
	}
	known.value, known.private = resp.State, resp.Private
	if resp.Identity != cty.NilVal {
		known.identity = resp.Identity
	}
	return known, diags
}

func (i *instance) upgrade(ctx context.Context, inst tfstate.Instance) (priorObject, diag.List) {
	out := priorObject{private: inst.Private, tainted: inst.Status == tfstate.StatusTainted}
	if int64(inst.SchemaVersion) > i.schema.Version {
		return out, diag.List{newerState(i.res.Addr.Type, int64(inst.SchemaVersion), i.schema.Version)}
	}
	value, diags := i.upgradeValue(ctx, inst)
	if out.value = value; diags.HasErrors() {
		return out, diags
	}
	identity, more := i.upgradeIdentity(ctx, inst)
	out.identity = identity
	return out, append(diags, more...)
}

// upgradeValue brings an object to the provider's current schema. That is the
// provider's work also at the same version, for all that we know of a state.
func (i *instance) upgradeValue(ctx context.Context, inst tfstate.Instance) (value cty.Value, diags diag.List) {
	if i.m.v.req.Current && inst.Attributes != nil && int64(inst.SchemaVersion) == i.schema.Version {
		return tfstate.InstanceValue(inst, i.schema)
	}
	raw := tfprovider.RawState{JSON: inst.Attributes, Flatmap: inst.Flatmap}
	if raw.JSON == nil && raw.Flatmap == nil {
		raw.JSON = []byte("{}")
	}
	stopped := i.m.v.call(ctx, func() {
		value, diags = i.provider.provider.UpgradeResourceState(ctx, tfprovider.UpgradeStateRequest{
			TypeName: i.res.Addr.Type, Version: int64(inst.SchemaVersion), Raw: raw,
		})
	})
	return value, append(diags, stopped...)
}

// upgradeIdentity asks the provider only where the schema has changed:
// providers refuse to upgrade what is current.
func (i *instance) upgradeIdentity(ctx context.Context, inst tfstate.Instance) (cty.Value, diag.List) {
	id := inst.Identity
	if id == nil || id.JSON == nil {
		return cty.NilVal, nil
	}
	schema, err := i.provider.schema.Identity(i.res.Addr.Type)
	if err != nil {
		return cty.NilVal, diag.List{badState(err)}
	}
	if schema == nil {
		return cty.NilVal, nil
	}
	if int64(id.SchemaVersion) == schema.Version {
		return tfstate.IdentityValue(inst, schema)
	}
	var v cty.Value
	var diags diag.List
	stopped := i.m.v.call(ctx, func() {
		v, diags = i.provider.provider.UpgradeResourceIdentity(ctx, tfprovider.UpgradeIdentityRequest{
			TypeName: i.res.Addr.Type, Version: int64(id.SchemaVersion), JSON: id.JSON,
		})
	})
	return v, append(diags, stopped...)
}
