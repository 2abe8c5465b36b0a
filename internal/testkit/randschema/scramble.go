package randschema

import (
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/asset"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// Scramble puts values where they do not belong: it returns properties like v
// in which some are of another kind, and some are there twice.
func (m *Maker) Scramble(v property.Map) property.Map {
	return m.scramble(property.New(v)).AsMap()
}

func (m *Maker) scramble(v property.Value) property.Value {
	switch {
	case v.IsArray():
		out := v.AsArray().AsSlice()
		for i := range out {
			out[i] = m.misplace(out[i])
		}
		return property.New(property.NewArray(out))
	case v.IsMap():
		out := map[string]property.Value{}
		for key, member := range v.AsMap().AllStable {
			out[key] = m.misplace(member)
		}
		return property.New(property.NewMap(out))
	default:
		return v
	}
}

func (m *Maker) misplace(v property.Value) property.Value {
	strange := misfits()
	switch m.IntN(8) {
	case 0:
		return strange[m.IntN(len(strange))]
	case 1:
		return property.New([]property.Value{v, v})
	default:
		return m.scramble(v)
	}
}

// misfits are values that fit in few places.
func misfits() []property.Value {
	unknown, text := property.New(property.Computed), property.New("x")
	return []property.Value{
		{}, unknown, text, property.New("5"), property.New(5.0), property.New(-1e300), property.New("\xff"), text.WithSecret(true),
		property.New([]property.Value{text}), property.New([]property.Value{unknown, {}}), property.New(property.Map{}),
		property.New(map[string]property.Value{"t0": text}), property.New(&asset.Asset{Text: "x"}),
		property.New(property.ResourceReference{URN: "urn:pulumi:s::p::t::n", ID: unknown}),
	}
}
