package tfverify

import (
	"context"
	"math/big"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tflang"
)

// maxCount bounds count, so that a slip does not fill the memory.
const maxCount = 1 << 20

// expand works out the instances of a block. With reasons it could not.
func (f frame) expand(ctx context.Context, count, forEach, enabled hcl.Expression) (expansion, diag.List) {
	switch {
	case count != nil:
		v, reasons := f.known(ctx, count, cty.Number, "count")
		if len(reasons) > 0 {
			return expansion{}, reasons
		}
		return expandCount(v, count.Range())
	case forEach != nil:
		v, reasons := f.known(ctx, forEach, cty.DynamicPseudoType, "for_each")
		if len(reasons) > 0 {
			return expansion{}, reasons
		}
		return expandForEach(v, forEach.Range())
	case enabled != nil:
		v, reasons := f.known(ctx, enabled, cty.Bool, "enabled")
		if len(reasons) > 0 {
			return expansion{}, reasons
		}
		if v.False() {
			return expansion{mode: disabled}, nil
		}
	}
	return expansion{each: []repetition{{}}}, nil
}

// known evaluates an argument that decides how many there are: it must be
// neither unknown nor sensitive nor null. A count may be sensitive: the clients
// show it all the same.
func (f frame) known(ctx context.Context, expr hcl.Expression, want cty.Type, what string) (cty.Value, diag.List) {
	v, diags := f.eval(ctx, expr, want)
	if diags.HasErrors() {
		return v, diags.Errors()
	}
	if reasons := gapsOf(v); len(reasons) > 0 {
		return v, reasons
	}
	if what == "count" && !tflang.Has(v, tflang.Ephemeral) {
		v, _ = v.Unmark()
	}
	switch {
	case tflang.Has(v, tflang.Ephemeral) || v.HasMark(tflang.Sensitive) || (want != cty.DynamicPseudoType && tflang.Has(v, tflang.Sensitive)):
		return v, diag.List{unsuitableRepetition(what, "it is sensitive or ephemeral, and would show", expr.Range())}
	case v.IsNull():
		return v, diag.List{unsuitableRepetition(what, "it is null", expr.Range())}
	case !v.IsKnown():
		return v, diag.List{unsuitableRepetition(what, "it depends on values that are known only after apply", expr.Range())}
	}
	return v, nil
}

func expandCount(v cty.Value, at hcl.Range) (expansion, diag.List) {
	n, accuracy := v.AsBigFloat().Int64()
	if accuracy != big.Exact || n < 0 || n > maxCount {
		return expansion{}, diag.List{unsuitableRepetition("count", "it must be a whole number from 0 to 1048576", at)}
	}
	out := expansion{mode: counted}
	for i := range n {
		out.each = append(out.each, repetition{key: cty.NumberIntVal(i), value: cty.NilVal})
	}
	return out, nil
}

func expandForEach(v cty.Value, at hcl.Range) (expansion, diag.List) {
	ty := v.Type()
	out := expansion{mode: keyed}
	switch {
	case ty.IsMapType() || ty.IsObjectType():
		for it := v.ElementIterator(); it.Next(); {
			key, value := it.Element()
			out.each = append(out.each, repetition{key: key, value: value})
		}
		return out, nil
	case ty.IsSetType() && v.LengthInt() == 0:
		return out, nil
	case ty.IsSetType() && ty.ElementType() == cty.String:
		for _, elem := range v.AsValueSlice() {
			if elem.IsNull() || !elem.IsKnown() {
				return out, diag.List{unsuitableRepetition("for_each", "the set has elements that are null or not known", at)}
			}
			out.each = append(out.each, repetition{key: elem, value: elem})
		}
		return out, nil
	}
	return out, diag.List{unsuitableRepetition("for_each", "it must be a map, or a set of strings, and is "+ty.FriendlyName(), at)}
}
