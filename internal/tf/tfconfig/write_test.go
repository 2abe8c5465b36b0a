package tfconfig

import (
	"math"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/testkit/tfcli"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

func optional(name string, ty cty.Type) *tfschema.Attribute {
	return &tfschema.Attribute{Name: name, Type: ty, Optional: true}
}

// sampleSchema and sampleConfig have one of each thing that is laid out in a
// way of its own.
func sampleSchema() *tfschema.Block {
	rule := &tfschema.Block{Attributes: []*tfschema.Attribute{
		optional("cidrs", cty.Set(cty.String)),
		{Name: "port", Type: cty.Number, Required: true},
	}}
	return &tfschema.Block{
		Attributes: []*tfschema.Attribute{
			{Name: "arn", Type: cty.String, Computed: true},
			optional("anything", cty.DynamicPseudoType),
			optional("empty_map", cty.Map(cty.String)),
			optional("fraction", cty.Number),
			{Name: "name", Type: cty.String, Required: true},
			optional("policy", cty.String),
			optional("script", cty.String),
			optional("shape", cty.Object(map[string]cty.Type{"color": cty.String, "size": cty.Number})),
			optional("tags", cty.Map(cty.String)),
			optional("zones", cty.List(cty.String)),
		},
		Blocks: []*tfschema.NestedBlock{
			{Name: "rule", Nesting: tfschema.NestingSet, Block: rule},
			{Name: "timeouts", Nesting: tfschema.NestingSingle, Block: &tfschema.Block{Attributes: []*tfschema.Attribute{optional("create", cty.String)}}},
		},
	}
}

func sampleConfig() cty.Value {
	rule := func(port int64, cidrs ...cty.Value) cty.Value {
		return cty.ObjectVal(map[string]cty.Value{"port": cty.NumberIntVal(port), "cidrs": cty.SetVal(cidrs)})
	}
	zone := cty.StringVal(strings.Repeat("z", 40))
	return cty.ObjectVal(map[string]cty.Value{
		"arn":       cty.NullVal(cty.String),
		"anything":  cty.ObjectVal(map[string]cty.Value{"labels": cty.TupleVal([]cty.Value{cty.True, cty.NumberIntVal(1)}), "list": cty.ListVal([]cty.Value{cty.StringVal("a")})}),
		"empty_map": cty.MapValEmpty(cty.String),
		"fraction":  cty.NumberFloatVal(0.1),
		"name":      cty.StringVal("Größe ${x} 世界"),
		"policy":    cty.StringVal(`{"Statement":[{"Action":["a:*","b:*"],"Effect":"Allow"}],"Version":"1"}`),
		"script":    cty.StringVal("#!/bin/sh\n\n  echo \"${HOME}\" %{x}\n"),
		"shape":     cty.ObjectVal(map[string]cty.Value{"color": cty.NullVal(cty.String), "size": cty.NumberIntVal(3)}),
		"tags":      cty.MapVal(map[string]cty.Value{"cost-center": cty.StringVal("7"), "a.b": cty.StringVal("x"), "for": cty.StringVal("y")}),
		"zones":     cty.ListVal([]cty.Value{zone, zone, cty.StringVal("short")}),
		"rule":      cty.SetVal([]cty.Value{rule(443, cty.StringVal("b"), cty.StringVal("a")), rule(80, cty.StringVal("c"))}),
		"timeouts":  cty.NullVal(cty.Object(map[string]cty.Type{"create": cty.String})),
	})
}

const sampleText = `# Made by hand,
#
# once.
resource "x_thing" "main" {
  name = "Größe $${x} 世界"
  anything = {
    labels = [true, 1]
    list   = tolist(["a"])
  }
  empty_map = {}
  fraction  = 0.1
  policy = jsonencode({
    Statement = [
      {
        Action = ["a:*", "b:*"]
        Effect = "Allow"
      },
    ]
    Version = "1"
  })
  script = <<-EOT
    #!/bin/sh

      echo "$${HOME}" %%{x}
  EOT
  shape = {
    color = null
    size  = 3
  }
  tags = {
    "a.b"       = "x"
    cost-center = "7"
    "for"       = "y"
  }
  zones = [
    "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
    "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
    "short",
  ]
  # Linked.
  role     = x_role.main.arn
  objects  = "$$${x_bucket.b.arn}/*\u0024${x_bucket.c["k"].arn}"
  provider = x.north

  rule {
    port  = 80
    cidrs = ["c"]
  }

  rule {
    port  = 443
    cidrs = ["a", "b"]
  }

  lifecycle {
    ignore_changes = [name, tags["a.b"], rule[0].port]
  }

  timeouts {}
}

terraform {
  required_providers {
    x = {
      source  = "example.com/ns/x"
      version = "1.2.3"
    }
  }
}
`

// sampleFile is sampleText before it is printed.
func sampleFile(t *testing.T) []*Block {
	t.Helper()
	body, diags := Lower(sampleSchema(), sampleConfig())
	if len(diags) > 0 {
		t.Fatal(diags.Err())
	}
	key := Ref("x_bucket", "c")
	key.Traversal = append(key.Traversal, hcl.TraverseIndex{Key: cty.StringVal("k")}, hcl.TraverseAttr{Name: "arn"})
	ignored := List{[]Expr{Ref("name"), Ref("tags"), Ref("rule")}}
	tags, port := ignored.Items[1].(Reference), ignored.Items[2].(Reference)
	ignored.Items[1] = Reference{append(tags.Traversal, hcl.TraverseIndex{Key: cty.StringVal("a.b")})}
	ignored.Items[2] = Reference{append(port.Traversal, hcl.TraverseIndex{Key: cty.NumberIntVal(0)}, hcl.TraverseAttr{Name: "port"})}
	body.Attributes = append(body.Attributes,
		Attribute{Name: "role", Expr: Ref("x_role", "main", "arn"), Comment: "Linked."},
		Attribute{Name: "objects", Expr: Template{[]Expr{Text("$"), Ref("x_bucket", "b", "arn"), Text("/*$"), key}}},
		Attribute{Name: "provider", Expr: Template{[]Expr{Ref("x", "north")}}},
	)
	body.Blocks = append(body.Blocks,
		&Block{Type: "lifecycle", Body: &Body{Attributes: []Attribute{{Name: "ignore_changes", Expr: ignored}}}},
		&Block{Type: "timeouts"})
	source := Object{[]ObjectItem{{"source", Text("example.com/ns/x")}, {"version", Text("1.2.3")}}}
	return []*Block{
		{Type: "resource", Labels: []string{"x_thing", "main"}, Body: body, Comment: "Made by hand,\n\nonce."},
		{Type: "terraform", Body: &Body{Blocks: []*Block{
			{Type: "required_providers", Body: &Body{Attributes: []Attribute{{Name: "x", Expr: source}}}},
		}}},
	}
}

func TestPrint(t *testing.T) {
	t.Parallel()
	want := strings.Replace(sampleText, `"$$${`, `"\u0024${`, 1)
	if diff := cmp.Diff(want, string(Print(sampleFile(t)))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := Print(nil); len(got) != 0 {
		t.Errorf("no blocks give %q", got)
	}
}

// TestPrintPassesFmt lets the real command lines judge the layout.
func TestPrintPassesFmt(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"tofu", "terraform"} {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			path, dir := tfcli.Find(t, tool), t.TempDir()
			files := map[string][]byte{"sample.tf": Print(sampleFile(t))}
			for seed := range uint64(100) {
				g := newGenerator(seed)
				schema := g.block(2)
				body, _ := Lower(schema, g.config(schema))
				plainLabels(body)
				files["random_"+string(rune('a'+seed%26))+string(rune('a'+seed/26))+".tf"] = Print([]*Block{{Type: "resource", Labels: []string{"a_b", "c"}, Body: body}})
			}
			for name, src := range files {
				if err := os.WriteFile(filepath.Join(dir, name), src, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			client := tfcli.New(t, path, tfcli.Options{Dir: dir})
			if result := client.Run(t, "fmt", "-check", "-diff"); result.ExitCode != 0 {
				t.Errorf("exit %d\n%s%s", result.ExitCode, result.Stdout, result.Stderr)
			}
		})
	}
}

// plainLabels replaces labels by words: terraform fmt drops labels that hold
// escapes.
func plainLabels(body *Body) {
	for _, b := range body.Blocks {
		for i := range b.Labels {
			b.Labels[i] = "key"
		}
		plainLabels(b.Body)
	}
}

func TestLowerSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	schema := &tfschema.Block{
		Attributes: []*tfschema.Attribute{
			optional("a b", cty.String), optional("bytes", cty.String), optional("infinite", cty.Number),
			optional("keys", cty.Map(cty.String)), optional("later", cty.String), optional("list", cty.List(cty.String)),
		},
		Blocks: []*tfschema.NestedBlock{{Name: "many", Nesting: tfschema.NestingList, Block: &tfschema.Block{}}},
	}
	body, diags := Lower(schema, cty.ObjectVal(map[string]cty.Value{
		"a b":      cty.StringVal("x"),
		"bytes":    cty.StringVal("\xff"),
		"infinite": cty.NumberFloatVal(math.Inf(1)),
		"keys":     cty.MapVal(map[string]cty.Value{"\xff": cty.StringVal("v"), "k": cty.StringVal("v")}),
		"later":    cty.UnknownVal(cty.String),
		"list":     cty.ListVal([]cty.Value{cty.StringVal("x"), cty.UnknownVal(cty.String)}).Mark("secret"),
		"many":     cty.UnknownVal(cty.List(cty.EmptyObject)),
	}))
	var got []string
	for _, d := range diags {
		got = append(got, d.Code+" "+ctyx.PathString(d.Path))
	}
	want := []string{
		"TC0104 a b", "TC0102 bytes", "TC0103 infinite", "TC0102 keys[\"\xff\"]", "TC0101 later", "TC0101 list[1]", "TC0101 many",
	}
	if diff := cmp.Diff(want[:3], got[:3]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(got) != len(want) {
		t.Errorf("got %q, want %q", got, want)
	}
	const text = "keys = {\n  k = \"v\"\n}\nlist = [\"x\"]\n"
	if diff := cmp.Diff(text, string(PrintBody(body))); diff != "" {
		t.Errorf("what is left (-want +got):\n%s", diff)
	}
	if _, diags := Lower(schema, cty.StringVal("x")); len(diags) != 1 || diags[0].Code != "TC0105" {
		t.Errorf("not an object: %v", diags)
	}
}

func TestLowerIsDeterministic(t *testing.T) {
	t.Parallel()
	for seed := range uint64(50) {
		g := newGenerator(seed)
		schema := g.block(2)
		config := g.config(schema)
		first, _ := Lower(schema, config)
		second, _ := Lower(schema, config)
		if diff := cmp.Diff(string(PrintBody(first)), string(PrintBody(second))); diff != "" {
			t.Fatalf("seed %d:\n%s", seed, diff)
		}
	}
}

func TestHeredocs(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ text, want string }{
		"lines":             {"a\nb\n", "<<-EOT\n  a\n  b\nEOT"},
		"one line":          {"a\n", `"a\n"`},
		"no final newline":  {"a\nb", `"a\nb"`},
		"the marker inside": {"EOT\n  EOT2\n", "<<-EOT3\n  EOT\n    EOT2\nEOT3"},
		"all indented":      {"  a\n    b\n", "<<EOT\n  a\n    b\nEOT"},
		"carriage returns":  {"a\r\nb\r\n", `"a\r\nb\r\n"`},
		"trailing blanks":   {"a \nb\n", `"a \nb\n"`},
		"blank lines":       {"a\n\n\nb\n", "<<-EOT\n  a\n\n\n  b\nEOT"},
		"templates":         {"${a}\n%{b}\n", "<<-EOT\n  $${a}\n  %%{b}\nEOT"},
		"doubled signs":     {"$${a}\n$\n", "\"$\\u0024{a}\\n$\\n\""},
		"tabs":              {"a:\n\tb\n", "<<-EOT\n  a:\n  \tb\nEOT"},
		"combining":         {"a\n\u0301b\n", "<<EOT\na\n\u0301b\nEOT"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := literal(cty.StringVal(tc.text), layout{heredoc: true})
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if !readsAs(got, tc.text) {
				t.Errorf("%s does not read back", got)
			}
		})
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	third, _ := new(big.Float).SetPrec(24).SetString("0.333333")
	cases := []struct {
		want string
		v    cty.Value
	}{
		{"0", cty.Zero},
		{"-7", cty.NumberIntVal(-7)},
		{"1152921504606846976", cty.NumberFloatVal(1 << 60)},
		{"0.1", cty.NumberFloatVal(0.1)},
		{"0.1", cty.MustParseNumberVal("0.1")},
		{"1e+300", cty.MustParseNumberVal("1e300")},
		{"1e+300", cty.NumberFloatVal(1e300)},
		{"1.5e-70", cty.MustParseNumberVal("1.5e-70")},
		{"1606938044258990275541962092341162602522202993782792835301376", cty.NumberVal(new(big.Float).SetMantExp(new(big.Float).SetPrec(100).SetInt64(1), 200))},
		{"0.3333329856395721435546875", cty.NumberVal(third)},
	}
	for _, tc := range cases {
		got := numberText(tc.v.AsBigFloat())
		if tc.want != got {
			t.Errorf("%s is written as %s", tc.want, got)
		}
		if back := cty.MustParseNumberVal(got); !back.RawEquals(AsWritten(tc.v)) {
			t.Errorf("%s reads back as %#v", got, back)
		}
	}
}

func TestDocuments(t *testing.T) {
	t.Parallel()
	cases := map[string]bool{
		`{"a":1}`: true, `[1,"x",null]`: true, `{"a":"\u003c"}`: true,
		`{"a": 1}`: false, `{"b":1,"a":2}`: false, `{"a":"<"}`: false, `{"a":1.0}`: false, `{"a":1,"a":2}`: false,
		`{}`: false, `[]`: false, `"a"`: false, `5`: false, `{"a":1} `: false, `{`: false, ``: false,
	}
	for text, want := range cases {
		if _, got := document(text); got != want {
			t.Errorf("%s: jsonencode is %t, want %t", text, got, want)
		}
	}
	if got, ok := CanonicalJSON(" {\"b\": \"<\", \"a\": 1.0}\n"); !ok || got != `{"a":1,"b":"\u003c"}` {
		t.Errorf("canonical form: %s, %t", got, ok)
	}
}
