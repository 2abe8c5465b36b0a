package tfstate

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
)

// specExample is the flatmap of the specification's worked example.
var specExample = map[string]string{
	"scalar_key":                                "scalar_value",
	"scalar_array_key.#":                        "2",
	"scalar_array_key.1234":                     "scalar_array_value_1",
	"scalar_array_key.5678":                     "scalar_array_value_2",
	"map_name.%":                                "2",
	"map_name.map_key_1":                        "map_value_1",
	"map_name.map_key_2":                        "map_value_2",
	"expanded_array_key.#":                      "2",
	"expanded_array_key.6666.nested_scalar_key": "nested_scalar_value_1",
	"expanded_array_key.8888.nested_scalar_key": "nested_scalar_value_2",
}

func strs(vals ...string) []cty.Value {
	var out []cty.Value
	for _, v := range vals {
		out = append(out, cty.StringVal(v))
	}
	return out
}

func TestDecodeFlatmapSpecExample(t *testing.T) {
	t.Parallel()
	nested := func(s string) cty.Value {
		return cty.ObjectVal(map[string]cty.Value{"nested_scalar_key": cty.StringVal(s)})
	}
	arrays := strs("scalar_array_value_1", "scalar_array_value_2")
	objects := []cty.Value{nested("nested_scalar_value_1"), nested("nested_scalar_value_2")}
	with := func(array, expanded cty.Value) cty.Value {
		return cty.ObjectVal(map[string]cty.Value{
			"scalar_key": cty.StringVal("scalar_value"), "scalar_array_key": array, "expanded_array_key": expanded,
			"map_name": cty.MapVal(map[string]cty.Value{"map_key_1": cty.StringVal("map_value_1"), "map_key_2": cty.StringVal("map_value_2")}),
		})
	}
	for _, want := range []cty.Value{with(cty.ListVal(arrays), cty.ListVal(objects)), with(cty.SetVal(arrays), cty.SetVal(objects))} {
		got, err := DecodeFlatmap(specExample, want.Type())
		if err != nil || !got.RawEquals(want) {
			t.Errorf("%v\nwant %#v\ngot  %#v", err, want, got)
		}
	}
}

func TestParseFlatmapSpecExample(t *testing.T) {
	t.Parallel()
	scalars := func(kind FlatKind, pairs ...string) FlatValue {
		v := FlatValue{Kind: kind}
		for i := 0; i < len(pairs); i += 2 {
			v.Elements = append(v.Elements, FlatElement{pairs[i], FlatValue{Kind: FlatScalar, Scalar: pairs[i+1]}})
		}
		return v
	}
	want := FlatValue{Kind: FlatObject, Elements: []FlatElement{
		{"expanded_array_key", FlatValue{Kind: FlatList, Elements: []FlatElement{
			{"6666", scalars(FlatObject, "nested_scalar_key", "nested_scalar_value_1")},
			{"8888", scalars(FlatObject, "nested_scalar_key", "nested_scalar_value_2")},
		}}},
		{"map_name", scalars(FlatMap, "map_key_1", "map_value_1", "map_key_2", "map_value_2")},
		{"scalar_array_key", scalars(FlatList, "1234", "scalar_array_value_1", "5678", "scalar_array_value_2")},
		{"scalar_key", FlatValue{Kind: FlatScalar, Scalar: "scalar_value"}},
	}}
	got, err := ParseFlatmap(specExample)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if e := got.Element("map_name").Element("map_key_2"); e == nil || e.Scalar != "map_value_2" || got.Element("none") != nil {
		t.Errorf("Element: %v", e)
	}
}

