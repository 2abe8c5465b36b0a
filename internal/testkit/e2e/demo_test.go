package e2e_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/formation-iac/formation/internal/testkit/build"
)

// TestDemo runs what `make demo` runs: 60 resources that no code knew of,
// imported, proven, and judged by the tools on the PATH, and then some of a real
// provider.
func TestDemo(t *testing.T) {
	t.Parallel()
	stdout := demo(t, "--json")
	var got struct {
		demoImport
		Real *demoImport `json:"real_provider"`
	}
	if err := json.Unmarshal(stdout, &got); err != nil {
		t.Fatal(err)
	}
	got.check(t, 60)
	if links := got.Import.Report.Summary["links"]; links < 60 {
		t.Errorf("%d links", links)
	}
	build.Tool(t, "terraform-provider-time")
	if got.Real == nil {
		t.Fatal("nothing of a real provider was imported")
	}
	got.Real.check(t, 3)
}

// demoImport is what the demo says of one of its imports.
type demoImport struct {
	Import struct {
		Proven bool
		Report struct {
			Summary map[string]int
		}
	}
	Judges []struct{ Tool, Verdict string }
}

// check holds an import to the number of resources that it is to have.
func (i demoImport) check(t *testing.T, resources int) {
	t.Helper()
	summary := i.Import.Report.Summary
	if !i.Import.Proven || summary["imported"] != resources || summary["no_op"] != resources {
		t.Errorf("proven: %t, summary: %v", i.Import.Proven, summary)
	}
	var tools []string
	for _, j := range i.Judges {
		tools = append(tools, j.Tool)
		if j.Verdict != "no changes" {
			t.Errorf("%s says: %s", j.Tool, j.Verdict)
		}
	}
	if os.Getenv("CI") == "true" && !slices.Contains(tools, "tofu") {
		t.Errorf("tofu did not judge: %v", tools)
	}
}

// demo runs the demo and returns what it prints.
func demo(t *testing.T, args ...string) []byte {
	t.Helper()
	programs := t.TempDir()
	for _, name := range []string{"estate-server", "terraform-provider-estate"} {
		if err := os.Symlink(build.Binary(t, name), filepath.Join(programs, name)); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(t.TempDir(), "imported")
	cmd := exec.CommandContext(t.Context(), build.Command(t, "cmd/formation"), append([]string{"demo", "--programs", programs, "--out", out}, args...)...)
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir(), "TF_CLI_CONFIG_FILE=")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, stdout, stderr.String())
	}
	return stdout
}

// demoOpening is how the demo begins: what was done and how fast, and how
// much of it is right.
var demoOpening = regexp.MustCompile(`^A synthetic estate with 60 resources that no code knew of, imported in [0-9]+\.[0-9][0-9] s\.

Imported 60 of 60 resources from registry\.opentofu\.org/formation-iac/estate\.
  60 proven to need no change, [0-9]+ links, [0-9]+ variables
`)

func TestDemoOpensWithTheSummary(t *testing.T) {
	t.Parallel()
	if text := demo(t); !demoOpening.Match(text) {
		t.Errorf("it opens otherwise:\n%s", text)
	}
}
