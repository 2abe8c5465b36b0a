package lifecycle_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/bridge/lifecycle"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

type detailed map[string]lifecycle.PropertyDiff

func input(kind lifecycle.DiffKind) lifecycle.PropertyDiff {
	return lifecycle.PropertyDiff{Kind: kind, Input: true}
}

func output(kind lifecycle.DiffKind) lifecycle.PropertyDiff {
	return lifecycle.PropertyDiff{Kind: kind}
}

// stored is a thing as the engine stores it.
func stored(t testing.TB, w world, inputs object) state {
	t.Helper()
	inputs["name"], inputs["zone"] = p("n"), p("z")
	return w.create(t, thingToken, inputs)
}

func TestDiff(t *testing.T) {
	t.Parallel()
	rule := func(port float64, note string) property.Value { return p(object{"port": p(port), "note": p(note)}) }
	disk := func(gb float64) property.Value { return p(object{"gb": p(gb)}) }
	for label, test := range map[string]struct {
		olds, news object
		want       detailed
		replaces   []string
	}{
		"nothing":          {object{"items": p(array{p("a")})}, object{"items": p(array{p("a")})}, detailed{}, nil},
		"add":              {object{}, object{"key": p("k")}, detailed{"key": output(add)}, nil},
		"delete":           {object{"key": p("k")}, object{}, detailed{"key": output(remove)}, nil},
		"update":           {object{"key": p("k")}, object{"key": p("l")}, detailed{"key": output(update)}, nil},
		"secret only":      {object{"items": p(array{p("a")})}, object{"items": secret(property.NewArray(array{p("a")}))}, detailed{}, nil},
		"to unknown":       {object{"key": p("k")}, object{"key": unknown()}, detailed{"key": output(update)}, nil},
		"from null":        {object{}, object{"items": p(array{unknown()})}, detailed{"items": output(add)}, nil},
		"items":            {object{"items": p(array{p("a"), p("b")})}, object{"items": p(array{p("a"), p("c"), p("d")})}, detailed{"items[1]": output(update), "items[2]": output(add)}, nil},
		"shorter list":     {object{"items": p(array{p("a"), p("b")})}, object{"items": p(array{p("a")})}, detailed{"items[1]": output(remove)}, nil},
		"default again":    {object{"size": p(5.0)}, object{}, detailed{}, nil},
		"blocks":           {object{"disks": p(array{disk(1)})}, object{"disks": p(array{disk(2), disk(3)})}, detailed{"disks[0].gb": output(update), "disks[1]": output(add)}, nil},
		"no blocks":        {object{"disks": p(array{disk(1)})}, object{}, detailed{"disks[0]": output(remove)}, nil},
		"set, other order": {object{"rules": p(array{rule(1, "a"), rule(2, "b")})}, object{"rules": p(array{rule(2, "b"), rule(1, "a")})}, detailed{}, nil},
		"set element":      {object{"rules": p(array{rule(1, "a"), rule(2, "b")})}, object{"rules": p(array{rule(2, "b"), rule(3, "c")})}, detailed{"rules[0]": output(remove), "rules[1]": output(add)}, nil},
		"set same place":   {object{"rules": p(array{rule(1, "a"), rule(2, "b")})}, object{"rules": p(array{rule(1, "x"), rule(2, "b")})}, detailed{"rules[0]": output(update)}, nil},
		"set unknown":      {object{"rules": p(array{rule(1, "a")})}, object{"rules": p(array{rule(1, "a"), p(object{"port": unknown()})})}, detailed{"rules[1]": output(add)}, nil},
		"whole set":        {object{"rules": p(array{rule(1, "a")})}, object{"rules": unknown()}, detailed{"rules": output(update)}, nil},
		"dynamic":          {object{"any": p(object{"a": p(array{p(1.0)}), "b": p("x")})}, object{"any": p(object{"a": p(array{p(2.0)}), "b": p("x")})}, detailed{"any.a[0]": output(update)}, nil},
		"odd key":          {object{"any": p(object{})}, object{"any": p(object{"a b": p("x")})}, detailed{`any["a b"]`: output(add)}, nil},
		"replace":          {object{"key": p("k")}, object{"zone": p("y"), "key": p("l")}, detailed{"zone": output(replace), "key": output(update)}, []string{"zone"}},
		"unknown replace":  {object{}, object{"zone": unknown()}, detailed{"zone": output(replace)}, []string{"zone"}},
		"number or text":   {object{"size": p(5.0)}, object{"size": p("5")}, detailed{}, nil},
	} {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			w := faked(t, newFake())
			s := stored(t, w, test.olds)
			for name, v := range map[string]property.Value{"name": p("n"), "zone": p("z")} {
				if _, set := test.news[name]; !set {
					test.news[name] = v
				}
			}
			_, diff := w.diff(t, s, test.news)
			if d := cmp.Diff(map[string]lifecycle.PropertyDiff(test.want), diff.Detailed); d != "" && (len(test.want) > 0 || len(diff.Detailed) > 0) {
				t.Errorf("(-want +got):\n%s", d)
			}
			if d := cmp.Diff(test.replaces, diff.Replaces); d != "" {
				t.Errorf("replaces (-want +got):\n%s", d)
			}
			coherent(t, diff)
		})
	}
}

