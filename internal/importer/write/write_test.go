package write

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/outtree"
	"github.com/formation-iac/formation/internal/testkit/tfcli"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tfstate"
)

var estate = tfaddr.Provider{Host: "registry.opentofu.org", Namespace: "formation-iac", Type: "estate"}

func res(typeName, name string, attrs ...tfconfig.Attribute) Resource {
	return Resource{Addr: tfaddr.Resource{Mode: tfaddr.Managed, Type: typeName, Name: name}, Body: &tfconfig.Body{Attributes: attrs}}
}

func attr(name, text string) tfconfig.Attribute {
	return tfconfig.Attribute{Name: name, Expr: tfconfig.Text(text)}
}

const token = "correct horse battery staple"

func small() Module {
	return Module{
		Provider: estate, Version: "1.2.3",
		ProviderConfig: &tfconfig.Body{Attributes: []tfconfig.Attribute{attr("endpoint", "http://x"), {Name: "token", Expr: tfconfig.Ref("var", "token")}}},
		Resources: []Resource{
			res("estate_network", "main", attr("cidr", "10.0.0.0/16")),
			{Addr: tfaddr.Resource{Mode: tfaddr.Managed, Type: "estate_bucket", Name: "logs"}, Comment: "It cannot be read whole."},
		},
		Variables: []Variable{
			{Name: "token", Description: "The token of provider estate.", Type: cty.String, Sensitive: true, Value: cty.StringVal(token)},
			{Name: "password", Type: cty.String, Sensitive: true, StandIn: true, Value: cty.StringVal("replace-me")},
			{Name: "ports", Type: cty.List(cty.Number), Value: cty.ListVal([]cty.Value{cty.NumberIntVal(80)})},
			{Name: "asked", Type: cty.Map(cty.Object(map[string]cty.Type{"a": cty.Bool, "b": cty.Set(cty.String)}))},
		},
		Imports: []Import{
			{To: tfaddr.Resource{Mode: tfaddr.Managed, Type: "estate_network", Name: "main"}, ID: "net-1"},
			{To: tfaddr.Resource{Mode: tfaddr.Managed, Type: "estate_bucket", Name: "logs"}, Identity: cty.ObjectVal(map[string]cty.Value{"name": cty.StringVal("logs"), "region": cty.NullVal(cty.String)})},
		},
		State: &tfstate.State{TerraformVersion: "1.5.0", Serial: 1, Lineage: "8f2ae4a5-6c23-4b2b-9a35-2c2f4ad3c001"},
		Report: Report{
			Resources: []ResourceReport{
				{Type: "estate_network", Address: "estate_network.main", ID: "net-1", Source: "list", Outcome: Imported, NoOp: true,
					Links: []LinkReport{{Path: "b", Target: "x.y.id"}, {Path: "a", Target: "x.y.id"}}, Settled: []string{"flag"}},
				{Type: "estate_bucket", Address: "estate_bucket.logs", Identity: json.RawMessage(`{"name":"logs"}`), Source: "list", Outcome: Imported},
				{Type: "estate_role", ID: "boss", Source: "ids", Outcome: Failed, Reason: "denied with token " + token,
					Diagnostics: diag.List{diag.Errorf("X1", "Denied", "token %s is wrong", token)}},
			},
			Variables: []VariableReport{{Name: "token", Owner: "provider", Path: "token", Sensitive: true}, {Name: "password", Owner: "estate_user.a", Path: "password", Sensitive: true, StandIn: true}},
			Types:     TypesReport{NotEnumerable: []string{"estate_z", "estate_y"}, NeedConfig: []string{"estate_key"}, Enumerated: []string{"estate_network"}},
		},
	}
}

func files(t *testing.T, m Module) map[string]string {
	t.Helper()
	tree, diags := Files(m)
	if len(diags) > 0 {
		t.Fatal(diags.Err())
	}
	out := map[string]string{}
	for _, f := range tree.Files() {
		out[f.Path] = string(f.Data)
	}
	return out
}

