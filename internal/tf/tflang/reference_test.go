package tflang

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

func mustParse(t testing.TB, src string) hclsyntax.Expression {
	t.Helper()
	expr, diags := hclsyntax.ParseExpression([]byte(src), "expr", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return expr
}

func TestReferences(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		`var.a.b + local.c`: "var.a local.c",
		`each.value.x`:      "each.value",
		`"${path.module}/${terraform.workspace}"`: "path.module terraform.workspace",
		`tofu.workspace`:           "tofu.workspace",
		`module.net["a"].id`:       "module.net",
		`aws_vpc.main[0].id`:       "aws_vpc.main",
		`resource.aws_vpc.main.id`: "aws_vpc.main",
		`data.aws_ami.x.id`:        "data.aws_ami.x",
		`ephemeral.secret.x.value`: "ephemeral.secret.x",
		`self.id`:                  "self",
		`[for x in var.xs : x.y]`:  "var.xs",
		`var`:                      "TL0003",
		`aws_vpc`:                  "TL0003",
		`data.aws_ami`:             "TL0003",
		`var[0]`:                   "TL0003",
		`ephemeral.x`:              "TL0003",
	} {
		refs, diags := References(mustParse(t, src).Variables(), nil)
		var got []string
		for _, r := range refs {
			got = append(got, r.String())
		}
		for _, d := range diags {
			got = append(got, d.Code)
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s: %s", src, diff)
		}
	}
	refs, _ := References(mustParse(t, `aws_vpc.main["k"].id`).Variables(), nil)
	if key := refs[0].Key(); !key.RawEquals(cty.StringVal("k")) {
		t.Errorf("key = %#v", key)
	}
}

const dynamicBody = `
name = var.name
rule {
  port = local.port
}
dynamic "setting" {
  for_each = var.settings
  iterator = s
  content {
    value = s.value.x
    dynamic "inner" {
      for_each = s.value.ys
      content {
        y = inner.value + aws_vpc.main.n
      }
    }
  }
}
`

func TestBodyTraversals(t *testing.T) {
	t.Parallel()
	file, diags := hclsyntax.ParseConfig([]byte(dynamicBody), "x.tf", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	refs, list := References(BodyTraversals(file.Body))
	var got []string
	for _, r := range refs {
		got = append(got, r.String())
	}
	if diff := cmp.Diff("var.name local.port var.settings aws_vpc.main", strings.Join(got, " ")); diff != "" || len(list) > 0 {
		t.Errorf("%s %v", diff, list)
	}
	jsonFile, diags := hcljson.Parse([]byte(`{"name": "${var.name}", "rule": [{"port": "${local.port}"}]}`), "x.tf.json")
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	refs, list = References(BodyTraversals(jsonFile.Body))
	if len(refs) != 2 || refs[1].String() != "local.port" || len(list) > 0 {
		t.Errorf("JSON: %v %v", refs, list)
	}
}

// TestTraversalsIn holds the variables in an expression to those that its own
// method finds.
func TestTraversalsIn(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`1`, `null`, `"plain"`, `""`, `var.a`, `"${var.a}"`, `"x-${var.a}-${local.b}"`, `[]`, `["a", var.a, [local.b]]`,
		`{}`, `{a = var.a, (local.b) = "c", "d-${var.e}" = {f = var.g}, h.i = 1, (j) = 2}`,
		`[for x in var.a : x.b if local.c]`, `{for k, v in var.a : k => [v, local.d]}`, `upper("${var.a}")`, `var.a[local.b].c`,
		`var.a ? [local.b] : {c = x_a.d}`, `(var.a)`, `"%{for x in var.a}${x}${local.b}%{endfor}"`, `x_a.b[*].c`,
	} {
		expr := mustParse(t, text)
		names := func(list []hcl.Traversal) (out []string) {
			for _, found := range list {
				out = append(out, string(found.SourceRange().SliceBytes([]byte(text))))
			}
			return out
		}
		if diff := cmp.Diff(names(expr.Variables()), names(traversalsIn(expr))); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestBindings(t *testing.T) {
	t.Parallel()
	expr := mustParse(t, `"${var.a}-${aws_vpc.x[0].id}-${resource.aws_vpc.x[0].id}-${data.d.y.id}-${self.n}-${module.m.o}-${ephemeral.e.z.s}"`)
	refs, _ := References(expr.Variables(), nil)
	var b Bindings
	for _, r := range refs {
		id := cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal(r.String()), "o": cty.StringVal("out"), "s": cty.StringVal("eph"), "n": cty.StringVal("me")})
		switch {
		case r.Kind == KindVariable:
			id = cty.StringVal("v")
		case r.Resource.Mode == tfaddr.Managed:
			id = cty.TupleVal([]cty.Value{id})
		}
		b.Set(r, id)
	}
	v, diags := Eval(expr, b.Context(nil), cty.String)
	if diags.HasErrors() || v.AsString() != "v-aws_vpc.x-aws_vpc.x-data.d.y-me-out-eph" {
		t.Errorf("%#v %v", v, diags)
	}
}

func FuzzEval(f *testing.F) {
	src, err := os.ReadFile("testdata/functions.txt")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(src)) {
		expr, _, _ := strings.Cut(line, "  =>  ")
		f.Add(expr)
	}
	table := Functions(Host{Dir: f.TempDir(), Now: time.Unix(0, 0), Proof: true})
	f.Fuzz(func(t *testing.T, src string) {
		expr, diags := hclsyntax.ParseExpression([]byte(src), "expr", hcl.InitialPos)
		if diags.HasErrors() {
			return
		}
		References(expr.Variables(), nil)
		ctx := (&Bindings{}).Context(table)
		v, first := Eval(expr, ctx, cty.DynamicPseudoType)
		again, second := Eval(expr, ctx, cty.DynamicPseudoType)
		// The language is pure: what is evaluated twice is the same, type
		// and marks included.
		if first.HasErrors() != second.HasErrors() || !v.RawEquals(again) {
			t.Fatalf("%s: %#v, then %#v", src, v, again)
		}
	})
}
