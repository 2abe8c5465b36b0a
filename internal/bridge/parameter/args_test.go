package parameter_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/bridge/parameter"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

const workDir = "/home/me/project"

func opentofu(namespace, typ string) tfaddr.Provider {
	return tfaddr.Provider{Host: "registry.opentofu.org", Namespace: namespace, Type: typ}
}

func TestParseArgs(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]parameter.Parameter{
		"random":                             {Provider: opentofu("hashicorp", "random")},
		"Azure/alz":                          {Provider: opentofu("azure", "alz")},
		"example.com:8443/a/b":               {Provider: tfaddr.Provider{Host: "example.com:8443", Namespace: "a", Type: "b"}},
		"random|3.6.0":                       {Provider: opentofu("hashicorp", "random"), Version: "3.6.0"},
		"random|v3.6.0":                      {Provider: opentofu("hashicorp", "random"), Version: "3.6.0"},
		"random|~> 3.6, != 3.7":              {Provider: opentofu("hashicorp", "random"), Version: "~> 3.6, != 3.7"},
		"./terraform-provider-x":             {Path: "/home/me/project/terraform-provider-x"},
		"terraform-provider-x":               {Path: "/home/me/project/terraform-provider-x"},
		"a/../b/terraform-provider-x_v1.2.3": {Path: "/home/me/project/b/terraform-provider-x_v1.2.3"},
		"/opt/terraform-provider-x":          {Path: "/opt/terraform-provider-x"},
		"--include=a,b|random|--include|c,, a ": {
			Provider: opentofu("hashicorp", "random"), Includes: []string{"a", "b", "c"},
		},
		"random|--exclude|a|--provider-name|other|1.0.0": {
			Provider: opentofu("hashicorp", "random"), Version: "1.0.0", Excludes: []string{"a"}, ProviderName: "other",
		},
		"random|--fullDocs":        {Provider: opentofu("hashicorp", "random"), Docs: parameter.Docs{Wanted: true}},
		"--full-docs|random|3.6.0": {Provider: opentofu("hashicorp", "random"), Version: "3.6.0", Docs: parameter.Docs{Wanted: true}},
		"random|--fullDocs=false":  {Provider: opentofu("hashicorp", "random")},
		"./terraform-provider-x|--upstreamRepoPath|../x": {
			Path: workDir + "/terraform-provider-x", Docs: parameter.Docs{Wanted: true, Dir: filepath.Dir(workDir) + "/x"},
		},
		"random|--upstream-repo-path=/src/x":         {Provider: opentofu("hashicorp", "random"), Docs: parameter.Docs{Wanted: true, Dir: "/src/x"}},
		"--provider-name=other|--include=|--|random": {Provider: opentofu("hashicorp", "random"), ProviderName: "other"},
	} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			got, err := parameter.ParseArgs(strings.Split(args, "|"), workDir)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRefusedArgs(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"":                             "No Terraform provider is named",
		"--include a":                  "No Terraform provider is named",
		"--help":                       "Arguments of the bridge: Name a provider",
		"time -h":                      "FORMATION_OFFLINE=true",
		"random --upstreamRepoPath":    "flag needs an argument: --upstreamRepoPath",
		"random --fullDocs=maybe":      "invalid argument",
		"random --fast":                "unknown flag: --fast",
		"random --include":             "flag needs an argument: --include",
		"random >= 1.0":                `here come 2 arguments: [">=" "1.0"]`,
		"a/b/c/d":                      "has 4 parts",
		"a//b":                         "No provider's address: a//b",
		"./my-provider":                "./my-provider cannot be a Terraform provider",
		"../terraform-provider-":       "cannot be a Terraform provider",
		"/opt/time":                    "The file of a provider is named terraform-provider-NAME",
		"~/time":                       "cannot be a Terraform provider",
		`C:\time`:                      "cannot be a Terraform provider",
		"./terraform-provider-x 1.0":   "A version for a local provider",
		"x --include a,b --exclude b":  "Both included and excluded: b",
		"x --provider-name 1st":        "No name for a package: 1st",
		"x --provider-name a/b":        "No name for a package: a/b",
		`x --include "a`:               `invalid argument`,
		"terraform-provider-a/b/c/d/e": "has 5 parts",
		"x --include a\xff":            `Not a name: "a\xff"`,
		"./\xff/terraform-provider-x":  "Not a name",
	} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			_, err := parameter.ParseArgs(strings.Fields(args), workDir)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestPackageName(t *testing.T) {
	t.Parallel()
	if name, err := (parameter.Parameter{}).PackageName("time"); err != nil || name != "time" {
		t.Errorf("got %q, %v", name, err)
	}
	if name, err := (parameter.Parameter{ProviderName: "clock"}).PackageName("1time"); err != nil || name != "clock" {
		t.Errorf("got %q, %v", name, err)
	}
	for _, name := range []string{"1time", "pulumi"} {
		if _, err := (parameter.Parameter{}).PackageName(name); err == nil || !strings.Contains(err.Error(), "--provider-name") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// FuzzParseArgs reads arbitrary arguments. What is accepted names one thing,
// and where its version is exact an SDK can hold it.
func FuzzParseArgs(f *testing.F) {
	f.Add("random\x003.6.0\x00--include=a,b")
	f.Add("./terraform-provider-x\x00--provider-name\x00y")
	f.Add("--\x00--help")
	f.Add("a/b\x00--full-docs\x00--upstreamRepoPath=x")
	f.Fuzz(func(t *testing.T, joined string) {
		p, err := parameter.ParseArgs(strings.Split(joined, "\x00"), workDir)
		if err != nil {
			return
		}
		if (p.Path == "") == p.Provider.IsZero() {
			t.Fatalf("%+v names none, or two", p)
		}
		again, err := parameter.ParseValue(p.Resolved("1.2.3").Value(), "/elsewhere")
		if err != nil {
			t.Fatalf("%+v cannot be kept: %v", p, err)
		}
		p.Docs = parameter.Docs{} // no SDK has it
		if diff := cmp.Diff(p.Resolved("1.2.3"), again); diff != "" {
			t.Error(diff)
		}
	})
}
