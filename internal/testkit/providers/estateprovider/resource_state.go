package estateprovider

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/formation-iac/formation/internal/testkit/estateapi"
)

// body is what the API is sent for a plan.
func (r *estateResource) body(plan tftypes.Value) (estateapi.Object, error) {
	value, err := toJSON(r.shape, plan)
	if err != nil {
		return nil, err
	}
	body, ok := value.(estateapi.Object)
	if !ok {
		return nil, errors.New("the plan is not an object")
	}
	for _, name := range r.local {
		delete(body, name)
	}
	return body, nil
}

// addWriteOnly sends the write-only attribute on creation and whenever its
// version changes. It is in the configuration alone.
func (r *estateResource) addWriteOnly(body estateapi.Object, config, plan tftypes.Value, prior *tftypes.Value) error {
	if r.writeOnly == nil {
		return nil
	}
	if prior != nil {
		now, err := member(plan, r.writeOnly.version)
		if err != nil {
			return err
		}
		was, err := member(*prior, r.writeOnly.version)
		if err != nil || now.Equal(was) {
			return err
		}
	}
	secret, err := member(config, r.writeOnly.attribute)
	if err != nil || secret.IsNull() {
		return err
	}
	body[r.writeOnly.field], err = as[string](secret)
	return err
}

// answer writes the API's object into a state, together with what only the
// value before (a plan or a state) knows, and the identity.
func (r *estateResource) answer(
	ctx context.Context, obj estateapi.Object, before tftypes.Value,
	state *tfsdk.State, identity *tfsdk.ResourceIdentity, diags *diag.Diagnostics,
) {
	value, err := r.fromAPI(ctx, obj, state.Schema.Type().TerraformType(ctx), before)
	if err != nil {
		diags.AddError("The API's answer does not fit "+r.typeName(), err.Error())
		return
	}
	state.Raw = value
	r.identify(ctx, obj, identity, diags)
}

func (r *estateResource) fromAPI(
	_ context.Context, obj estateapi.Object, t tftypes.Type, before tftypes.Value,
) (tftypes.Value, error) {
	next, err := fromJSON(r.shape, t, obj)
	if err != nil || before.IsNull() {
		return next, err
	}
	if next, err = keepWritten(before, next); err != nil {
		return next, err
	}
	members, err := as[map[string]tftypes.Value](next)
	if err != nil {
		return next, err
	}
	for _, name := range slices.Concat(r.local, r.unread) {
		if members[name], err = member(before, name); err != nil {
			return next, err
		}
	}
	return tftypes.NewValue(t, members), nil
}

func (r *estateResource) identify(
	ctx context.Context, obj estateapi.Object, identity *tfsdk.ResourceIdentity, diags *diag.Diagnostics,
) {
	if identity == nil {
		return
	}
	for _, name := range r.identity {
		text, _ := obj[name].(string)
		diags.Append(identity.SetAttribute(ctx, path.Root(name), text)...)
	}
}

func idIn(ctx context.Context, state tfsdk.State, diags *diag.Diagnostics) string {
	var id types.String
	diags.Append(state.GetAttribute(ctx, path.Root("id"), &id)...)
	return id.ValueString()
}

func member(object tftypes.Value, name string) (tftypes.Value, error) {
	members, err := as[map[string]tftypes.Value](object)
	if err != nil {
		return tftypes.Value{}, err
	}
	value, ok := members[name]
	if !ok {
		return tftypes.Value{}, fmt.Errorf("there is no attribute %q", name)
	}
	return value, nil
}
