package importer

import (
	"encoding/json"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/importer/secret"
)

// Known is an object with all that an earlier import can know it by.
type Known struct {
	Type   string
	Traces []Trace
}

// Trace is an id, an identity as a JSON object, or both.
type Trace struct {
	ID       string
	Identity json.RawMessage
}

// known is what r is found by and what it is read as: an earlier import can
// have found it by the one or the other. A state has it as it is, a report
// without secrets.
func (r *resource) known(s secrets) Known {
	out := r.open()
	values := s.of(r.Object.Found)
	if len(values) == 0 {
		return out
	}
	covered := *r
	covered.Object.Found = cover(covered.Object.Found, values)
	covered.Object.Identity = secret.CoverIdentity(covered.Object.Identity, values)
	for _, trace := range covered.open().Traces {
		trace.ID = secret.Cover(trace.ID, values)
		out.Traces = append(out.Traces, trace)
	}
	return out
}

// open is what r is known by as it is.
func (r *resource) open() Known {
	found := r.Object.Found
	out := Known{Type: r.Object.Type, Traces: []Trace{{Identity: identityText(r.Object.Identity)}}}
	if found.Type == r.Object.Type {
		out.Traces = append(out.Traces, Trace{ID: found.ID, Identity: identityText(found.Identity)})
	}
	if state := r.Object.State; state.Type().HasAttribute("id") {
		if id := state.GetAttr("id"); id.Type() == cty.String && !id.IsNull() && id.IsKnown() {
			out.Traces = append(out.Traces, Trace{ID: id.AsString()})
		}
	}
	return out
}

// identityText is an identity as JSON; nil where there is none.
func identityText(identity cty.Value) json.RawMessage {
	if identity == cty.NilVal {
		return nil
	}
	text, err := ctyx.EncodeJSON(identity, identity.Type())
	if err != nil {
		return nil
	}
	return text
}
