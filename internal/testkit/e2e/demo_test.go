package e2e_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/formation-iac/formation/internal/testkit/build"
)

// TestDemo runs what `make demo` runs: 60 resources that no code knew of,
// imported, proven, and judged by the tools on the PATH.
func TestDemo(t *testing.T) {
	t.Parallel()
	programs := t.TempDir()
	for _, name := range []string{"estate-server", "terraform-provider-estate"} {
		if err := os.Symlink(build.Binary(t, name), filepath.Join(programs, name)); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(t.TempDir(), "imported")
	cmd := exec.CommandContext(t.Context(), build.Command(t, "cmd/formation"), "demo", "--json", "--programs", programs, "--out", out)
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir(), "TF_CLI_CONFIG_FILE=")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, stdout, stderr.String())
	}
	var got struct {
		Import struct {
			Proven bool
			Report struct {
				Summary map[string]int
			}
		}
		Judges []struct{ Tool, Verdict string }
	}
	if err := json.Unmarshal(stdout, &got); err != nil {
		t.Fatal(err)
	}
	summary := got.Import.Report.Summary
	if !got.Import.Proven || summary["imported"] != 60 || summary["no_op"] != 60 || summary["links"] < 60 {
		t.Errorf("proven: %t, summary: %v", got.Import.Proven, summary)
	}
	var tools []string
	for _, j := range got.Judges {
		tools = append(tools, j.Tool)
		if j.Verdict != "no changes" {
			t.Errorf("%s says: %s", j.Tool, j.Verdict)
		}
	}
	if os.Getenv("CI") == "true" && !strings.Contains(strings.Join(tools, " "), "tofu") {
		t.Errorf("tofu did not judge: %v", tools)
	}
}
