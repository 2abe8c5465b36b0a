package tfconfig

import (
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"golang.org/x/tools/txtar"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// unpack writes an archive to a directory of the test.
func unpack(t testing.TB, archive string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func codes(diags diag.List) string {
	var out []string
	for _, d := range diags {
		out = append(out, d.Code)
	}
	return strings.Join(out, " ")
}

const everyBlock = `
-- main.tf --
terraform {
  required_version = ">= 1.5"
  required_providers {
    aws  = { source = "hashicorp/aws", version = "~> 5.0", configuration_aliases = [aws.west] }
    mine = { source = "example.com/me/mine" }
    old  = "~> 1.0"
  }
  backend "local" { path = "x.tfstate" }
}
provider "aws" { region = "eu" }
provider "aws" {
  alias  = "west"
  region = "us"
}
variable "size" {
  type    = number
  default = "3"
  validation {
    condition     = var.size > 0
    error_message = "positive"
  }
}
variable "opts" {
  type = object({ a = optional(string, "x"), b = optional(number) })
  default = {}
  sensitive = true
  nullable = false
}
variable "list" { type = list }
locals {
  a = 1
  b = local.a
}
output "o" {
  value     = local.b
  sensitive = true
}
resource "aws_vpc" "main" {
  for_each   = { a = 1 }
  provider   = aws.west
  depends_on = [aws_x.y]
  cidr       = each.key
  lifecycle {
    create_before_destroy = true
    ignore_changes        = [tags["x"], cidr]
    precondition {
      condition     = true
      error_message = "no"
    }
  }
  provisioner "local-exec" { command = "true" }
}
resource "terraform_data" "t" {
  count = 2
  lifecycle { ignore_changes = all }
}
data "mine_thing" "d" {}
ephemeral "mine_secret" "e" {}
module "net" {
  source    = "./net"
  providers = { aws = aws.west }
  size      = var.size
}
moved {
  from = aws_vpc.old
  to   = aws_vpc.main["a"]
}
import {
  to = aws_vpc.main["a"]
  id = "vpc-1"
}
removed {
  from = aws_vpc.gone
  lifecycle { destroy = false }
}
check "c" {
  data "mine_thing" "inner" {}
  assert {
    condition     = true
    error_message = "x"
  }
}
`

func TestLoadModuleReadsEveryBlock(t *testing.T) {
	t.Parallel()
	m, diags := LoadModule(unpack(t, everyBlock), Options{DefaultHost: "registry.terraform.io"})
	if len(diags) > 0 {
		t.Fatal(diags.Err())
	}
	aws := m.Required["aws"]
	want := tfaddr.Provider{Host: "registry.terraform.io", Namespace: "hashicorp", Type: "aws"}
	if aws.Provider != want || aws.Constraints != "~> 5.0" || aws.Aliases[0].String() != "aws.west" {
		t.Errorf("aws = %+v", aws)
	}
	if got := m.Required["mine"].Provider.String(); got != "example.com/me/mine" {
		t.Errorf("mine = %s", got)
	}
	if !IsBuiltin(m.Required["terraform"].Provider) || m.Required["old"].Constraints != "~> 1.0" {
		t.Errorf("required = %+v", m.Required)
	}
	if len(m.Providers) != 2 || m.Providers[1].Alias != "west" || m.Backend.Type != "local" {
		t.Errorf("providers = %+v, backend = %+v", m.Providers, m.Backend)
	}
	if v := m.Variables["size"]; !v.Default.RawEquals(cty.NumberIntVal(3)) || !v.Literal || len(v.Validations) != 1 {
		t.Errorf("size = %+v", v)
	}
	if v := m.Variables["opts"]; v.Default.GetAttr("a").AsString() != "x" || !v.Sensitive || v.Nullable || v.Literal {
		t.Errorf("opts = %+v", v)
	}
	if v := m.Variables["list"]; v.Default != cty.NilVal || v.Type.ElementType() != cty.DynamicPseudoType {
		t.Errorf("list = %+v", v)
	}
	vpc := m.Resources[tfaddr.Resource{Mode: tfaddr.Managed, Type: "aws_vpc", Name: "main"}]
	if vpc.Provider.String() != "aws.west" || !vpc.Lifecycle.CreateBeforeDestroy || len(vpc.Lifecycle.IgnoreChanges) != 2 || len(vpc.DependsOn) != 1 || len(vpc.Provisioners) != 1 {
		t.Errorf("vpc = %+v", vpc)
	}
	traversals, _ := vpc.Traversals()
	if len(traversals) != 1 || traversals[0].RootName() != "each" {
		t.Errorf("traversals = %v", traversals)
	}
	if vpc.Range.Start.Line != 38 || filepath.Base(vpc.Range.Filename) != "main.tf" {
		t.Errorf("range = %s", vpc.Range)
	}
	if data := m.Resources[tfaddr.Resource{Mode: tfaddr.Managed, Type: "terraform_data", Name: "t"}]; !data.Lifecycle.IgnoreAll || data.Count == nil {
		t.Errorf("terraform_data = %+v", data)
	}
	if len(m.Ephemerals) != 1 || len(m.Moved) != 1 || len(m.Imports) != 1 || len(m.Removed) != 1 || m.Removed[0].Destroy || m.Checks["c"].Data == nil {
		t.Errorf("the rest = %+v", m)
	}
	if call := m.Calls["net"]; call.Source != "./net" || call.Providers["aws"].Alias != "west" {
		t.Errorf("call = %+v", call)
	}
}

func TestLoadModuleReadsJSONAlike(t *testing.T) {
	t.Parallel()
	m, diags := LoadModule(unpack(t, `
-- main.tf.json --
{
  "terraform": {"required_providers": {"mine": {"source": "example.com/me/mine"}}},
  "variable": {"a": {"type": "list(string)", "default": ["x"]}},
  "locals": {"b": "${var.a[0]}"},
  "resource": {"mine_thing": {"t": {
    "count": 2, "provider": "mine.other", "name": "${local.b}-${count.index}",
    "depends_on": ["mine_thing.u"],
    "lifecycle": {"ignore_changes": ["tags[\"x\"]"]}
  }, "u": {}}},
  "provider": {"mine": [{"url": "x"}, {"alias": "other"}]},
  "output": {"o": {"value": "${mine_thing.t}"}},
  "moved": {"from": "mine_thing.s", "to": "mine_thing.t"},
  "module": {"m": {"source": "./m", "providers": {"mine": "mine.other"}}}
}
`), Options{})
	if len(diags) > 0 {
		t.Fatal(diags.Err())
	}
	res := m.Resources[tfaddr.Resource{Mode: tfaddr.Managed, Type: "mine_thing", Name: "t"}]
	traversals, _ := res.Traversals()
	if res.Provider.String() != "mine.other" || len(res.DependsOn) != 1 || len(res.Lifecycle.IgnoreChanges) != 1 || len(traversals) != 2 {
		t.Errorf("resource = %+v, traversals %v", res, traversals)
	}
	if m.Variables["a"].Type.ElementType() != cty.String || len(m.Providers) != 2 || len(m.Moved) != 1 || m.Calls["m"].Providers["mine"].Alias != "other" {
		t.Errorf("module = %+v", m)
	}
}

// TestOverriddenRepetition lays overrides over blocks as OpenTofu does.
func TestOverriddenRepetition(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ base, over, resource, call string }{
		"nothing":              {`count = 1`, `depends_on = []`, "count", "count"},
		"count after count":    {`count = 1`, `count = 2`, "count", "count"},
		"count after for_each": {`for_each = {}`, `count = 2`, "count", "count"},
		"for_each after count": {`count = 2`, `for_each = {}`, "count", "count"},
		"for_each":             {``, `for_each = {}`, "for_each", "for_each"},
		"enabled":              {``, "lifecycle {\n enabled = false\n}", "", ""},
		"count after enabled":  {"lifecycle {\n enabled = false\n}", `count = 1`, "count", "count"},
		"for_each and enabled": {"lifecycle {\n enabled = false\n}", `for_each = {}`, "TC0115", "for_each"},
		"dependencies":         {``, `depends_on = [a.b]`, "TC0120", "TC0120"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			load := func(header string) (*Module, string) {
				m, diags := LoadModule(unpack(t, "-- main.tf --\n"+header+c.base+"\n}\n-- override.tf --\n"+header+c.over+"\n}\n"), Options{})
				if len(diags) > 0 {
					return m, diags[0].Code
				}
				return m, ""
			}
			m, got := load("resource \"a\" \"a\" {\n")
			res := m.Resources[tfaddr.Resource{Mode: tfaddr.Managed, Type: "a", Name: "a"}]
			if got += repetitionOf(res.Count, res.ForEach, res.Enabled, got); got != c.resource {
				t.Errorf("resource: got %q, want %q", got, c.resource)
			}
			m, got = load("module \"a\" {\n source = \"./a\"\n")
			call := m.Calls["a"]
			if got += repetitionOf(call.Count, call.ForEach, call.Enabled, got); got != c.call {
				t.Errorf("call: got %q, want %q", got, c.call)
			}
		})
	}
}

