package importer

import (
	"encoding/json"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/importer/read"
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
	out := openly(r.Object)
	values := s.of(r.Object.Found)
	if len(values) == 0 {
		return out
	}
	covered := r.Object
	covered.Found = cover(covered.Found, values)
	covered.Identity = secret.CoverIdentity(covered.Identity, values)
	for _, trace := range openly(covered).Traces {
		trace.ID = secret.Cover(trace.ID, values)
		out.Traces = append(out.Traces, trace)
	}
	return out
}

// openly is what an object is known by as it is.
func openly(o read.Object) Known {
	found := o.Found
	out := Known{Type: o.Type, Traces: []Trace{{Identity: identityText(o.Identity)}}}
	if found.Type == o.Type {
		out.Traces = append(out.Traces, Trace{ID: found.ID, Identity: identityText(found.Identity)})
	}
	if state := o.State; state.Type().HasAttribute("id") {
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
