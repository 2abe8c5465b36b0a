package tflang

import (
	"crypto/rand"
	"io"
	"maps"
	"os"
	"time"

	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	ctyyaml "github.com/zclconf/go-cty-yaml"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// CorePrefix qualifies the names of built-in functions.
const CorePrefix = "core::"

// Host is the world that functions see.
type Host struct {
	// Dir is the root module's directory; relative file names start there.
	Dir string
	// Home is the user's directory, for names that start with "~".
	Home string
	// Now is the time of the plan, for plantimestamp; zero leaves it unknown.
	Now time.Time
	// Proof makes what differs on each call (bcrypt, timestamp, uuid) unknown,
	// as it is in a plan.
	Proof bool
	// Random feeds uuid; nil is the system's source.
	Random io.Reader
}

// NewHost returns the host of a module directory with the user's home.
func NewHost(dir string, now time.Time) Host {
	home, _ := os.UserHomeDir() // absent: "~" names are errors
	return Host{Dir: dir, Home: home, Now: now}
}

// Functions returns the function table of h, each function under its name
// and under `core::` and its name. The caller owns the map; the functions may
// be called concurrently.
func Functions(h Host) map[string]function.Function {
	if h.Random == nil {
		h.Random = rand.Reader
	}
	table := map[string]function.Function{}
	for _, group := range []map[string]function.Function{
		libraryFunctions(), numericFunctions(), stringFunctions(), collectionFunctions(), encodingFunctions(),
		conversionFunctions(), networkFunctions(), digestFunctions(), timeFunctions(h), cryptoFunctions(h), fileFunctions(h),
	} {
		maps.Copy(table, group)
	}
	if h.Proof {
		for _, name := range []string{"bcrypt", "timestamp", "uuid"} {
			table[name] = function.Unpredictable(table[name])
		}
	}
	// Templates see the whole table, themselves and the core:: names included.
	table["templatefile"] = templateFileFunc(h, table, 0)
	table["templatestring"] = templateStringFunc(table)
	for name, f := range maps.Clone(table) {
		table[CorePrefix+name] = f
	}
	return table
}

// libraryFunctions are those that the cty and HCL libraries define with
// exactly the language's meaning.
func libraryFunctions() map[string]function.Function {
	return map[string]function.Function{
		"abs":             stdlib.AbsoluteFunc,
		"can":             tryfunc.CanFunc,
		"ceil":            stdlib.CeilFunc,
		"chomp":           stdlib.ChompFunc,
		"chunklist":       stdlib.ChunklistFunc,
		"coalescelist":    stdlib.CoalesceListFunc,
		"compact":         stdlib.CompactFunc,
		"concat":          stdlib.ConcatFunc,
		"contains":        stdlib.ContainsFunc,
		"csvdecode":       stdlib.CSVDecodeFunc,
		"distinct":        stdlib.DistinctFunc,
		"element":         stdlib.ElementFunc,
		"flatten":         stdlib.FlattenFunc,
		"floor":           stdlib.FloorFunc,
		"format":          stdlib.FormatFunc,
		"formatdate":      stdlib.FormatDateFunc,
		"formatlist":      stdlib.FormatListFunc,
		"indent":          stdlib.IndentFunc,
		"join":            stdlib.JoinFunc,
		"jsondecode":      stdlib.JSONDecodeFunc,
		"jsonencode":      stdlib.JSONEncodeFunc,
		"keys":            stdlib.KeysFunc,
		"log":             stdlib.LogFunc,
		"lower":           stdlib.LowerFunc,
		"max":             stdlib.MaxFunc,
		"merge":           stdlib.MergeFunc,
		"min":             stdlib.MinFunc,
		"parseint":        stdlib.ParseIntFunc,
		"pow":             stdlib.PowFunc,
		"range":           stdlib.RangeFunc,
		"regex":           stdlib.RegexFunc,
		"regexall":        stdlib.RegexAllFunc,
		"reverse":         stdlib.ReverseListFunc,
		"setintersection": stdlib.SetIntersectionFunc,
		"setproduct":      stdlib.SetProductFunc,
		"setsubtract":     stdlib.SetSubtractFunc,
		"setunion":        stdlib.SetUnionFunc,
		"signum":          stdlib.SignumFunc,
		"slice":           stdlib.SliceFunc,
		"sort":            stdlib.SortFunc,
		"split":           stdlib.SplitFunc,
		"strrev":          stdlib.ReverseFunc,
		"substr":          stdlib.SubstrFunc,
		"timeadd":         stdlib.TimeAddFunc,
		"title":           stdlib.TitleFunc,
		"trim":            stdlib.TrimFunc,
		"trimprefix":      stdlib.TrimPrefixFunc,
		"trimspace":       stdlib.TrimSpaceFunc,
		"trimsuffix":      stdlib.TrimSuffixFunc,
		"try":             tryfunc.TryFunc,
		"upper":           stdlib.UpperFunc,
		"values":          stdlib.ValuesFunc,
		"yamldecode":      ctyyaml.YAMLDecodeFunc,
		"yamlencode":      ctyyaml.YAMLEncodeFunc,
		"zipmap":          stdlib.ZipmapFunc,
	}
}

// notNull tells the type system that a result is never null.
func notNull(b *cty.RefinementBuilder) *cty.RefinementBuilder { return b.NotNull() }

// param is a parameter that takes a known, non-null, unmarked value.
func param(name string, ty cty.Type) function.Parameter {
	return function.Parameter{Name: name, Type: ty}
}

// anyParam is a parameter that takes every value as it is.
func anyParam(name string) function.Parameter {
	return function.Parameter{
		Name: name, Type: cty.DynamicPseudoType,
		AllowNull: true, AllowUnknown: true, AllowMarked: true, AllowDynamicType: true,
	}
}

// scalarFunc makes a function with a fixed result type that is never null.
func scalarFunc(result cty.Type, params []function.Parameter, impl func(args []cty.Value) (cty.Value, error)) function.Function {
	return function.New(&function.Spec{
		Params:       params,
		Type:         function.StaticReturnType(result),
		RefineResult: notNull,
		Impl:         func(args []cty.Value, _ cty.Type) (cty.Value, error) { return impl(args) },
	})
}

// textFunc makes a function from one string to another.
func textFunc(name string, impl func(string) (string, error)) function.Function {
	return scalarFunc(cty.String, []function.Parameter{param(name, cty.String)}, func(args []cty.Value) (cty.Value, error) {
		out, err := impl(args[0].AsString())
		if err != nil {
			return cty.UnknownVal(cty.String), function.NewArgError(0, err)
		}
		return cty.StringVal(out), nil
	})
}