// repetitionOf names the arguments that are set, unless something is wrong.
func repetitionOf(count, forEach, enabled hcl.Expression, wrong string) (set string) {
	if wrong != "" {
		return ""
	}
	if count != nil {
		set += "count"
	}
	if forEach != nil {
		set += "for_each"
	}
	if enabled != nil {
		set += "enabled"
	}
	return set
}

func TestOverrideFiles(t *testing.T) {
	t.Parallel()
	m, diags := LoadModule(unpack(t, `
-- main.tf --
variable "v" {
  type    = string
  default = "a"
}
locals { l = 1 }
resource "x_y" "z" {
  name = "base"
  kept = "kept"
  rule { n = 1 }
  rule { n = 2 }
  other { n = 3 }
}
output "o" { value = 1 }
-- a_override.tf --
variable "v" { default = "b" }
locals { l = 2 }
resource "x_y" "z" {
  name  = "over"
  count = 2
  dynamic "rule" {
    for_each = [9]
    content { n = rule.value }
  }
  lifecycle { ignore_changes = [name] }
}
output "o" { sensitive = true }
-- override.tf.json --
{"resource": {"x_y": {"z": {"name": "json"}}}}
`), Options{})
	if len(diags) > 0 {
		t.Fatal(diags.Err())
	}
	if v := m.Variables["v"]; v.Default.AsString() != "b" || v.Type != cty.String {
		t.Errorf("variable = %+v", v)
	}
	if !m.Outputs["o"].Sensitive || m.Outputs["o"].Value == nil {
		t.Errorf("output = %+v", m.Outputs["o"])
	}
	res := m.Resources[tfaddr.Resource{Mode: tfaddr.Managed, Type: "x_y", Name: "z"}]
	content, hclDiags := res.Config.Content(&hcl.BodySchema{
		Attributes: []hcl.AttributeSchema{{Name: "name", Required: true}, {Name: "kept"}},
		Blocks:     []hcl.BlockHeaderSchema{{Type: "rule"}, {Type: "other"}, {Type: "dynamic", LabelNames: []string{"type"}}},
	})
	if hclDiags.HasErrors() {
		t.Fatal(hclDiags)
	}
	name, _ := content.Attributes["name"].Expr.Value(nil)
	var types []string
	for _, b := range content.Blocks {
		types = append(types, b.Type)
	}
	sort.Strings(types)
	if name.AsString() != "json" || content.Attributes["kept"] == nil || strings.Join(types, " ") != "dynamic other" {
		t.Errorf("name %#v, blocks %v", name, types)
	}
	if res.Count == nil || len(res.Lifecycle.IgnoreChanges) != 1 {
		t.Errorf("resource = %+v", res)
	}
}

