// Package rawstate keeps beside a resource's outputs what Terraform needs and
// Pulumi has no properties for, in the form of Pulumi's own bridge, so that
// stacks made with either go on with the other.
//
// Two keys among the outputs hold it. [MetaKey] has the schema version, the
// provider's private bytes and the identity. [DeltaKey] says how the outputs
// become, byte for byte in meaning, the JSON state that the provider wrote:
// its upgrades want to see that, and the schema of that time is gone.
//
// Package translate is what makes outputs; without a delta, it must guess.
package rawstate

import (
	"encoding/json"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/translate"
)

// The keys among a resource's outputs that are no properties.
const (
	MetaKey     = "__meta"
	DeltaKey    = "__pulumi_raw_state_delta"
	DefaultsKey = "__defaults" // which other bridges write into inputs
)

func reserved(key string) bool { return key == MetaKey || key == DeltaKey || key == DefaultsKey }

// Delta says how outputs become state again, of which translate.FromTerraform
// made them; marks of secrecy do not count, and there may be more properties.
// Where something is unknown, as in a preview, it is null.
func Delta(o *mapping.Object, outputs property.Map, state cty.Value) property.Value {
	state, _ = state.Unmark()
	if !state.IsKnown() || state.IsNull() || outputs.HasComputed() {
		return property.Value{}
	}
	return objectDelta(o, outputs, state).encode()
}

// Attach returns outputs with what Terraform needs to have them back.
func Attach(outputs property.Map, delta property.Value, meta Meta) property.Map {
	out := Detach(outputs).AsMap()
	if text := meta.text(); text != "" {
		out[MetaKey] = property.New(text)
	}
	if !delta.IsNull() {
		out[DeltaKey] = delta
	}
	return property.NewMap(out)
}

// Detach returns stored outputs without what Attach put beside them.
func Detach(stored property.Map) property.Map {
	keys := []string{MetaKey, DeltaKey, DefaultsKey}
	attached := func(key string) bool { _, ok := stored.GetOk(key); return ok }
	if !slices.ContainsFunc(keys, attached) {
		return stored
	}
	return stored.Delete(keys...)
}

// Recover returns the JSON state that stored outputs stand for, under the
// schema version of the Meta beside it. Outputs without a delta, which older
// bridges wrote, are translated under the current schema, o.
func Recover(o *mapping.Object, stored property.Map) (json.RawMessage, Meta, diag.List) {
	meta, err := parseMeta(stored.Get(MetaKey))
	if err != nil {
		return nil, Meta{}, diag.List{badMeta(err)}
	}
	encoded, ok := stored.GetOk(DeltaKey)
	if !ok || encoded.IsNull() {
		state, diags := guess(o, stored)
		return state, meta, diags
	}
	d, err := decodeDelta(encoded)
	if err != nil {
		return nil, Meta{}, diag.List{badDelta(err)}
	}
	state, err := recoverJSON(d, stored)
	if err != nil {
		return nil, Meta{}, diag.List{badDelta(err)}
	}
	return state, meta, nil
}

func guess(o *mapping.Object, stored property.Map) (json.RawMessage, diag.List) {
	v, problems := translate.ToState(o, Detach(stored))
	var diags diag.List
	for _, p := range problems {
		diags = append(diags, p.Diagnostic())
	}
	if diags.HasErrors() {
		return nil, diags
	}
	state, err := ctyx.EncodeJSON(v, o.Terraform)
	if err != nil {
		return nil, diag.List{badGuess(err)}
	}
	return state, nil
}
