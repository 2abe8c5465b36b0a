package tfplan

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
)

func TestChanges(t *testing.T) {
	t.Parallel()
	unknown := cty.UnknownVal(cty.String)
	tests := map[string]struct {
		prior, planned cty.Value
		want           []string // path, before, after
	}{
		"equal":           {obj("a", str("x")), obj("a", str("x")), nil},
		"both null":       {cty.NilVal, cty.NullVal(cty.String), nil},
		"create":          {cty.NilVal, obj("a", str("x")), []string{` null -> object`}},
		"destroy":         {obj("a", str("x")), cty.NilVal, []string{` object -> null`}},
		"attributes":      {obj("a", str("x"), "b", str("y"), "c", nullStr), obj("a", str("z"), "b", str("y"), "c", str("w")), []string{"a x -> z", "c null -> w"}},
		"unknown":         {obj("a", str("x")), obj("a", unknown), []string{"a x -> unknown"}},
		"unknown to null": {obj("a", nullStr), obj("a", unknown), []string{"a null -> unknown"}},
		"nested":          {obj("a", list(obj("b", str("x")))), obj("a", list(obj("b", str("y")))), []string{"a[0].b x -> y"}},
		"list":            {obj("a", list(str("x"))), obj("a", list(str("x"), str("y"))), []string{"a[1] null -> y"}},
		"list shrinks":    {obj("a", list(str("x"), str("y"))), obj("a", list(str("x"))), []string{"a[1] y -> null"}},
		"null element":    {obj("a", list(str("x"))), obj("a", list(str("x"), nullStr)), []string{"a[1] null -> null"}},
		"map":             {obj("a", mapOf("k", str("1"), "l", str("2"))), obj("a", mapOf("l", str("3"), "m", str("4"))), []string{`a["k"] 1 -> null`, `a["l"] 2 -> 3`, `a["m"] null -> 4`}},
		"set":             {obj("a", set(str("x"), str("y"))), obj("a", set(str("y"), str("z"))), []string{"a[*] x -> null", "a[*] null -> z"}},
		"set unknown":     {obj("a", set(str("x"))), obj("a", set(str("x"), unknown)), []string{"a[*] null -> unknown"}},
		"list to null":    {obj("a", list(str("x"))), obj("a", cty.NullVal(cty.List(cty.String))), []string{"a list of string -> null"}},
		"null to empty":   {obj("a", cty.NullVal(cty.List(cty.String))), obj("a", cty.ListValEmpty(cty.String)), []string{"a null -> list of string"}},
		"dynamic type":    {obj("a", cty.True), obj("a", str("true")), []string{"a true -> true"}},
		"number and text": {obj("a", cty.NumberIntVal(1)), obj("a", cty.MustParseNumberVal("1.0")), nil},
		"null types":      {obj("a", cty.NullVal(cty.Bool)), obj("a", nullStr), []string{` object -> object`}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, c := range Changes(tt.prior, tt.planned) {
				got = append(got, showPath(c.Path)+" "+show(c.Before)+" -> "+show(c.After))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("wrong changes (-want +got):\n%s", diff)
			}
			if noOp := IsNoOp(tt.prior, tt.planned); noOp != (tt.want == nil) {
				t.Errorf("IsNoOp = %v", noOp)
			}
		})
	}
}

// showPath is ctyx.PathString with string keys of a final set step spelled
// out, since which element changed is what is tested.
func showPath(path cty.Path) string {
	if len(path) == 0 {
		return ""
	}
	last, ok := path[len(path)-1].(cty.IndexStep)
	if ok && path[:len(path)-1].Equals(cty.GetAttrPath("a")) && last.Key.Type() == cty.String {
		if s := ctyx.PathString(path); s != `a["k"]` && s != `a["l"]` && s != `a["m"]` {
			return "a[" + show(last.Key) + "]"
		}
	}
	return ctyx.PathString(path)
}

func show(v cty.Value) string {
	switch {
	case !v.IsKnown():
		return "unknown"
	case v.IsNull():
		return "null"
	case v.Type() == cty.String:
		return v.AsString()
	case v.Type() == cty.Bool:
		if v.True() {
			return "true"
		}
		return "false"
	default:
		return v.Type().FriendlyName()
	}
}
