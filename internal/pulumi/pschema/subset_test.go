package pschema_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

func TestSubset(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		selection pschema.Selection
		want      string
	}{
		"everything": {want: "[zoo:house/cage:Cage zoo:index/zoo:Zoo] " +
			"[pulumi:providers:zoo/open zoo:house/cage:Cage/clean zoo:index/feed:feed zoo:index/nothing:nothing] " +
			"[zoo:house/animal:Animal zoo:index/food:Food]"},
		"one function": {
			selection: pschema.Selection{Include: []string{"feed"}},
			want:      "[] [pulumi:providers:zoo/open zoo:index/feed:feed] []",
		},
		"a resource, its methods and types": {
			selection: pschema.Selection{Include: []string{"zoo:house/cage:Cage"}},
			want: "[zoo:house/cage:Cage] [pulumi:providers:zoo/open zoo:house/cage:Cage/clean] " +
				"[zoo:house/animal:Animal zoo:index/food:Food]",
		},
		"all but": {
			selection: pschema.Selection{Exclude: []string{"C*", "n?thing"}},
			want:      "[zoo:index/zoo:Zoo] [pulumi:providers:zoo/open zoo:index/feed:feed] []",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pkg := bind(t, zoo, nil)
			subset, diags := pkg.Subset(test.selection)
			if len(diags) > 0 {
				t.Fatal(diags.Err())
			}
			got := fmt.Sprint(subset.ResourceTokens(), subset.FunctionTokens(), subset.TypeTokens())
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("subset (-want +got):\n%s", diff)
			}
			if len(pkg.ResourceTokens()) != 2 || len(pkg.TypeTokens()) != 2 {
				t.Error("the package itself has changed")
			}
		})
	}
}

func TestSubsetRefuses(t *testing.T) {
	t.Parallel()
	_, diags := bind(t, zoo, nil).Subset(pschema.Selection{Include: []string{"feeed", "Cage", "["}, Exclude: []string{"Cage"}})
	var got []string
	for _, d := range diags {
		got = append(got, d.Detail)
	}
	want := []string{
		`Package zoo has no resource and no function "feeed". Did you mean "feed"?`,
		`Package zoo has no resource and no function "[".`,
		`"Cage" is both. Remove one.`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("details (-want +got):\n%s", diff)
	}
}
