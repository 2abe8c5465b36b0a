package tflang

import (
	"regexp"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

func stringFunctions() map[string]function.Function {
	return map[string]function.Function{
		"startswith":  startsWithFunc(),
		"endswith":    textTest("suffix", strings.HasSuffix),
		"strcontains": textTest("substr", strings.Contains),
		"replace":     replaceFunc(),
	}
}

func textTest(second string, test func(s, part string) bool) function.Function {
	params := []function.Parameter{param("str", cty.String), param(second, cty.String)}
	return scalarFunc(cty.Bool, params, func(args []cty.Value) (cty.Value, error) {
		return cty.BoolVal(test(args[0].AsString(), args[1].AsString())), nil
	})
}

// startsWithFunc also answers for an unknown string whose first characters
// are known, as those of many computed identifiers are.
func startsWithFunc() function.Function {
	str := param("str", cty.String)
	str.AllowUnknown = true
	return scalarFunc(cty.Bool, []function.Parameter{str, param("prefix", cty.String)}, func(args []cty.Value) (cty.Value, error) {
		prefix := args[1].AsString()
		if args[0].IsKnown() {
			return cty.BoolVal(strings.HasPrefix(args[0].AsString(), prefix)), nil
		}
		known := args[0].Range().StringPrefix()
		switch {
		case strings.HasPrefix(known, prefix):
			return cty.True, nil
		case !strings.HasPrefix(prefix, known):
			return cty.False, nil
		}
		return cty.UnknownVal(cty.Bool), nil
	})
}

// replaceFunc replaces a literal, or a regular expression between slashes.
func replaceFunc() function.Function {
	params := []function.Parameter{param("str", cty.String), param("substr", cty.String), param("replace", cty.String)}
	return scalarFunc(cty.String, params, func(args []cty.Value) (cty.Value, error) {
		str, old, replacement := args[0].AsString(), args[1].AsString(), args[2].AsString()
		if len(old) < 2 || old[0] != '/' || old[len(old)-1] != '/' {
			return cty.StringVal(strings.ReplaceAll(str, old, replacement)), nil
		}
		pattern, err := regexp.Compile(old[1 : len(old)-1])
		if err != nil {
			return cty.UnknownVal(cty.String), function.NewArgError(1, err)
		}
		return cty.StringVal(pattern.ReplaceAllString(str, replacement)), nil
	})
}
