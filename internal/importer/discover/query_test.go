package discover

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

func TestQuery(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text        string
		asked       []string // type, config, limit, objects
		wrong       []string
		wrongAtLoad bool
	}{
		"plain": {
			text:  "list \"x_network\" \"all\" {\n  provider = x\n}\n",
			asked: []string{"x_network {\"zone\":null} 101"},
		},
		"everything": {
			text: `
provider "x" { endpoint = local.here }
variable "zone" {
  type    = string
  default = "a"
}
locals { here = "http://${var.zone}" }
list "x_network" "some" {
  provider         = x
  include_resource = true
  limit            = 5
  config { zone = upper(var.zone) }
}
list "x_key" "each" {
  provider = x
  for_each = { eu = "eu-1", us = "us-1" }
  config { region = "${each.key}/${each.value}" }
}
list "x_bucket" "two" {
  provider = x
  count    = 2
  limit    = count.index + 1
}`,
			asked: []string{
				"x_network {\"zone\":\"A\"} 6 objects", "x_key {\"region\":\"eu/eu-1\"} 101", "x_key {\"region\":\"us/us-1\"} 101",
				"x_bucket {} 2", "x_bucket {} 3",
			},
		},
		"another provider": {
			text:  "list \"y_thing\" \"all\" {\n  provider = y\n}\n",
			wrong: []string{"2:14 The list is of the provider \"y\" and is left out"},
		},
		"faults": {
			text: "list \"x_role\" \"a\" {\n  provider = x\n}\nlist \"x_key\" \"b\" {\n  provider = x\n}\nlist \"x_bucket\" \"c\" {\n  provider = x.alias\n}\n" +
				"list \"x_bucket\" \"d\" {\n  provider = x\n  limit = 0\n}\nlist \"x_network\" \"e\" {\n  provider = x\n  config {\n    zone = data.x.y\n  }\n}\n" +
				"list \"x_network\" \"f\" {\n  provider = x\n  config {\n    colour = 1\n  }\n  config {}\n}\nlist \"x_network\" \"g\" {\n}\n" +
				"list \"x_network\" \"h\" {\n  provider = x\n  config {\n    colour = 1\n  }\n}\nlist \"x_network\" \"i\" {\n  provider = x\n  include_resource = \"maybe\"\n count = -1\n}\n",
			wrong: []string{
				"1:6 The provider cannot list \"x_role\"", "4:1 Missing required argument", "8:14 The provider configuration x with an alias cannot be used",
				"12:11 Unsuitable limit", "17:12 data cannot be known here", "25:3 More than one config block", "27:22 Missing required argument",
				"32:5 Unsupported argument", "38:10 Unsuitable count",
			},
		},
		"not a query": {
			text: "resource \"x_role\" \"a\" {}\n", wrong: []string{"1:1 Unsupported block type"}, wrongAtLoad: true,
		},
		"empty": {text: "locals {}\n", wrong: []string{"The query q.tfquery.hcl lists nothing"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			query, diags := ParseQuery("q.tfquery.hcl", []byte(tt.text), nil)
			provider := &fakeProvider{}
			if query != nil {
				_, _, more := discoverAll(t, QuerySource{Query: query, Provider: provider, LocalName: "x"}, estateScope())
				diags = append(diags, more...)
			}
			if (query == nil) != tt.wrongAtLoad {
				t.Errorf("loaded: %v", query != nil)
			}
			if d := cmp.Diff(tt.wrong, places(diags, "")); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(tt.asked, requests(provider.asked)); d != "" {
				t.Error(d)
			}
		})
	}
}

func requests(asked []tfprovider.ListRequest) []string {
	var out []string
	for _, req := range asked {
		line := req.TypeName + " " + valueText(req.Config) + " " + valueText(cty.NumberIntVal(req.Limit))
		if req.IncludeObject {
			line += " objects"
		}
		out = append(out, line)
	}
	return out
}

