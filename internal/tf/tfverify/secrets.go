package tfverify

import (
	"encoding/json"
	"strconv"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/tf/tflang"
	"github.com/formation-iac/formation/internal/tf/tfplan"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// What stands for values that are not printed.
const (
	sensitiveText = "(sensitive value)"
	unknownText   = "(known after apply)"
)

// secrets are the sensitive paths of one object: those of the schema, those
// that configuration marks, and those that the state keeps.
type secrets struct {
	block         *tfschema.Block
	schema        []cty.Path
	config, state []cty.Path
}

func newSecrets(block *tfschema.Block, prior *object, marked []cty.Path, values ...cty.Value) *secrets {
	s := &secrets{block: block, config: marked}
	if prior != nil {
		s.state = prior.instance.SensitiveAttributes
	}
	if hasSensitive(block) {
		for _, v := range values {
			s.schema = append(s.schema, sensitivePaths(block, v)...)
		}
	}
	return s
}

// hides reports whether what is at path is, contains, or is part of
// something sensitive.
func (s *secrets) hides(path cty.Path) bool {
	for _, group := range [][]cty.Path{s.schema, s.config, s.state} {
		for _, secret := range group {
			if overlap(secret, path) {
				return true
			}
		}
	}
	return false
}

// overlap reports whether one path is a prefix of the other. Elements of
// sets count as the same: a set is secret as a whole.
func overlap(a, b cty.Path) bool {
	for i := range min(len(a), len(b)) {
		if !sameStep(a[i], b[i]) {
			return false
		}
	}
	return true
}

func sameStep(a, b cty.PathStep) bool {
	x, xIndex := a.(cty.IndexStep)
	y, yIndex := b.(cty.IndexStep)
	if !xIndex || !yIndex {
		return cty.Path{a}.Equals(cty.Path{b})
	}
	if !plainKey(x.Key) || !plainKey(y.Key) {
		return true
	}
	return x.Key.RawEquals(y.Key)
}

func plainKey(key cty.Value) bool {
	return key.IsKnown() && !key.IsNull() && !key.IsMarked() && (key.Type() == cty.String || key.Type() == cty.Number)
}

func (s *secrets) changes(in []tfplan.Change) []Change {
	var out []Change
	for _, c := range in {
		hidden := s.hides(c.Path)
		out = append(out, Change{Path: ctyx.PathString(c.Path), Before: renderValue(c.Before, hidden), After: renderValue(c.After, hidden)})
	}
	return out
}

// mark gives a planned value the marks of schema and configuration.
func (s *secrets) mark(v cty.Value) cty.Value {
	if v == cty.NilVal || (len(s.schema) == 0 && len(s.config) == 0) {
		return v
	}
	var marks []cty.PathValueMarks
	for _, group := range [][]cty.Path{s.schema, s.config} {
		for _, path := range group {
			marks = append(marks, cty.PathValueMarks{Path: path, Marks: cty.NewValueMarks(tflang.Sensitive)})
		}
	}
	return v.MarkWithPaths(marks)
}

// remarked are the paths that are sensitive by configuration or by state and
// not by both. The schema's own are left out: they are sensitive anyway.
func (s *secrets) remarked(v cty.Value, ignored []cty.Path) []cty.Path {
	schema := map[string]bool{}
	for _, path := range s.schema {
		schema[ctyx.PathString(path)] = true
	}
	pick := func(paths []cty.Path) map[string]cty.Path {
		out := map[string]cty.Path{}
		for _, path := range paths {
			name := ctyx.PathString(path)
			if _, err := path.Apply(v); err == nil && !schema[name] && !underAny(path, ignored) {
				out[name] = path
			}
		}
		return out
	}
	now, was := pick(s.config), pick(s.state)
	var out []cty.Path
	for _, name := range sortedKeys(now) {
		if _, both := was[name]; !both {
			out = append(out, now[name])
		}
	}
	for _, name := range sortedKeys(was) {
		if _, both := now[name]; !both {
			out = append(out, was[name])
		}
	}
	return out
}

func underAny(path cty.Path, prefixes []cty.Path) bool {
	for _, prefix := range prefixes {
		if path.HasPrefix(prefix) {
			return true
		}
	}
	return false
}

// renderValue is a value as JSON for a reader.
func renderValue(v cty.Value, hidden bool) json.RawMessage {
	switch {
	case hidden || (v != cty.NilVal && v.ContainsMarked()):
		return json.RawMessage(strconv.Quote(sensitiveText))
	case v == cty.NilVal:
		return json.RawMessage("null")
	}
	v, err := cty.Transform(v, func(_ cty.Path, part cty.Value) (cty.Value, error) {
		if !part.IsKnown() && part.Type() != cty.String && part.Type() != cty.DynamicPseudoType {
			return part, nil
		}
		if !part.IsKnown() {
			return cty.StringVal(unknownText), nil
		}
		return part, nil
	})
	if err != nil || !v.IsWhollyKnown() {
		return json.RawMessage(strconv.Quote(unknownText))
	}
	raw, err := ctyx.EncodeJSON(v, v.Type())
	if err != nil {
		return json.RawMessage(strconv.Quote("(cannot be shown)"))
	}
	return raw
}