func TestFiles(t *testing.T) {
	t.Parallel()
	got := files(t, small())
	want := map[string]string{
		"versions.tf": `terraform {
  required_version = ">= 1.12.0"

  required_providers {
    estate = {
      source  = "registry.opentofu.org/formation-iac/estate"
      version = ">= 1.2.3, < 2.0.0"
    }
  }
}
`,
		"providers.tf": `provider "estate" {
  endpoint = "http://x"
  token    = var.token
}
`,
		"main.tf": `# It cannot be read whole.
resource "estate_bucket" "logs" {}

resource "estate_network" "main" {
  cidr = "10.0.0.0/16"
}
`,
		"variables.tf": `variable "asked" {
  type = map(object({
    a = bool
    b = set(string)
  }))
}

variable "password" {
  type      = string
  sensitive = true
}

variable "ports" {
  type    = list(number)
  default = [80]
}

variable "token" {
  description = "The token of provider estate."
  type        = string
  sensitive   = true
}
`,
		"secrets.auto.tfvars": `# Secret values. This file is ignored by git: keep it so.
# The provider cannot read this value. Replace it with the real one.
password = "replace-me"
token    = "correct horse battery staple"
`,
		"imports.tf": `import {
  to = estate_bucket.logs
  identity = {
    name = "logs"
  }
}

import {
  to = estate_network.main
  id = "net-1"
}
`,
	}
	for name, text := range want {
		if d := cmp.Diff(text, got[name]); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok && name != StateFile && name != ReportFile && name != IgnoreFile {
			t.Errorf("there is %s", name)
		}
	}
}

func TestSecretsStayWhereTheyBelong(t *testing.T) {
	t.Parallel()
	tree, _ := Files(small())
	private := map[string]bool{}
	for _, f := range tree.Files() {
		private[f.Path] = f.Mode == 0o600
		if bytes.Contains(f.Data, []byte(token)) && f.Path != SecretsFile {
			t.Errorf("%s has the secret", f.Path)
		}
	}
	want := map[string]bool{
		"versions.tf": false, "providers.tf": false, "main.tf": false, "variables.tf": false, "secrets.auto.tfvars": true,
		"imports.tf": false, "terraform.tfstate": true, "report.json": false, ".gitignore": false,
	}
	if d := cmp.Diff(want, private); d != "" {
		t.Error(d)
	}
}

func TestFilesIgnoreOrder(t *testing.T) {
	t.Parallel()
	m := large(3, 40)
	want := files(t, m)
	random := rand.New(rand.NewPCG(1, 1))
	for range 3 {
		random.Shuffle(len(m.Resources), func(i, j int) { m.Resources[i], m.Resources[j] = m.Resources[j], m.Resources[i] })
		r := m.Report.Resources
		random.Shuffle(len(r), func(i, j int) { r[i], r[j] = r[j], r[i] })
		if d := cmp.Diff(want, files(t, m)); d != "" {
			t.Fatal(d)
		}
	}
}

func TestFilesOfPrinted(t *testing.T) {
	t.Parallel()
	for name, m := range map[string]Module{"small": small(), "large": large(3, 5)} {
		printed := m.Printed(t.Context())
		if d := cmp.Diff(files(t, m), files(t, printed)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		printed.State = nil
		if got := files(t, printed); got[StateFile] != "" {
			t.Errorf("%s: a state that is not there was written", name)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if d := cmp.Diff(files(t, small()), files(t, small().Printed(ended))); d != "" {
		t.Errorf("after an interrupt: %s", d)
	}
}

// large is a module of several families, each resource having some lines.
func large(lines, each int) Module {
	m := Module{Provider: estate}
	for _, typeName := range []string{"estate_iam_role", "estate_iam_policy", "estate_security_group", "estate_security_group_rule", "estate_network"} {
		for i := range each {
			var attrs []tfconfig.Attribute
			for l := range lines {
				attrs = append(attrs, attr(fmt.Sprintf("a%d", l), "x"))
			}
			m.Resources = append(m.Resources, res(typeName, fmt.Sprintf("r%03d", i), attrs...))
			m.Report.Resources = append(m.Report.Resources, ResourceReport{Type: typeName, Address: fmt.Sprintf("%s.r%03d", typeName, i), Source: "list", Outcome: Imported})
		}
	}
	m.Resources = append(m.Resources, res("estate_zone", "one"), res("estate_override", "a"), res("estate_override", "b"), res("estate_override", "c"), res("estate", "bare"))
	return m
}

func TestLayout(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		module Module
		want   []string
	}{
		"small modules are one file": {small(), []string{"main.tf"}},
		"families":                   {large(3, 40), []string{"iam.tf", "main.tf", "network.tf", "override_resources.tf", "security_group.tf"}},
		"long families by type, long types in parts": {large(30, 40), []string{
			"iam_policy.tf", "iam_policy_2.tf", "iam_role.tf", "iam_role_2.tf", "main.tf", "network.tf", "network_2.tf", "override_resources.tf",
			"security_group.tf", "security_group_2.tf", "security_group_rule.tf", "security_group_rule_2.tf",
		}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.module.ProviderLocalName = "estate"
			count := 0
			var got []string
			for _, f := range layOut(tt.module) {
				got = append(got, f.name)
				if n := bytes.Count(f.text, []byte("\n")); n > maxLines {
					t.Errorf("%s has %d lines", f.name, n)
				}
				file, diags := hclsyntax.ParseConfig(f.text, f.name, hcl.InitialPos)
				if diags.HasErrors() {
					t.Fatal(diags)
				}
				count += len(file.Body.(*hclsyntax.Body).Blocks)
			}
			if d := cmp.Diff(tt.want, sorted(got)); d != "" {
				t.Error(d)
			}
			if count != len(tt.module.Resources) {
				t.Errorf("%d of %d resources were written", count, len(tt.module.Resources))
			}
		})
	}
}

func sorted(names []string) []string {
	tree := &outtree.Tree{}
	for _, n := range names {
		_ = tree.Add(n, nil, 0o644)
	}
	var out []string
	for _, f := range tree.Files() {
		out = append(out, f.Path)
	}
	return out
}

func TestConstraint(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]string{
		"5.31.2": ">= 5.31.2, < 6.0.0", "0.14.2": ">= 0.14.2, < 0.15.0", "2.0.0-beta1": "2.0.0-beta1", "1.2.3+meta": ">= 1.2.3, < 2.0.0",
		"": "", "dev": "", "v1.0.0": ">= 1.0.0, < 2.0.0",
	} {
		if got := Constraint(version); got != want {
			t.Errorf("Constraint(%q) = %q, want %q", version, got, want)
		}
	}
}