func TestParseFlatmap(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		in  map[string]string
		err string
	}{
		"dotted map keys":  {map[string]string{"m.%": "2", "m.a.b": "1", "m.c": "2"}, ""},
		"ten elements":     {map[string]string{"l.#": "3", "l.10": "c", "l.2": "b", "l.1": "a"}, ""},
		"unknown count":    {map[string]string{"l.#": unknownMarker}, ""},
		"empty index":      {map[string]string{".a": "x", "b.": "y", "": "z"}, "a value and has others"},
		"wrong count":      {map[string]string{"l.#": "3", "l.0": "a"}, `"l.#" is "3", and there are 1 elements`},
		"huge count":       {map[string]string{"l.#": "999999999999"}, "there are 0 elements"},
		"count no number":  {map[string]string{"m.%": "x"}, `"m.%" is "x"`},
		"list and map":     {map[string]string{"l.#": "0", "l.%": "0"}, "both a list and a map"},
		"value and prefix": {map[string]string{"a": "1", "a.b": "2"}, `"a" is a value and has others below it`},
		"too deep":         {map[string]string{strings.Repeat("a.", 100): "1"}, "nested too deeply"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, err := ParseFlatmap(tt.in)
			if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("error %v, want %q (%+v)", err, tt.err, v)
			}
		})
	}
	v, _ := ParseFlatmap(map[string]string{"l.#": "3", "l.10": "c", "l.2": "b", "l.1": "a"})
	var order []string
	for _, e := range v.Element("l").Elements {
		order = append(order, e.Key)
	}
	if diff := cmp.Diff([]string{"1", "2", "10"}, order); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestDecodeFlatmap(t *testing.T) {
	t.Parallel()
	object := cty.Object(map[string]cty.Type{"x": cty.String, "n": cty.Number})
	elem := func(x string) cty.Value {
		return cty.ObjectVal(map[string]cty.Value{"x": cty.StringVal(x), "n": cty.NullVal(cty.Number)})
	}
	tests := map[string]struct {
		ty   cty.Type // of the attribute a
		in   map[string]string
		want cty.Value
		err  string // path: message
	}{
		"text":             {cty.String, map[string]string{"a": "x"}, cty.StringVal("x"), ""},
		"number":           {cty.Number, map[string]string{"a": "1.50"}, cty.MustParseNumberVal("1.5"), ""},
		"bool":             {cty.Bool, map[string]string{"a": "true"}, cty.True, ""},
		"old bool":         {cty.Bool, map[string]string{"a": "1"}, cty.True, ""},
		"missing":          {cty.String, map[string]string{}, cty.NullVal(cty.String), ""},
		"unknown":          {cty.Number, map[string]string{"a": unknownMarker}, cty.UnknownVal(cty.Number), ""},
		"not a number":     {cty.Number, map[string]string{"a": "x"}, cty.NilVal, "a: a number is required"},
		"object":           {object, map[string]string{"a.x": "1", "a.n": "2"}, cty.ObjectVal(map[string]cty.Value{"x": cty.StringVal("1"), "n": cty.NumberIntVal(2)}), ""},
		"list":             {cty.List(cty.String), map[string]string{"a.#": "2", "a.1": "y", "a.0": "x"}, cty.ListVal(strs("x", "y")), ""},
		"list order":       {cty.List(cty.String), map[string]string{"a.#": "11", "a.0": "0", "a.1": "1", "a.2": "2", "a.3": "3", "a.4": "4", "a.5": "5", "a.6": "6", "a.7": "7", "a.8": "8", "a.9": "9", "a.10": "10"}, cty.ListVal(strs("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10")), ""},
		"list with null":   {cty.List(cty.String), map[string]string{"a.#": "2", "a.1": "y"}, cty.ListVal([]cty.Value{cty.NullVal(cty.String), cty.StringVal("y")}), ""},
		"list empty":       {cty.List(cty.String), map[string]string{"a.#": "0"}, cty.ListValEmpty(cty.String), ""},
		"list null":        {cty.List(cty.String), map[string]string{}, cty.NullVal(cty.List(cty.String)), ""},
		"list unknown":     {cty.List(cty.String), map[string]string{"a.#": unknownMarker}, cty.UnknownVal(cty.List(cty.String)), ""},
		"list no count":    {cty.List(cty.String), map[string]string{"a.0": "x"}, cty.NilVal, `a: there are elements but no count under "#"`},
		"list long":        {cty.List(cty.String), map[string]string{"a.#": "1", "a.0": "x", "a.1": "y"}, cty.NilVal, "a: there are 2 elements and the count is 1"},
		"list beyond":      {cty.List(cty.String), map[string]string{"a.#": "3", "a.0": "x", "a.7": "y"}, cty.NilVal, "a: there are 2 elements and the count is 3"},
		"list huge":        {cty.List(cty.String), map[string]string{"a.#": "999999999"}, cty.NilVal, "a: the count is 999999999 and there are 0 elements only"},
		"list negative":    {cty.List(cty.String), map[string]string{"a.#": "-1"}, cty.NilVal, `a: count "-1" is not a whole number`},
		"list index":       {cty.List(cty.String), map[string]string{"a.#": "1", "a.x": "y"}, cty.NilVal, `a: "x" is not an index`},
		"list of objects":  {cty.List(object), map[string]string{"a.#": "2", "a.0.x": "1", "a.1.x": "2"}, cty.ListVal([]cty.Value{elem("1"), elem("2")}), ""},
		"inside a list":    {cty.List(object), map[string]string{"a.#": "1", "a.0.n": "x"}, cty.NilVal, "a[0].n: a number is required"},
		"set":              {cty.Set(cty.String), map[string]string{"a.#": "2", "a.77": "y", "a.8": "x"}, cty.SetVal(strs("x", "y")), ""},
		"set of objects":   {cty.Set(object), map[string]string{"a.#": "1", "a.77.x": "y"}, cty.SetVal([]cty.Value{elem("y")}), ""},
		"set of sets":      {cty.Set(cty.Set(cty.String)), map[string]string{"a.#": "1", "a.77.#": "1", "a.77.5": "y"}, cty.SetVal([]cty.Value{cty.SetVal(strs("y"))}), ""},
		"set unknown":      {cty.Set(cty.String), map[string]string{"a.#": unknownMarker}, cty.UnknownVal(cty.Set(cty.String)), ""},
		"set empty":        {cty.Set(cty.String), map[string]string{"a.#": "0"}, cty.SetValEmpty(cty.String), ""},
		"set count":        {cty.Set(cty.String), map[string]string{"a.#": "2", "a.1": "x"}, cty.NilVal, "a: there are 1 elements and the count is 2"},
		"set element":      {cty.Set(cty.Number), map[string]string{"a.#": "1", "a.1": "x"}, cty.NilVal, "a[*]: a number is required"},
		"map":              {cty.Map(cty.Number), map[string]string{"a.%": "2", "a.k": "1", "a.l.m": "2"}, cty.MapVal(map[string]cty.Value{"k": cty.NumberIntVal(1), "l.m": cty.NumberIntVal(2)}), ""},
		"map empty":        {cty.Map(cty.String), map[string]string{"a.%": "0"}, cty.MapValEmpty(cty.String), ""},
		"map null":         {cty.Map(cty.String), map[string]string{}, cty.NullVal(cty.Map(cty.String)), ""},
		"map unknown":      {cty.Map(cty.String), map[string]string{"a.%": unknownMarker}, cty.UnknownVal(cty.Map(cty.String)), ""},
		"map count":        {cty.Map(cty.String), map[string]string{"a.%": "2", "a.k": "1"}, cty.NilVal, "a: there are 1 elements and the count is 2"},
		"map element":      {cty.Map(cty.Number), map[string]string{"a.%": "1", "a.k": "x"}, cty.NilVal, `a["k"]: a number is required`},
		"map of lists":     {cty.Map(cty.List(cty.String)), map[string]string{"a.%": "0"}, cty.NilVal, "a: a flatmap cannot hold a value of type map of list of string"},
		"tuple":            {cty.Tuple([]cty.Type{cty.String, cty.Bool}), map[string]string{"a.#": "2", "a.0": "x", "a.1": "false"}, cty.TupleVal([]cty.Value{cty.StringVal("x"), cty.False}), ""},
		"tuple count":      {cty.Tuple([]cty.Type{cty.String}), map[string]string{"a.#": "2"}, cty.NilVal, "a: the count is 2 where 1 elements are required"},
		"dynamic":          {cty.DynamicPseudoType, map[string]string{"a": "x"}, cty.NilVal, "a: a flatmap cannot hold a value of type dynamic"},
		"no place":         {cty.String, map[string]string{"b": "x"}, cty.NilVal, `: flat attribute "b" has no place in the schema`},
		"below a scalar":   {cty.String, map[string]string{"a": "x", "a.b": "y"}, cty.NilVal, `: flat attribute "a.b" has no place in the schema`},
		"a neighbour only": {cty.List(cty.String), map[string]string{"a.#": "0", "ab.#": "1"}, cty.NilVal, `: flat attribute "ab.#" has no place in the schema`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := DecodeFlatmap(tt.in, cty.Object(map[string]cty.Type{"a": tt.ty}))
			if tt.err != "" {
				if err == nil || ctyx.PathString(pathOf(err))+": "+err.Error() != tt.err {
					t.Errorf("error %q on %q, want %q", err, ctyx.PathString(pathOf(err)), tt.err)
				}
				return
			}
			if err != nil || !got.GetAttr("a").RawEquals(tt.want) {
				t.Errorf("%v\nwant %#v\ngot  %#v", err, tt.want, got)
			}
		})
	}
	if v, err := DecodeFlatmap(nil, cty.EmptyObject); err != nil || !v.IsNull() {
		t.Errorf("nil flatmap: %#v, %v", v, err)
	}
	if _, err := DecodeFlatmap(map[string]string{}, cty.String); err == nil {
		t.Error("a string was decoded")
	}
}

