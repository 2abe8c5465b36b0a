package secret_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/importer/secret"
)

func TestCover(t *testing.T) {
	t.Parallel()
	values := []string{"", "pin", "HunterTwo22"}
	for text, covered := range map[string]bool{
		"": false, "open": false, "pin": true, "spinning": false, "HunterTwo22": true, "eu/HunterTwo22": true, "huntertwo22": false,
	} {
		got := secret.Cover(text, values)
		if !covered && got != text {
			t.Errorf("%q became %q", text, got)
		}
		if covered && (!secret.IsDigest(got) || strings.Contains(got, text) || got == secret.Cover(text+"HunterTwo22", values)) {
			t.Errorf("%q became %q", text, got)
		}
	}
	if got := secret.Cover("HunterTwo22", values); got != "sha256:14e8f0c4" {
		t.Errorf("it is %q on this run", got)
	}
}

func TestCoverIdentity(t *testing.T) {
	t.Parallel()
	identity := func(token cty.Value, pin cty.Value) cty.Value {
		return cty.ObjectVal(map[string]cty.Value{
			"region": cty.StringVal("eu"), "token": token, "pin": pin, "none": cty.NullVal(cty.String),
		})
	}
	values := []string{"HunterTwo22", "1234"}
	got := secret.CoverIdentity(identity(cty.StringVal("HunterTwo22"), cty.NumberIntVal(1234)), values)
	want := identity(cty.StringVal(secret.Cover("HunterTwo22", values)), cty.NullVal(cty.Number))
	if d := cmp.Diff(want, got, cmp.Comparer(func(a, b cty.Value) bool { return a.RawEquals(b) })); d != "" {
		t.Error(d)
	}
	if got := secret.CoverIdentity(cty.NilVal, values); got != cty.NilVal {
		t.Errorf("no identity became %#v", got)
	}
}
