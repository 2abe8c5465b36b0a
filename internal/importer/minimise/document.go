package minimise

import (
	"context"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tfplan"
)

// canonicalise writes JSON documents the way that jsonencode does, wherever
// the provider takes that for the same document: only such text can be
// written as a jsonencode call, with references inside. Usually all of an
// object's documents pass together, in one try.
func (s *solver) canonicalise(ctx context.Context, config cty.Value) cty.Value {
	places := s.foreignDocuments(config)
	if len(places) == 0 {
		return config
	}
	if out := withDocuments(config, places); s.accepted(ctx, out) {
		return out
	}
	for _, place := range places {
		if out := withDocuments(config, []cty.Path{place}); len(places) > 1 && s.accepted(ctx, out) {
			config = out
		} else {
			s.found.verbatim[schemaPlace(place)] = true
		}
	}
	return config
}

// foreignDocuments lists the strings that hold a JSON document in another
// form than jsonencode's, but for places that are known to need theirs.
func (s *solver) foreignDocuments(config cty.Value) []cty.Path {
	var out []cty.Path
	err := cty.Walk(config, func(path cty.Path, v cty.Value) (bool, error) {
		if text, ok := canonicalText(v); ok && text != v.AsString() && !s.known.verbatim[schemaPlace(path)] {
			out = append(out, path.Copy())
		}
		return true, nil
	})
	if err != nil { // the callback returns none
		return nil
	}
	return out
}

func canonicalText(v cty.Value) (string, bool) {
	if v.Type() != cty.String || v.IsNull() || !v.IsKnown() {
		return "", false
	}
	if text := strings.TrimSpace(v.AsString()); !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
		return "", false
	}
	return tfconfig.CanonicalJSON(v.AsString())
}

// withDocuments returns config with the documents at the places in
// jsonencode's form.
func withDocuments(config cty.Value, places []cty.Path) cty.Value {
	out, err := cty.Transform(config, func(path cty.Path, v cty.Value) (cty.Value, error) {
		for _, place := range places {
			if path.Equals(place) {
				text, _ := canonicalText(v)
				return cty.StringVal(text), nil
			}
		}
		return v, nil
	})
	if err != nil { // the callback returns none
		return config
	}
	return out
}

// accepted reports whether a configuration is valid and plans as a no-op.
func (s *solver) accepted(ctx context.Context, config cty.Value) bool {
	if s.probe.validate(ctx, config) != nil {
		return false
	}
	result, refused := s.probe.update(ctx, config)
	return refused == nil && result.Action == tfplan.NoOp
}