func TestQueryVariables(t *testing.T) {
	t.Parallel()
	text := "variable \"zone\" {\n  type = string\n  sensitive = true\n}\nlist \"x_network\" \"all\" {\n  provider = x\n  config {\n    zone = var.zone\n  }\n}\n"
	provider := &fakeProvider{events: map[string][]tfprovider.ListEvent{"x_network": networks(1)}}
	query, _ := ParseQuery("q", []byte(text), map[string]cty.Value{"zone": cty.StringVal("z")})
	found, outcome, diags := discoverAll(t, QuerySource{Query: query, Provider: provider, LocalName: "x"}, estateScope())
	if len(diags) > 0 || len(found) != 1 || found[0].Range.Start.Line != 5 || len(outcome.Enumerated) != 1 {
		t.Error(diags, found, outcome)
	}
	if d := cmp.Diff([]string{"x_network {\"zone\":\"z\"} 101"}, requests(provider.asked)); d != "" {
		t.Error(d)
	}
	query, _ = ParseQuery("q", []byte(text), nil)
	_, _, diags = discoverAll(t, QuerySource{Query: query, Provider: provider, LocalName: "x"}, estateScope())
	if d := cmp.Diff([]string{"8:12 var.zone has no value"}, places(diags, "")); d != "" {
		t.Error(d)
	}
	if strings.Contains(diags[0].Detail, "or a value") || !strings.Contains(diags[0].Detail, "Give the variable a default") {
		t.Errorf("nobody can give it a value: %s", diags[0].Detail)
	}
}

func TestQueryReject(t *testing.T) {
	t.Parallel()
	provider := &fakeProvider{reject: map[string]string{"x_network": "no such zone"}}
	query, _ := ParseQuery("q", []byte("\nlist \"x_network\" \"all\" {\n  provider = x\n}\n"), nil)
	_, outcome, diags := discoverAll(t, QuerySource{Query: query, Provider: provider, LocalName: "x"}, estateScope())
	if d := cmp.Diff([]string{"2:1 no such zone"}, places(outcome.Failed[0].Diagnostics, "")); d != "" || len(diags) > 0 {
		t.Error(d, diags)
	}
}

func FuzzQuery(f *testing.F) {
	for _, s := range []string{
		"list \"x_network\" \"a\" {\n provider = x\n config {\n zone = \"a\"\n }\n}", "list \"x_key\" \"a\" {\n provider = x\n count = 2\n config {\n region = count.index\n }\n}",
		"locals { a = [for x in [1] : x] }\nlist \"x_bucket\" \"a\" {\n provider = x\n limit = local.a[0]\n}", "variable \"v\" {\n default = {}\n}",
		"list \"x_network\" \"a\" {\n provider = x\n config {\n dynamic \"b\" {\n for_each = [1]\n content {}\n }\n }\n}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		query, diags := ParseQuery("q", []byte(text), nil)
		if (query == nil) != diags.HasErrors() {
			t.Fatal(query, diags)
		}
		if query == nil {
			return
		}
		provider := &fakeProvider{}
		_, _, diags = discoverAll(t, QuerySource{Query: query, Provider: provider, LocalName: "x"}, estateScope())
		if diags.HasErrors() && len(provider.asked) > 0 {
			t.Fatalf("%q was asked for in spite of faults", text)
		}
		for _, req := range provider.asked {
			if !req.Config.IsWhollyKnown() {
				t.Fatalf("%q asks with an unknown configuration", text)
			}
		}
	})
}

// TestQueryBesideList holds that a query's limit counts where the whole list
// leaves its types out, and that it matters no more where the list does not.
func TestQueryBesideList(t *testing.T) {
	t.Parallel()
	provider := &fakeProvider{events: map[string][]tfprovider.ListEvent{
		"x_network": networks(3), "x_bucket": {bucket("b", "eu")}, "x_key": {},
	}}
	query, diags := ParseQuery("q.tfquery.hcl", []byte(`
list "x_network" "first" {
  provider = x
  limit    = 1
}
list "x_key" "none" {
  provider = x
  count    = 0
}
list "x_bucket" "of_another" {
  provider = y
}`), nil)
	if len(diags) > 0 {
		t.Fatal(diags.Err())
	}
	source := QuerySource{Query: query, Provider: provider, LocalName: "x"}
	if d := cmp.Diff([]string{"x_key", "x_network"}, source.Types()); d != "" {
		t.Error(d)
	}
	for name, tt := range map[string]struct {
		except []string
		found  int
		want   Coverage
	}{
		"left out": {source.Types(), 2, Coverage{
			Enumerated: []string{"x_bucket", "x_key"}, Truncated: []string{"x_network"}, NotEnumerable: []string{"x_bucket_policy", "x_role"},
		}},
		"listed whole": {nil, 4, Coverage{
			Enumerated: []string{"x_bucket", "x_key", "x_network"}, NotEnumerable: []string{"x_bucket_policy", "x_role"},
		}},
	} {
		got, _ := Run(t.Context(), estateScope(), []Source{source, List{Provider: provider, Except: tt.except}})
		if d := cmp.Diff(tt.want, got.Coverage); d != "" || len(got.Found) != tt.found {
			t.Errorf("%s: %d found; %s", name, len(got.Found), d)
		}
	}
}