// TestOverriddenProviders has a default configuration where no file has one.
func TestOverriddenProviders(t *testing.T) {
	t.Parallel()
	for over, want := range map[string]string{"": "", "alias = \"x\"": "TC0107"} {
		m, diags := LoadModule(unpack(t, "-- main.tf --\nlocals { a = 1 }\n-- override.tf --\nprovider \"a\" {\n"+over+"\n}\n"), Options{})
		if codes(diags) != want || (len(m.Providers) == 1) != (want == "") {
			t.Errorf("%q: got %v and %d configurations", over, diags.Err(), len(m.Providers))
		}
	}
}

func TestTofuFiles(t *testing.T) {
	t.Parallel()
	dir := unpack(t, `
-- a.tf --
locals { a = 1 }
-- a.tofu --
locals { b = 1 }
-- c.tofu.json --
{"locals": {"c": 1}}
-- d.tf --
locals { d = 1 }
-- .hidden.tf --
locals { hidden = 1 }
-- e.tf~ --
locals { backup = 1 }
`)
	for _, c := range []struct {
		opts Options
		want string
	}{{Options{}, "b c d"}, {Options{Terraform: true}, "a d"}} {
		m, diags := LoadModule(dir, c.opts)
		if got := strings.Join(sortedNames(m.Locals), " "); got != c.want || len(diags) > 0 {
			t.Errorf("%+v: %s, want %s (%v)", c.opts, got, c.want, diags)
		}
	}
}