func TestEncodeFlatmapRefuses(t *testing.T) {
	t.Parallel()
	object := cty.Object(map[string]cty.Type{"x": cty.String})
	empty := cty.ObjectVal(map[string]cty.Value{"x": cty.NullVal(cty.String)})
	for name, v := range map[string]cty.Value{
		"null object":      cty.NullVal(object),
		"null in a map":    cty.MapVal(map[string]cty.Value{"k": cty.NullVal(cty.String)}),
		"map of lists":     cty.MapValEmpty(cty.List(cty.String)),
		"set of nothing":   cty.SetVal([]cty.Value{empty}),
		"dynamic":          cty.DynamicVal,
		"marker":           cty.StringVal(unknownMarker),
		"key like a count": cty.MapVal(map[string]cty.Value{"%": cty.StringVal("x")}),
		"dotted name":      cty.ObjectVal(map[string]cty.Value{"a.b": cty.StringVal("x")}),
	} {
		if m, err := EncodeFlatmap(cty.ObjectVal(map[string]cty.Value{"a": v})); err == nil {
			t.Errorf("%s: encoded as %v", name, m)
		}
	}
	if m, err := EncodeFlatmap(cty.NullVal(object)); m != nil || err != nil {
		t.Errorf("null: %v, %v", m, err)
	}
}

