package minimise

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
)

// settled is the state that a plan proposes where it only fills in what the
// state lacks; paths names what was filled in. Unknown values, which a plan
// for any change brings along for computed attributes, leave the prior value
// to be proven by the next plan. ok is false where the plan changes a value
// that is there.
func settled(prior, planned cty.Value) (out cty.Value, paths []cty.Path, ok bool) {
	s := settler{}
	out, ok = s.fill(prior, planned, nil)
	return out, s.paths, ok && len(s.paths) > 0
}

type settler struct{ paths []cty.Path }

func (s *settler) fill(prior, planned cty.Value, path cty.Path) (cty.Value, bool) {
	switch {
	case !planned.IsKnown():
		return prior, true
	case prior.RawEquals(planned):
		return prior, true
	case planned.IsNull():
		return prior, false
	case prior.IsNull():
		if !planned.IsWhollyKnown() {
			return prior, false
		}
		s.paths = append(s.paths, path)
		return planned, true
	}
	ty := planned.Type()
	switch {
	case ty.IsObjectType() || ty.IsMapType():
		return s.fillKeyed(prior, planned, path)
	case ty.IsListType() || ty.IsTupleType():
		return s.fillListed(prior, planned, path)
	case ty.IsSetType():
		return s.fillSet(prior, planned, path)
	default:
		return prior, false
	}
}

func (s *settler) fillKeyed(prior, planned cty.Value, path cty.Path) (cty.Value, bool) {
	if prior.Type().IsObjectType() != planned.Type().IsObjectType() || prior.LengthInt() != planned.LengthInt() {
		return prior, false
	}
	vals := map[string]cty.Value{}
	for key, now := range planned.Elements() {
		name := key.AsString()
		step := cty.PathStep(cty.IndexStep{Key: key})
		if planned.Type().IsObjectType() {
			step = cty.GetAttrStep{Name: name}
		}
		was, found := follow(cty.Path{step}, prior)
		if !found {
			return prior, false
		}
		filled, ok := s.fill(was, now, extend(path, step))
		if !ok {
			return prior, false
		}
		vals[name] = filled
	}
	return mapLike(prior, vals), true
}

func (s *settler) fillListed(prior, planned cty.Value, path cty.Path) (cty.Value, bool) {
	before, after := prior.AsValueSlice(), planned.AsValueSlice()
	if len(before) != len(after) {
		return prior, false
	}
	vals := make([]cty.Value, len(before))
	for i := range before {
		filled, ok := s.fill(before[i], after[i], extend(path, cty.IndexStep{Key: cty.NumberIntVal(int64(i))}))
		if !ok {
			return prior, false
		}
		vals[i] = filled
	}
	return listLike(prior, vals), true
}

// fillSet pairs each planned element with a prior one that it equals or
// fills in. The pairing is greedy: an element that could fill in two prior
// ones takes the first, and the plan that must follow judges the result.
func (s *settler) fillSet(prior, planned cty.Value, path cty.Path) (cty.Value, bool) {
	before, after := prior.AsValueSlice(), planned.AsValueSlice()
	if len(before) != len(after) {
		return prior, false
	}
	taken := make([]bool, len(before))
	var vals []cty.Value
	for _, now := range after {
		filled, ok := s.fillOne(before, taken, now, path)
		if !ok {
			return prior, false
		}
		vals = append(vals, filled)
	}
	return listLike(prior, vals), true
}

func (s *settler) fillOne(before []cty.Value, taken []bool, now cty.Value, path cty.Path) (cty.Value, bool) {
	for i, was := range before {
		if taken[i] {
			continue
		}
		attempt := settler{}
		filled, ok := attempt.fill(was, now, extend(path, ctyx.SetElement()))
		if ok {
			taken[i] = true
			s.paths = append(s.paths, attempt.paths...)
			return filled, true
		}
	}
	return cty.NilVal, false
}