// coherent checks what the engine relies on: properties and paths agree.
func coherent(t testing.TB, diff lifecycle.DiffResponse) {
	t.Helper()
	tops, replaces := map[string]bool{}, map[string]bool{}
	for path, d := range diff.Detailed {
		top := path
		if end := strings.IndexAny(path, ".["); end > 0 {
			top = path[:end]
		}
		tops[top] = true
		if d.Kind%2 == 1 {
			replaces[top] = true
		}
	}
	for _, top := range diff.Changed {
		if !tops[top] {
			t.Errorf("%s has no path among %v", top, diff.Detailed)
		}
	}
	if len(tops) != len(diff.Changed) || len(replaces) != len(diff.Replaces) || !slices.IsSorted(diff.Changed) {
		t.Errorf("%v and %v do not fit %v", diff.Changed, diff.Replaces, diff.Detailed)
	}
}

// TestDiffOfProvider shows what only the provider changes, and nothing of it
// beside what the program changes.
func TestDiffOfProvider(t *testing.T) {
	t.Parallel()
	for label, test := range map[string]struct {
		planned  func(map[string]cty.Value, *tfprovider.PlanResponse)
		want     detailed
		replaces []string
	}{
		"computed": {func(v map[string]cty.Value, _ *tfprovider.PlanResponse) { v["arn"] = cty.UnknownVal(cty.String) }, detailed{"arn": output(update)}, nil},
		"default":  {func(v map[string]cty.Value, _ *tfprovider.PlanResponse) { v["size"] = cty.NumberIntVal(9) }, detailed{"size": output(update)}, nil},
		"default and computed": {func(v map[string]cty.Value, _ *tfprovider.PlanResponse) {
			v["size"], v["arn"] = cty.NumberIntVal(9), cty.UnknownVal(cty.String)
		}, detailed{"size": output(update)}, nil},
		"computed that replaces": {func(v map[string]cty.Value, r *tfprovider.PlanResponse) {
			v["arn"], v["size"] = cty.UnknownVal(cty.String), cty.NumberIntVal(9)
			r.RequiresReplace = []cty.Path{cty.GetAttrPath("arn")}
		}, detailed{"arn": output(replace), "size": output(update)}, []string{"arn"}},
	} {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			f := newFake()
			w := faked(t, f)
			s := stored(t, w, object{})
			f.planned = func(_ tfprovider.PlanRequest, resp *tfprovider.PlanResponse) diag.List {
				vals := resp.Planned.AsValueMap()
				test.planned(vals, resp)
				resp.Planned = cty.ObjectVal(vals)
				return nil
			}
			_, diff := w.diff(t, s, object{"name": p("n"), "zone": p("z")})
			if d := cmp.Diff(map[string]lifecycle.PropertyDiff(test.want), diff.Detailed); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if d := cmp.Diff(test.replaces, diff.Replaces); d != "" {
				t.Errorf("replaces (-want +got):\n%s", d)
			}
			coherent(t, diff)
		})
	}
}

// TestRemovedInput is a deletion to the inputs where a default takes over.
func TestRemovedInput(t *testing.T) {
	t.Parallel()
	f := newFake()
	f.planned = func(req tfprovider.PlanRequest, resp *tfprovider.PlanResponse) diag.List {
		if vals := resp.Planned.AsValueMap(); req.Config.GetAttr("size").IsNull() {
			vals["size"] = cty.NumberIntVal(1)
			resp.Planned = cty.ObjectVal(vals)
		}
		return nil
	}
	w := faked(t, f)
	s := stored(t, w, object{"size": p(5.0)})
	_, diff := w.diff(t, s, object{"name": p("n"), "zone": p("z")})
	if d := cmp.Diff(map[string]lifecycle.PropertyDiff{"size": input(remove)}, diff.Detailed); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestUpgrade upgrades stored state, whatever its version up to the present.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	f := newFake()
	w := faked(t, f)
	s := stored(t, w, object{"items": p(array{p("a")})})
	f.upgraded = func(req tfprovider.UpgradeStateRequest, v cty.Value) (cty.Value, diag.List) {
		if req.Version != 2 {
			t.Errorf("version %d", req.Version)
		}
		vals := v.AsValueMap()
		vals["items"] = cty.ListVal([]cty.Value{cty.StringVal("b")})
		return cty.ObjectVal(vals), nil
	}
	if _, diff := w.diff(t, s, object{"name": p("n"), "zone": p("z"), "items": p(array{p("b")})}); len(diff.Detailed) > 0 {
		t.Errorf("an upgrade differs: %v", diff)
	}
	f.schema.Version = 1
	for what, err := range map[string]error{
		"diff": func() error {
			_, err := w.Diff(t.Context(), lifecycle.DiffRequest{Resource: s.Resource, Olds: s.outputs, News: s.inputs})
			return err
		}(),
		"delete": w.Delete(t.Context(), lifecycle.DeleteRequest{Resource: s.Resource, Outputs: s.outputs}),
		"read": func() error {
			_, err := w.Read(t.Context(), lifecycle.ReadRequest{Resource: s.Resource, Outputs: s.outputs, Inputs: s.inputs})
			return err
		}(),
	} {
		if code(err) != "LC0003" {
			t.Errorf("%s of a newer state: %v", what, err)
		}
	}
}