func TestLocalName(t *testing.T) {
	t.Parallel()
	beta := tfaddr.Provider{Host: "h", Namespace: "hashicorp", Type: "google-beta"}
	for want, types := range map[string][]string{"google": {"google_a", "google_b"}, "google-beta": {"google_a", "other_b"}} {
		if got := LocalName(beta, types); got != want {
			t.Errorf("LocalName(%v) = %q, want %q", types, got, want)
		}
	}
	got := files(t, Module{Provider: beta, Resources: []Resource{res("google_a", "a", attr("x", "y")), res("other_b", "b")}})
	if want := "resource \"google_a\" \"a\" {\n  provider = google-beta\n  x        = \"y\"\n}\n\nresource \"other_b\" \"b\" {\n  provider = google-beta\n}\n"; got["main.tf"] != want {
		t.Error(got["main.tf"])
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	got := files(t, small())[ReportFile]
	want := `{
  "version": 1,
  "provider": {
    "source": "registry.opentofu.org/formation-iac/estate",
    "version": "1.2.3"
  },
  "handover": "both",
  "summary": {
    "found": 3,
    "imported": 2,
    "no_op": 1,
    "failed": 1,
    "managed": 0,
    "settled_attributes": 1,
    "links": 2,
    "variables": 2,
    "types_not_enumerable": 2
  },
  "resources": [
    {
      "type": "estate_bucket",
      "address": "estate_bucket.logs",
      "identity": {
        "name": "logs"
      },
      "source": "list",
      "outcome": "imported",
      "no_op": false
    },
    {
      "type": "estate_network",
      "address": "estate_network.main",
      "id": "net-1",
      "source": "list",
      "outcome": "imported",
      "no_op": true,
      "settled": [
        "flag"
      ],
      "links": [
        {
          "path": "a",
          "target": "x.y.id"
        },
        {
          "path": "b",
          "target": "x.y.id"
        }
      ]
    },
    {
      "type": "estate_role",
      "id": "boss",
      "source": "ids",
      "outcome": "failed",
      "no_op": false,
      "reason": "denied with token (sensitive value)",
      "diagnostics": [
        {
          "severity": "error",
          "code": "X1",
          "summary": "Denied",
          "detail": "token (sensitive value) is wrong"
        }
      ]
    }
  ],
  "variables": [
    {
      "name": "password",
      "owner": "estate_user.a",
      "path": "password",
      "sensitive": true,
      "stand_in": true
    },
    {
      "name": "token",
      "owner": "provider",
      "path": "token",
      "sensitive": true,
      "stand_in": false
    }
  ],
  "types": {
    "enumerated": [
      "estate_network"
    ],
    "named_only": [],
    "truncated": [],
    "need_configuration": [
      "estate_key"
    ],
    "not_enumerable": [
      "estate_y",
      "estate_z"
    ],
    "failed": [],
    "excluded_objects": 0
  },
  "diagnostics": [],
  "files": {
    ".gitignore": "88d0a379d7c23af40cacec67cc43345ed416a5c71b63d7f0a1a123ad879f7bec",
    "imports.tf": "1742a2ba0def72a74dc24ef2679f72abf5f2275be6395bf3b0c02570d76f4cb4",
    "main.tf": "aa9af8feb253ff33223238d31f721d23a06cd16bba344505899a11291d424c42",
    "providers.tf": "d835d29c19082afb334b3e8c6013379435c8b05b5a8867bb0130f48d83652190",
    "report.json": "4da13de59bf8ea9012ae1dfe6b443a3b5f9f68b347ef7a9fd8fe95ba4f2b8f1b",
    "variables.tf": "37e5d86838a6e053e093ac67ad6fc913a560b3c887537b2cadc6e61ef37b53ed",
    "versions.tf": "09b0f290602fa628231ef9881490d22c4ad032d1d45093d3cbfea233a813b072"
  }
}
`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestReportKeepsSecrets holds that secrets of objects without a block are
// taken out of messages, as they are and quoted, and that short ones are not.
func TestReportKeepsSecrets(t *testing.T) {
	t.Parallel()
	m := small()
	m.Secrets = []string{"key-1", "key-1-and-more", "line 1\nline 2", "no", "key-1"}
	m.Report.Types.Failed = []FailedType{{Type: "estate_user", Diagnostics: diag.List{diag.Errorf("X", "key-1 expired", "")}}}
	m.Report.Resources = []ResourceReport{{
		Type: "estate_user", ID: "u", Outcome: Failed, Reason: "key-1-and-more is no key",
		Diagnostics: diag.List{diag.Errorf("X", "Refused", "line 1\nline 2, or %q", "line 1\nline 2")},
	}}
	r := m.FinalReport()
	got := []string{
		r.Types.Failed[0].Diagnostics[0].Summary, r.Resources[0].Reason, r.Resources[0].Diagnostics[0].Detail,
	}
	want := []string{"(sensitive value) expired", "(sensitive value) is no key", `(sensitive value), or "(sensitive value)"`}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestReportText(t *testing.T) {
	t.Parallel()
	m := small()
	r := &m.Report
	r.Types.Failed = []FailedType{{Type: "estate_user", Diagnostics: diag.List{diag.Errorf("X", "Throttled", "429 Too Many.\nWait with %s.", token)}}}
	r.Types.Excluded = 1
	for i := range r.Resources {
		r.Resources[i].Diagnostics = append(r.Resources[i].Diagnostics, diag.Warnf("W", "Old", "key-1"), diag.Warnf("W", "Old", "again"), diag.Warnf("W", "Listed", "").InList())
	}
	want := `Imported 2 of 3 resources from registry.opentofu.org/formation-iac/estate 1.2.3.
  1 proven to need no change, 2 links, 2 variables
1 resource could not be imported:
  estate_role boss: denied with token (sensitive value)
Imported, but a plan would still change:
  estate_bucket.logs
Imported with a warning, which report.json has in full:
  estate_bucket: Old (1 resource)
  and 1 more, in report.json
Settled in the state, because the provider never reads it:
  estate_network: flag (1 resource)
Values to fill in, which the provider cannot read:
  var.password, for password of estate_user.a
Types whose listing failed:
  estate_user: Throttled: 429 Too Many.
Types that can be listed with a query file (--query):
  estate_key
2 types of the provider could not be listed by any source (bring ids with --ids):
  estate_y
  and 1 more, in report.json
1 object left out by the type patterns.
`
	if d := cmp.Diff(want, m.FinalReport().Text(TextOptions{Most: 1})); d != "" {
		t.Error(d)
	}
}

// TestFormatters asks the real tools whether they would change the layout.
func TestFormatters(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"terraform", "tofu"} {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			path := tfcli.Find(t, tool)
			dir := filepath.Join(t.TempDir(), "out")
			tree, _ := Files(small())
			if _, diags := outtree.Commit(t.Context(), dir, tree, outtree.Options{Claims: Claims}); diags.HasErrors() {
				t.Fatal(diags.Err())
			}
			client := tfcli.New(t, path, tfcli.Options{Dir: dir})
			if result := client.Run(t, "fmt", "-check", "-diff"); result.ExitCode != 0 {
				t.Error(result.Stdout, result.Stderr)
			}
		})
	}
}

func TestClaims(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"main.tf": true, "x.tf.json": true, "terraform.tfstate": true, "README.md": false, ".git": false, "src": false, "x.auto.tfvars": true, "report.json": true} {
		if got := Claims(name); got != want {
			t.Errorf("Claims(%q) = %v", name, got)
		}
	}
}