// drawType draws a type that flatmaps can hold.
func drawType(r *rand.Rand, depth int) cty.Type {
	n := 8
	if depth == 0 {
		n = 4
	}
	switch r.IntN(n) {
	case 0:
		return cty.String
	case 1:
		return cty.Number
	case 2:
		return cty.Bool
	case 3:
		return cty.Map([]cty.Type{cty.String, cty.Number, cty.Bool}[r.IntN(3)])
	case 4:
		return cty.List(drawType(r, depth-1))
	case 5:
		return cty.Set(drawType(r, depth-1))
	default:
		attrs := map[string]cty.Type{}
		for i := range r.IntN(4) {
			attrs[fmt.Sprintf("a%d", i)] = drawType(r, depth-1)
		}
		return cty.Object(attrs)
	}
}

func drawValue(r *rand.Rand, ty cty.Type) cty.Value {
	if !ty.IsObjectType() && r.IntN(6) == 0 {
		if r.IntN(3) == 0 {
			return cty.UnknownVal(ty)
		}
		return cty.NullVal(ty)
	}
	switch {
	case ty == cty.String:
		return cty.StringVal([]string{"", "x", "a.b", "#", "é\n"}[r.IntN(5)])
	case ty == cty.Number:
		return cty.NumberFloatVal(float64(r.IntN(1000)-500) / 8)
	case ty == cty.Bool:
		return cty.BoolVal(r.IntN(2) == 0)
	case ty.IsObjectType():
		vals := map[string]cty.Value{}
		for name, attr := range ty.AttributeTypes() {
			vals[name] = drawValue(r, attr)
		}
		return cty.ObjectVal(vals)
	case ty.IsMapType():
		vals := map[string]cty.Value{}
		for range r.IntN(3) {
			vals[[]string{"k", "a.b", "", "#", "k.0"}[r.IntN(5)]] = drawValue(r, ty.ElementType())
		}
		if len(vals) == 0 {
			return cty.MapValEmpty(ty.ElementType())
		}
		return cty.MapVal(vals)
	}
	var vals []cty.Value
	for range r.IntN(3) {
		vals = append(vals, drawValue(r, ty.ElementType()))
	}
	switch {
	case ty.IsListType() && len(vals) == 0:
		return cty.ListValEmpty(ty.ElementType())
	case ty.IsListType():
		return cty.ListVal(vals)
	case len(vals) == 0:
		return cty.SetValEmpty(ty.ElementType())
	default:
		return cty.SetVal(vals)
	}
}