func TestReadDiagnostics(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"syntax":               {`resource "a" {`, "TC0101 TC0101"},
		"duplicate resource":   {"resource \"a_b\" \"c\" {}\nresource \"a_b\" \"c\" {}", "TC0106"},
		"duplicate variable":   {"variable \"a\" {}\nvariable \"a\" {}", "TC0106"},
		"bad name":             {`variable "a b" {}`, "TC0105"},
		"bad source":           {"terraform {\n required_providers {\n a = { source = \"a/b/c/d\" }\n }\n}", "TC0110"},
		"bad key":              {"terraform {\n required_providers {\n a = { sourc = \"a/b\" }\n }\n}", "TC0111"},
		"bad default":          {"variable \"a\" {\n type = number\n default = \"x\"\n}", "TC0113"},
		"null default":         {"variable \"a\" {\n nullable = false\n default = null\n}", "TC0114"},
		"no output value":      {`output "a" {}`, "TC0108"},
		"two repetitions":      {"resource \"a_b\" \"c\" {\n count = 1\n for_each = {}\n}", "TC0115"},
		"bad provider":         {"resource \"a_b\" \"c\" {\n provider = a.b.c.d\n}", "TC0112"},
		"no module source":     {`module "m" {}`, "TC0108"},
		"half an import":       {"import {\n to = a_b.c\n}", "TC0108"},
		"two lifecycles":       {"resource \"a_b\" \"c\" {\n lifecycle {}\n lifecycle {}\n}", "TC0106"},
		"two connections":      {"resource \"a_b\" \"c\" {\n connection {}\n connection {}\n}", "TC0106"},
		"two escapes":          {"resource \"a_b\" \"c\" {\n _ {}\n _ {}\n}", "TC0106"},
		"two in a call":        {"module \"m\" {\n source = \"./m\"\n lifecycle {}\n lifecycle {}\n _ {}\n _ {}\n}", "TC0106 TC0106"},
		"two in a provisioner": {"resource \"a_b\" \"c\" {\n provisioner \"file\" {\n connection {}\n connection {}\n lifecycle {}\n}\n}", "TC0106 TC0121"},
		"words":                {"resource \"a_b\" \"c\" {\n provisioner \"file\" {\n when = never\n on_failure = \"continue\"\n}\n}", "TC0126"},
		"reserved":             {"data \"a_b\" \"c\" {\n locals {}\n}", "TC0121"},
		"reserved in a call":   {"module \"m\" {\n source = \"./m\"\n provider \"a\" {}\n}", "TC0121"},
		"lifecycle of data":    {"data \"a_b\" \"c\" {\n lifecycle {\n ignore_changes = []\n}\n}", "TC0123"},
		"ephemeral connection": {"ephemeral \"a_b\" \"c\" {\n connection {}\n}", "TC0123"},
		"star":                 {"resource \"a_b\" \"c\" {\n lifecycle {\n ignore_changes = [\"*\"]\n}\n}", "TC0124"},
		"check of nothing":     {`check "c" {}`, "TC0108"},
		"check with two":       {"check \"c\" {\n data \"a\" \"a\" {}\n data \"a\" \"b\" {}\n assert {\n condition = data.a.a.x\n error_message = \"\"\n}\n}", "TC0106"},
		"check with several":   {"check \"c\" {\n data \"a\" \"a\" {\n count = 1\n lifecycle {}\n}\n assert {\n condition = true\n error_message = \"\"\n}\n}", "TC0125 TC0125"},
		"malformed version":    {"terraform {\n required_version = \"soon\"\n}", "TC0127"},
		"prerelease":           {"terraform {\n required_version = \">= 1.5.0-beta1\"\n}", "TC0128"},
		"version that is null": {"terraform {\n required_providers {\n a = { version = null }\n}\n}", "TC0109"},
		"passed twice":         {"module \"m\" {\n source = \"./m\"\n providers = {\n a = a\n \"a\" = a.b\n}\n}", "TC0106"},
		"descriptions":         {"variable \"a\" {\n default = 1\n description = []\n}\noutput \"b\" {\n value = 1\n description = local.x\n}\nvariable \"c\" {\n description = 5\n deprecated = \" \"\n}\nvariable \"d\" {\n description = null\n}", "TC0109 TC0101 TC0109 TC0109"},
		"output afterwards":    {"output \"a\" {\n value = 1\n postcondition {\n condition = true\n error_message = \"\"\n}\n}", "TC0123"},
		"removed":              {"removed {\n from = module.m.a_b.c\n provisioner \"file\" {\n when = destroy\n}\n}", ""},
		"removed instance":     {"removed {\n from = a_b.c[0]\n}\nremoved {\n from = module.m[0].a_b.c\n}\nremoved {\n from = module.m.data.a_b.c\n}", "TC0135 TC0135 TC0135"},
		"removed twice":        {"removed {\n from = a_b.c\n lifecycle {}\n lifecycle {}\n}", "TC0106"},
		"broken texts":         {"terraform {\n required_version = $x\n}\nvariable \"v\" {\n deprecated = $x\n}", "TC0101 TC0101 TC0101"},
		"no source":            {"terraform {\n required_providers {\n a = { source = \"\" }\n}\n}", "TC0109"},
		"no version":           {"terraform {\n required_version = null\n}", ""},
		"provider's version":   {"terraform {\n required_providers {\n a = { version = \"soon\" }\n b = \"then\"\n}\n}\nprovider \"c\" {\n version = \"now\"\n}", "TC0127 TC0127 TC0127"},
		"module's version":     {"module \"m\" {\n source = \"a/b/c\"\n version = \"soon\"\n}", "TC0127"},
		"version of a path":    {"module \"m\" {\n source = \"./m\"\n version = \"1.0.0\"\n}", "TC0134"},
		"no version of a path": {"module \"m\" {\n source = \"./m\"\n version = null\n}", ""},
		"language":             {"language {\n edition = tofu2024\n experiments = []\n compatible_with {\n opentofu = \">= 1.12\"\n other = x\n}\n}", ""},
		"unknown language":     {"language {\n edition = \"tofu2024\"\n experiments = [x]\n compatible_with {\n opentofu = \"soon\"\n}\n}", "TC0129 TC0130 TC0127"},
		"two requirements":     {"terraform {\n required_providers {}\n required_providers {}\n}", "TC0106"},
		"two metas":            {"terraform {\n provider_meta \"a\" {}\n provider_meta \"a\" {}\n provider_meta \"b_c\" {}\n}", "TC0106 TC0110"},
		"meta of a variable":   {"terraform {\n provider_meta \"a\" {\n x = var.x\n}\n}", "TC0101"},
		"repository":           {"terraform {\n required_providers {\n a = { source = \"me/terraform-provider-a\" }\n}\n}", "TC0133"},
		"local name":           {"terraform {\n required_providers {\n A = { source = \"me/a\" }\n}\n}\nprovider \"B\" {}\ndata \"a_b\" \"c\" { provider = C }", "TC0131 TC0131 TC0131"},
		"alias of another":     {"terraform {\n required_providers {\n a = { configuration_aliases = [b.c] }\n}\n}", "TC0132"},
		"reserved by provider": {"provider \"a\" {\n count = 1\n locals {}\n _ {}\n _ {}\n}", "TC0121 TC0106 TC0122"},
		"alias":                {"provider \"a\" {\n alias = \"b c\"\n}", "TC0105"},
		"several of default":   {"provider \"a\" {\n for_each = {}\n}", "TC0108"},
		"variable in source":   {"module \"m\" {\n source = var.x\n}", "TC0101 TC0108"},
	} {
		m, diags := ParseModule("d", []File{{Name: "d/main.tf", Text: []byte(c.src)}}, Options{})
		if m == nil || codes(diags) != c.want {
			t.Errorf("%s: %s, want %s: %v", name, codes(diags), c.want, diags.Err())
		}
		for _, d := range diags {
			if d.Subject == nil || d.Detail == "" {
				t.Errorf("%s: no place or no detail: %v", name, d)
			}
		}
	}
	if _, diags := LoadModule(filepath.Join(t.TempDir(), "gone"), Options{}); codes(diags) != "TC0102" {
		t.Errorf("missing directory: %v", diags)
	}
	if _, diags := LoadModule(t.TempDir(), Options{}); codes(diags) != "TC0104" {
		t.Errorf("empty directory: %v", diags)
	}
}

