package tflang

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

const moduleDir = "testdata/module"

// tableCase is one line of testdata/functions.txt: an expression and its
// result as jsonencode writes it, or "error".
type tableCase struct{ expr, want string }

func loadTable(t *testing.T, file string) []tableCase {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []tableCase
	for line := range strings.Lines(string(src)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		expr, want, ok := strings.Cut(line, "  =>  ")
		if !ok {
			t.Fatalf("no result in line %q", line)
		}
		out = append(out, tableCase{expr, want})
	}
	return out
}

// testContext has the locals of testdata/module, which the consoles read.
func testContext(t *testing.T, h Host) *hcl.EvalContext {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(moduleDir, "main.tf"))
	if err != nil {
		t.Fatal(err)
	}
	file, diags := hclsyntax.ParseConfig(src, "main.tf", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	attrs, _ := file.Body.(*hclsyntax.Body).Blocks[0].Body.JustAttributes()
	var b Bindings
	for name, attr := range attrs {
		v, diags := attr.Expr.Value(nil)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		b.Set(Reference{Kind: KindLocal, Root: "local", Name: name}, v)
	}
	return b.Context(Functions(h))
}

func evalText(t *testing.T, ctx *hcl.EvalContext, src string) (cty.Value, bool) {
	t.Helper()
	expr, diags := hclsyntax.ParseExpression([]byte(src), "expr", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatalf("%s: %s", src, diags)
	}
	v, list := Eval(expr, ctx, cty.DynamicPseudoType)
	return v, !list.HasErrors()
}

func render(t *testing.T, v cty.Value, ok bool) string {
	t.Helper()
	if !ok {
		return "error"
	}
	v, _ = v.UnmarkDeep()
	if !v.IsWhollyKnown() {
		return "unknown"
	}
	raw, err := ctyjson.Marshal(v, v.Type())
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestFunctionTable(t *testing.T) {
	t.Parallel()
	ctx := testContext(t, NewHost(moduleDir, time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)))
	for _, c := range append(loadTable(t, "testdata/functions.txt"), loadTable(t, "testdata/opentofu.txt")...) {
		v, ok := evalText(t, ctx, c.expr)
		if diff := cmp.Diff(c.want, render(t, v, ok)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.expr, diff)
		}
	}
}

// TestEveryFunctionHasACase keeps the tables complete.
func TestEveryFunctionHasACase(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for _, file := range []string{"testdata/functions.txt", "testdata/opentofu.txt"} {
		for _, c := range loadTable(t, file) {
			all.WriteString(" " + c.expr)
		}
	}
	for name := range Functions(Host{}) {
		// These have tests of their own: their results are no constants.
		if name == "rsadecrypt" || name == "plantimestamp" || name == "type" {
			continue
		}
		if !strings.HasPrefix(name, CorePrefix) && !regexp.MustCompile(`\b`+name+`\(`).MatchString(all.String()) {
			t.Errorf("function %s is in no table", name)
		}
	}
}
