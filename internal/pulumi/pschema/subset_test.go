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
		"tokens as programs write them": {
			selection: pschema.Selection{Include: []string{"zoo:house:Cage", "zoo:index:feed"}},
			want: "[zoo:house/cage:Cage] [pulumi:providers:zoo/open zoo:house/cage:Cage/clean zoo:index/feed:feed] " +
				"[zoo:house/animal:Animal zoo:index/food:Food]",
		},
		"a module": {
			selection: pschema.Selection{Include: []string{"zoo:index:*"}, Exclude: []string{"[e-g]eed"}},
			want:      "[zoo:index/zoo:Zoo] [pulumi:providers:zoo/open zoo:index/nothing:nothing] []",
		},
		"slashes are characters": {
			selection: pschema.Selection{Include: []string{"zoo:*:feed"}},
			want:      "[] [pulumi:providers:zoo/open zoo:index/feed:feed] []",
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
	for name, test := range map[string]struct {
		selection pschema.Selection
		want      []string
	}{
		"names that are not there": {
			pschema.Selection{Include: []string{"feeed", "Cage", "zoo:house:Cagee"}, Exclude: []string{"Food", "clean"}},
			[]string{
				`PS0060: Package zoo has no resource and no function "feeed". Did you mean "feed"?`,
				`PS0060: Package zoo has no resource and no function "zoo:house:Cagee". Did you mean "zoo:house:Cage"?`,
				`PS0060: Package zoo has no resource and no function "Food". It is a type: types come along with what uses them.`,
				`PS0060: Package zoo has no resource and no function "clean".`,
			},
		},
		"a pattern that is none": {
			pschema.Selection{Include: []string{"["}},
			[]string{`PS0062: "[" has a [ that no ] ends, or nothing between them. Write a name, with * for any characters.`},
		},
		"the same twice": {
			pschema.Selection{Include: []string{"Cage", "feed"}, Exclude: []string{"C*", "Zoo"}},
			[]string{`PS0061: "Cage" is included, and all of it is excluded: C*, Zoo. Remove one of the two.`},
		},
		"everything": {
			pschema.Selection{Exclude: []string{"*"}},
			[]string{"PS0063: Every resource and function of package zoo is excluded."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			subset, diags := bind(t, zoo, nil).Subset(test.selection)
			var got []string
			for _, d := range diags {
				got = append(got, d.Code+": "+d.Detail)
			}
			if diff := cmp.Diff(test.want, got); diff != "" || subset != nil {
				t.Errorf("details (-want +got):\n%s", diff)
			}
		})
	}
}

// linked is a package whose members refer to each other and to the provider,
// which refers to itself, and one of which has mistakes.
const linked = `{
  "name": "p", "provider": {"inputProperties": {"parent": {"$ref": "#/provider"}}},
  "resources": {
    "p:m:A": {"inputProperties": {"b": {"$ref": "#/resources/p:m:B"}, "p": {"$ref": "#/provider"}}},
    "p:m:B": {"inputProperties": {"a": {"$ref": "#/resources/p:m:A"}}},
    "p:m:Bad": {"inputProperties": {"x": {"$ref": "#/types/p:m:Gone"}}}
  },
  "functions": {"p:m:bad": {"inputs": {"properties": {"x": {"$ref": "#/types/p:m:Gone"}}}}}
}`

// TestSubsetOfMistakes selects what is well of a package that is not.
func TestSubsetOfMistakes(t *testing.T) {
	t.Parallel()
	pkg, _ := pschema.Open(t.Context(), []byte(linked), pschema.Options{})
	subset, diags := pkg.Subset(pschema.Selection{Exclude: []string{"[Bb]ad", "B"}})
	if diags.HasErrors() || len(diags) != 1 || diags[0].Detail != "Something that is selected refers to p:m:B." {
		t.Fatalf("diagnostics: %v", diags)
	}
	if got := fmt.Sprint(subset.ResourceTokens()); got != "[p:m:A p:m:B]" {
		t.Errorf("it has %s", got)
	}
	if diags := subset.BindAll(t.Context()); len(diags) > 0 {
		t.Error(diags.Err())
	}
}

// TestSubsetText reads a subset's text as a schema.
func TestSubsetText(t *testing.T) {
	t.Parallel()
	pkg := bind(t, zoo, nil)
	subset, _ := pkg.Subset(pschema.Selection{Include: []string{"Cage"}})
	for _, one := range []*pschema.Package{pkg, subset} {
		again := bind(t, string(one.Text()), nil)
		if diff := cmp.Diff(shape(one), shape(again)); diff != "" {
			t.Errorf("after writing and reading:\n%s", diff)
		}
	}
}

func shape(pkg *pschema.Package) []string {
	shape := []string{pkg.Name(), pkg.Version(), properties(pkg.Config()), properties(pkg.Provider().Inputs), fmt.Sprint(pkg.FunctionTokens(), pkg.TypeTokens())}
	for _, resource := range pkg.Resources() {
		shape = append(shape, resource.Token, pkg.Module(resource.Token), properties(resource.Inputs), properties(resource.Outputs))
	}
	return shape
}