func TestLoadTree(t *testing.T) {
	t.Parallel()
	dir := unpack(t, `
-- main.tf --
module "a" { source = "./a" }
module "reg" { source = "ns/name/x" }
module "far" { source = "git::https://example.com/x.git" }
module "gone" { source = "./gone" }
-- a/main.tf --
module "b" { source = "..\\b" }
-- b/main.tf --
module "a" { source = "../a" }
-- .terraform/modules/modules.json --
{"Modules":[{"Key":"","Source":"","Dir":"."},{"Key":"reg","Source":"registry.terraform.io/ns/name/x","Version":"1.0.0","Dir":".terraform/modules/reg"}]}
-- .terraform/modules/reg/main.tf --
output "x" { value = 1 }
`)
	tree, diags := LoadTree(dir, Options{})
	var got []string
	tree.Walk(func(n *Tree) {
		line := n.Address()
		if n.Missing != nil {
			line += " " + n.Missing.Code
		}
		got = append(got, line)
	})
	want := []string{"", "module.a", "module.a.module.b", "module.a.module.b.module.a TC0117", "module.far TC0116", "module.gone TC0118", "module.reg"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if codes(diags) != "TC0117 TC0102 TC0118" {
		t.Errorf("diagnostics = %v", diags)
	}
}

func FuzzParseModule(f *testing.F) {
	for _, file := range txtar.Parse([]byte(everyBlock)).Files {
		f.Add(string(file.Data), false, false)
	}
	f.Add(`{"resource": {"a_b": {"c": {"count": 1, "lifecycle": {"ignore_changes": ["x"]}}}}}`, true, true)
	f.Add("variable \"a\" {\n type = map(object({ a = optional(list(string), [1]) }))\n default = {}\n}", false, true)
	f.Fuzz(func(t *testing.T, src string, asJSON, override bool) {
		ext, base := ".tf", "main"
		if asJSON {
			ext = ".tf.json"
		}
		files := []File{{Name: base + ext, Text: []byte(src)}}
		if override {
			files = append(files, File{Name: "override" + ext, Text: []byte(src)})
		}
		first, diags := ParseModule(".", files, Options{})
		second, again := ParseModule(".", files, Options{})
		if diags.HasErrors() != again.HasErrors() || len(first.Resources) != len(second.Resources) || len(first.Variables) != len(second.Variables) {
			t.Fatal("reading twice gave two modules")
		}
		for _, res := range first.Resources {
			res.Traversals()
			if res.Addr.Type == "" || res.Range.Filename == "" {
				t.Fatalf("resource without a type or a place: %+v", res)
			}
		}
		for _, v := range first.Variables {
			if v.Default != cty.NilVal && !diags.HasErrors() && v.Type != cty.DynamicPseudoType && v.Default.Type().TestConformance(v.Type) != nil {
				t.Fatalf("default of %s does not fit its type", v.Name)
			}
		}
	})
}
