package lifecycle_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/archive"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/asset"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/bridge/lifecycle"
)

func TestAutoname(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 250)
	for label, test := range map[string]struct {
		req  lifecycle.CheckRequest
		want string // a pattern; "" where there is to be no name
		fail bool
	}{
		"generated":  {lifecycle.CheckRequest{}, "it-[0-9a-f]{7}", false},
		"seeded":     {lifecycle.CheckRequest{Seed: []byte("s")}, "it-043a718", false},
		"given":      {lifecycle.CheckRequest{News: props(object{"name": p("mine")})}, "mine", false},
		"unknown":    {lifecycle.CheckRequest{News: props(object{"name": unknown()})}, "", false},
		"null":       {lifecycle.CheckRequest{News: props(object{"name": {}})}, "it-[0-9a-f]{7}", false},
		"kept":       {lifecycle.CheckRequest{Olds: props(object{"name": p("it-0000000")})}, "it-0000000", false},
		"proposed":   {lifecycle.CheckRequest{Autonaming: lifecycle.Autonaming{Proposed: "dev-it"}}, "dev-it", false},
		"enforced":   {lifecycle.CheckRequest{Autonaming: lifecycle.Autonaming{Proposed: long + long, Mode: lifecycle.AutonamingEnforce}}, long + long, false},
		"disabled":   {lifecycle.CheckRequest{Autonaming: lifecycle.Autonaming{Mode: lifecycle.AutonamingDisable}}, "", true},
		"not needed": {lifecycle.CheckRequest{News: props(object{"name": p("x")}), Autonaming: lifecycle.Autonaming{Mode: lifecycle.AutonamingDisable}}, "x", false},
		"too long":   {lifecycle.CheckRequest{Resource: lifecycle.Resource{Name: long}}, "", true},
	} {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			w := faked(t, newFake())
			if test.req.Name == "" {
				test.req.Name = "it"
			}
			test.req.Token = thingToken
			test.req.News = test.req.News.Set("zone", p("z"))
			got, err := w.Check(t.Context(), test.req)
			must(t, err)
			if failed := len(got.Failures) == 1 && got.Failures[0].Property == "name"; failed != test.fail {
				t.Errorf("failures: %+v", got.Failures)
			}
			if name := text(got.Inputs.Get("name")); !regexp.MustCompile("^(" + test.want + ")$").MatchString(name) {
				t.Errorf("got %q, want %s", name, test.want)
			}
		})
	}
}

// TestAutonameGivesWay drops a generated name that is in the way, and keeps
// it where something else is wrong.
func TestAutonameGivesWay(t *testing.T) {
	t.Parallel()
	f := newFake()
	f.validated = func(config cty.Value) diag.List {
		var diags diag.List
		if !config.GetAttr("name").IsNull() && !config.GetAttr("name_prefix").IsNull() {
			diags = append(diags, said("name")...)
		}
		if config.GetAttr("zone").AsString() == "bad" {
			diags = append(diags, said("zone")...)
		}
		return diags
	}
	w := faked(t, f)
	check := func(news object) lifecycle.CheckResponse {
		got, err := w.Check(t.Context(), lifecycle.CheckRequest{Resource: resource(thingToken), News: props(news)})
		must(t, err)
		return got
	}
	got := check(object{"zone": p("z"), "namePrefix": p("x")})
	if !got.Inputs.Equals(props(object{"zone": p("z"), "namePrefix": p("x")})) || len(got.Failures) > 0 {
		t.Errorf("got %#v", got)
	}
	got = check(object{"zone": p("bad")})
	if text(got.Inputs.Get("name")) == "" || len(got.Failures) != 1 || got.Failures[0].Property != "zone" {
		t.Errorf("got %#v", got)
	}
	got = check(object{"zone": p("z"), "namePrefix": p("x"), "name": p("mine")})
	refused(t, got.Failures, "name", "No: The provider does not want that.")
}

