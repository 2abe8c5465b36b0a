package tflang

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// consoles are the clients whose answers are compared with ours, and the
// tables that each of them knows.
var consoles = []struct {
	program string
	tables  []string
}{
	{"terraform", []string{"testdata/functions.txt"}},
	{"tofu", []string{"testdata/functions.txt", "testdata/opentofu.txt"}},
}

// TestAgainstConsoles asks a real client, in one process for the whole table
// each, for the values and for the types of all expressions.
func TestAgainstConsoles(t *testing.T) {
	t.Parallel()
	ran := false
	for _, c := range consoles {
		if _, err := exec.LookPath(c.program); err != nil {
			continue
		}
		ran = true
		t.Run(c.program, func(t *testing.T) {
			t.Parallel()
			compareConsole(t, c.program, c.tables)
		})
	}
	if !ran && os.Getenv("CI") == "true" {
		t.Fatal("neither terraform nor tofu is on the PATH")
	}
	if !ran {
		t.Skip("neither terraform nor tofu is on the PATH")
	}
}

func compareConsole(t *testing.T, program string, tables []string) {
	ctx := testContext(t, NewHost(moduleDir, time.Now()))
	var cases []tableCase
	for _, table := range tables {
		cases = append(cases, loadTable(t, table)...)
	}
	var values []string
	for _, c := range cases {
		values = append(values, fmt.Sprintf(`try(jsonencode(nonsensitive(%s)), "error")`, c.expr))
	}
	var answers []string
	text := unquote(t, runConsole(t, program, "jsonencode(["+strings.Join(values, ", ")+"])"))
	if err := json.Unmarshal([]byte(text), &answers); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	types := map[string]cty.Value{}
	var typed []string
	for i, c := range cases {
		v, ok := evalText(t, ctx, c.expr)
		if diff := cmp.Diff(answers[i], render(t, v, ok)); diff != "" {
			t.Errorf("value of %s (-%s +ours):\n%s", c.expr, program, diff)
		}
		if ok {
			types[fmt.Sprintf("e%04d", i)] = v
			typed = append(typed, fmt.Sprintf("e%04d = %s", i, c.expr))
		}
	}
	ours, err := typeFunc().Call([]cty.Value{cty.ObjectVal(types)})
	if err != nil {
		t.Fatal(err)
	}
	ours, _ = ours.Unmark()
	theirs := runConsole(t, program, "type({"+strings.Join(typed, ", ")+"})")
	if diff := cmp.Diff(theirs, ours.AsString()); diff != "" {
		t.Errorf("types (-%s +ours), numbered as the table:\n%s", program, diff)
	}
}

func runConsole(t *testing.T, program, input string) string {
	t.Helper()
	// Both consoles run in one directory at once, and each locks its state: a
	// state of its own keeps them apart.
	own := t.TempDir()
	cmd := exec.CommandContext(t.Context(), program, "console", "-no-color", "-state="+filepath.Join(own, "terraform.tfstate"))
	cmd.Dir = moduleDir
	cmd.Env = append(os.Environ(), "TF_DATA_DIR="+own, "TF_CLI_CONFIG_FILE="+os.DevNull, "CHECKPOINT_DISABLE=1")
	cmd.Stdin = strings.NewReader(input + "\n")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s console: %v\n%s", program, err, stderr.String())
	}
	return strings.TrimSuffix(string(out), "\n")
}

// unquote reads a string as the console prints it.
func unquote(t *testing.T, s string) string {
	t.Helper()
	expr, diags := hclsyntax.ParseExpression([]byte(s), "answer", hcl.InitialPos)
	if diags.HasErrors() {
		return s
	}
	v, diags := expr.Value(nil)
	if diags.HasErrors() || v.Type() != cty.String {
		return s
	}
	return v.AsString()
}
