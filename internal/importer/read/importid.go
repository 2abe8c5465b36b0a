package read

import (
	"context"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/importer/discover"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// ImportID returns an id that imports o, or "". An id that o was found by is
// taken at its word; others are likely ones, and tried.
func ImportID(ctx context.Context, p tfprovider.Provider, o Object) string {
	if o.Found.ID != "" && o.Found.Type == o.Type {
		return o.Found.ID
	}
	r := &reader{provider: p}
	for _, id := range likelyIDs(o) {
		outcome := r.read(ctx, discover.Found{Type: o.Type, ID: id})
		if outcome.Diagnostics.HasErrors() || len(outcome.Objects) != 1 {
			continue
		}
		if outcome.Objects[0].Key() == o.Key() {
			return id
		}
	}
	return ""
}

// likelyIDs lists the id in the state, and an identity of a single part.
func likelyIDs(o Object) []string {
	var out []string
	if o.State.Type().HasAttribute("id") {
		out = appendText(out, o.State.GetAttr("id"))
	}
	if o.Identity != cty.NilVal && len(o.Identity.Type().AttributeTypes()) == 1 {
		for _, part := range o.Identity.AsValueMap() {
			out = appendText(out, part)
		}
	}
	return out
}

func appendText(list []string, v cty.Value) []string {
	if v.Type() != cty.String || v.IsNull() || !v.IsKnown() || v.AsString() == "" {
		return list
	}
	return append(list, v.AsString())
}

// Key tells objects of one provider apart: by type and identity, or else by
// the id in the state, or else by what the object was found by.
func (o Object) Key() string {
	if o.Identity != cty.NilVal {
		return o.Type + "\x00identity\x00" + discover.Found{Type: o.Type, Identity: o.Identity}.Key()
	}
	if ty := o.State.Type(); ty.HasAttribute("id") && ty.AttributeType("id") == cty.String {
		if id := o.State.GetAttr("id"); !id.IsNull() {
			return o.Type + "\x00id\x00" + id.AsString()
		}
	}
	return o.Type + "\x00found\x00" + o.Found.Key()
}