// TestCheckInputs returns inputs as they came.
func TestCheckInputs(t *testing.T) {
	t.Parallel()
	w := faked(t, newFake())
	news := props(object{
		"name": p("n"), "zone": unknown(), "size": secret("7"), "key": p("k"),
		"disks": p(array{p(object{"gb": unknown(), "__defaults": p(array{})})}),
		"rules": p(array{p(object{"port": p(1.0)})}).WithDependencies(nil), "__defaults": p(array{p("x")}),
	})
	got, err := w.Check(t.Context(), lifecycle.CheckRequest{Resource: resource(thingToken), News: news})
	must(t, err)
	want := props(object{
		"name": p("n"), "zone": unknown(), "size": secret("7"), "key": secret("k"),
		"disks": p(array{p(object{"gb": unknown()})}), "rules": p(array{p(object{"port": p(1.0)})}),
	})
	if !got.Inputs.Equals(want) || len(got.Failures) > 0 {
		t.Errorf("got %#v", got)
	}
}

// TestCheckFailures names the property at fault, unless that is secret: the
// engine prints the value of what is named.
func TestCheckFailures(t *testing.T) {
	t.Parallel()
	f := newFake()
	f.validated = func(config cty.Value) diag.List {
		rules := config.GetAttr("rules")
		if rules.IsNull() {
			return append(said("key"), said()...)
		}
		d := said()
		for it := rules.ElementIterator(); it.Next(); {
			key, _ := it.Element()
			d[0].Path = cty.GetAttrPath("rules").Index(key).GetAttr("port")
		}
		return append(d, diag.Warnf("TP0001", "Careful", "").On(cty.GetAttrPath("disk").IndexInt(1).GetAttr("gb")))
	}
	w := faked(t, f)
	check := func(news object) []lifecycle.Failure {
		news["name"] = p("n")
		got, err := w.Check(t.Context(), lifecycle.CheckRequest{Resource: resource(thingToken), News: props(news)})
		must(t, err)
		return got.Failures
	}
	refused(t, check(object{"zone": p("z"), "key": p("k")}), "", "key: No: ", "", "No: The provider does not")
	refused(t, check(object{"zone": p("z"), "rules": p(array{p(object{"port": p("1")})})}), "rules[0].port", "No: ")
	if d := cmp.Diff("disks[1].gb", path(w.log.warnings)); d != "" {
		t.Errorf("warned about (-want +got):\n%s", d)
	}
	refused(t, check(object{"disks": p(array{p(object{"gb": p(1.0)}), p(object{})})}),
		"disks[1].gb", "Missing required property.", "zone", "Missing required property.")
	refused(t, check(object{"zone": p("z"), "arn": p("x"), "sise": p(1.0), "items": p("x")}),
		"arn", "cannot be set", "items", "Expected an array", "sise", `Did you mean "size"?`)
}

// path is where the first of diagnostics points.
func path(diags diag.List) string {
	if len(diags) == 0 {
		return ""
	}
	where, _, _ := strings.Cut(diags[0].Error(), ":")
	return where
}

// TestCheckFiles answers with the paths of files: the engine elides those of
// assets when it asks for the difference.
func TestCheckFiles(t *testing.T) {
	t.Parallel()
	w := faked(t, newFake())
	check := func(name property.Value) lifecycle.CheckResponse {
		t.Helper()
		checked, err := w.Check(t.Context(), lifecycle.CheckRequest{
			Resource: lifecycle.Resource{Token: thingToken, Name: "it"}, News: props(object{"name": name, "zone": p("z")}),
		})
		must(t, err)
		return checked
	}
	for want, a := range map[string]*asset.Asset{"a/b": {Path: "a/b", Hash: "x"}, "/assets/text": {Text: "text"}} {
		checked := check(property.New(a))
		if got := text(checked.Inputs.Get("name")); got != want {
			t.Errorf("got %q and %+v", got, checked.Failures)
		}
	}
	refused(t, check(property.New(&archive.Archive{Assets: map[string]any{}})).Failures, "name", "cannot be made one: no room.")
}