// What a flatmap can hold comes back from it as it was.
func TestFlatmapRoundTrip(t *testing.T) {
	t.Parallel()
	held := 0
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 1))
		ty := cty.Object(map[string]cty.Type{"a": drawType(r, 3), "b": drawType(r, 2)})
		v := drawValue(r, ty)
		m, err := EncodeFlatmap(v)
		if err != nil {
			continue
		}
		held++
		got, err := DecodeFlatmap(m, ty)
		if err != nil || !got.RawEquals(v) {
			t.Fatalf("seed %d: %v\nflat %v\nwant %#v\ngot  %#v", seed, err, m, v, got)
		}
	}
	if held < 750 {
		t.Errorf("only %d of 1500 values could be held", held)
	}
}

// A count costs nothing until there are elements.
func TestFlatmapCountsDoNotAllocate(t *testing.T) {
	t.Parallel()
	m := map[string]string{"a.#": "2147483647", "b.%": "2147483647"}
	ty := cty.Object(map[string]cty.Type{"a": cty.List(cty.String), "b": cty.Map(cty.String)})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := DecodeFlatmap(m, ty); err == nil {
		t.Error("accepted")
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 64<<20 {
		t.Errorf("allocated %d bytes", grown)
	}
}

// FuzzFlatmap reads arbitrary flatmaps, written one "key=value" a line, with
// and without a type. What is accepted encodes and decodes to itself.
func FuzzFlatmap(f *testing.F) {
	f.Add("a.#=1\na.0=x\nm.%=1\nm.k.l=v\ns.#=1\ns.77.x=1", uint64(1))
	f.Add("a.#=999999999", uint64(2))
	ty := cty.Object(map[string]cty.Type{
		"a": cty.List(cty.String), "m": cty.Map(cty.Number), "x": cty.Bool,
		"s": cty.Set(cty.Object(map[string]cty.Type{"x": cty.String, "l": cty.List(cty.Number)})),
	})
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		m := map[string]string{}
		for line := range strings.Lines(text) {
			key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
			m[key] = value
		}
		before := maps.Clone(m)
		_, _ = ParseFlatmap(m)
		_, _ = DecodeFlatmap(m, cty.Object(map[string]cty.Type{"a": drawType(rand.New(rand.NewPCG(seed, 1)), 3)}))
		v, err := DecodeFlatmap(m, ty)
		if !maps.Equal(before, m) {
			t.Error("the input was changed")
		}
		if err != nil {
			return
		}
		again, err := EncodeFlatmap(v)
		if err != nil {
			return // elements of sets may be empty
		}
		if got, err := DecodeFlatmap(again, ty); err != nil || !got.RawEquals(v) {
			t.Errorf("%v\nfirst  %#v\nsecond %#v", err, v, got)
		}
	})
}
