package discover

import (
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/gocty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
)

// repetition is one instance of a block with count or for_each, or the one
// of a block with neither. Key is how it shows in a name; vars are the roots
// `each` or `count` for its expressions.
type repetition struct {
	key  string
	vars map[string]cty.Value
}

// maxCount bounds count, which is a number that somebody wrote.
const maxCount = 100_000

// repetitions expands a block. Both expressions may be nil, and only one may
// be set.
func (ev *evaluator) repetitions(count, forEach hcl.Expression) ([]repetition, diag.List) {
	switch {
	case count != nil && forEach != nil:
		return nil, diag.List{countAndForEach(forEach.Range())}
	case count != nil:
		return ev.counted(count)
	case forEach != nil:
		return ev.forEach(forEach)
	}
	return []repetition{{}}, nil
}

func (ev *evaluator) counted(expr hcl.Expression) ([]repetition, diag.List) {
	v, diags := ev.value(expr, nil)
	if diags.HasErrors() {
		return nil, diags
	}
	v = ctyx.Unmark(v)
	var n int
	if v.IsNull() || !v.IsKnown() || gocty.FromCtyValue(v, &n) != nil || n < 0 || n > maxCount {
		return nil, append(diags, badCount(expr.Range()))
	}
	out := make([]repetition, n)
	for i := range out {
		index := cty.ObjectVal(map[string]cty.Value{"index": cty.NumberIntVal(int64(i))})
		out[i] = repetition{key: strconv.Itoa(i), vars: map[string]cty.Value{"count": index}}
	}
	return out, diags
}

// forEach takes a map, an object or a set of strings, in the order of keys.
func (ev *evaluator) forEach(expr hcl.Expression) ([]repetition, diag.List) {
	v, diags := ev.value(expr, nil)
	if diags.HasErrors() {
		return nil, diags
	}
	v = ctyx.Unmark(v)
	ty := v.Type()
	isSet := ty.IsSetType() && (ty.ElementType() == cty.String || v.IsKnown() && !v.IsNull() && v.LengthInt() == 0)
	if v.IsNull() || !v.IsKnown() || !(isSet || ty.IsMapType() || ty.IsObjectType()) {
		return nil, append(diags, badForEach(expr.Range()))
	}
	var out []repetition
	for it := v.ElementIterator(); it.Next(); {
		key, value := it.Element()
		if isSet {
			key = value
		}
		if key.IsNull() || !key.IsKnown() {
			return nil, append(diags, badForEach(expr.Range()))
		}
		each := cty.ObjectVal(map[string]cty.Value{"key": key, "value": value})
		out = append(out, repetition{key: key.AsString(), vars: map[string]cty.Value{"each": each}})
	}
	return out, diags
}
