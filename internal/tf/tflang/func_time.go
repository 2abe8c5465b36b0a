package tflang

import (
	"errors"
	"time"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

func timeFunctions(h Host) map[string]function.Function {
	clock := func() time.Time {
		if h.Now.IsZero() {
			return time.Now()
		}
		return h.Now
	}
	return map[string]function.Function{
		"plantimestamp": scalarFunc(cty.String, nil, func([]cty.Value) (cty.Value, error) {
			if h.Now.IsZero() {
				return cty.UnknownVal(cty.String), nil
			}
			return cty.StringVal(h.Now.UTC().Format(time.RFC3339)), nil
		}),
		"timestamp": scalarFunc(cty.String, nil, func([]cty.Value) (cty.Value, error) {
			return cty.StringVal(clock().UTC().Format(time.RFC3339)), nil
		}),
		"timecmp": timeCmpFunc(),
	}
}

func timeCmpFunc() function.Function {
	params := []function.Parameter{param("timestamp_a", cty.String), param("timestamp_b", cty.String)}
	return scalarFunc(cty.Number, params, func(args []cty.Value) (cty.Value, error) {
		var at [2]time.Time
		for i, arg := range args {
			var err error
			if at[i], err = time.Parse(time.RFC3339, arg.AsString()); err != nil {
				return cty.NilVal, function.NewArgError(i, errors.New("not a valid RFC3339 timestamp"))
			}
		}
		return cty.NumberIntVal(int64(at[0].Compare(at[1]))), nil
	})
}
