package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/measure"
)

// TestBench measures everything on the smallest scale. It looks at what was
// recovered, never at how long that took: what such a small run misses of the
// targets for time, under the load of other tests, says nothing.
func TestBench(t *testing.T) {
	t.Parallel()
	provider := build.Tool(t, "terraform-provider-time")
	testkit := t.TempDir()
	for _, name := range []string{"estate-server", "terraform-provider-estate", "terraform-provider-classic", "terraform-provider-wide"} {
		if err := os.Symlink(build.Binary(t, name), filepath.Join(testkit, name)); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr bytes.Buffer
	err := run(t.Context(), []string{
		"--quick", "--json", "--sizes=3,6", "--estates=60", "--links=20", "--truths=classic", "--time-provider=" + provider,
		"--formation=" + build.Command(t, "cmd/formation"), "--bridge=" + build.Command(t, "cmd/pulumi-resource-terraform-bridge"), "--testkit=" + testkit,
	}, &stdout, &stderr)
	if missed := (measure.MissedError)(nil); err != nil && !errors.As(err, &missed) {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	var report measure.Report
	if err := json.Unmarshal(stdout.Bytes(), &report); err != nil {
		t.Fatalf("%v in %s", err, stdout.String())
	}
	checkWhole(t, &report)
	checkTable(t, &report)
}

// checkWhole wants every scenario, and all that exists recovered in each.
func checkWhole(t *testing.T, report *measure.Report) {
	t.Helper()
	percentages, zeros := 0, 0
	for _, f := range report.Figures {
		if f.Unit == "%" {
			percentages++
			if f.Value != 100 {
				t.Errorf("%s: %s is %v %% (%s)", f.Group, f.Name, f.Value, f.Of)
			}
		}
		if f.Target == "0" {
			zeros++
			if f.Value != 0 {
				t.Errorf("%s: %s is %v", f.Group, f.Name, f.Value)
			}
		}
		if (f.Unit == "s" || f.Unit == "ms") && f.Value < 0 {
			t.Errorf("%s: %s took %v %s", f.Group, f.Name, f.Value, f.Unit)
		}
	}
	wantPercentages, wantZeros := 7, 0 // two for each of three imports, and the links
	if judges := judges(); judges > 0 {
		wantPercentages, wantZeros = wantPercentages+4+2*judges, 5+4*judges // of the ground truth
	}
	if percentages != wantPercentages || zeros != wantZeros {
		t.Errorf("%d percentages and %d zeros, want %d and %d", percentages, zeros, wantPercentages, wantZeros)
	}
	const clock = "Import of time_static objects (hashicorp/time)"
	for _, name := range []string{"formation, 3", "formation, 6"} {
		if f, ok := report.Find(clock, name); !ok || f.Value == 0 {
			t.Errorf("no figure %q", name)
		}
	}
	for _, stage := range []string{"start", "discover", "read", "minimise", "link", "write", "prove"} {
		if !slices.ContainsFunc(report.Figures, func(f measure.Figure) bool { return f.Name == stage }) {
			t.Errorf("no figure for stage %s", stage)
		}
	}
}

// judges is how many tools of the PATH judge what was recovered.
func judges() int {
	n := 0
	for _, name := range []string{"tofu", "terraform"} {
		if _, err := exec.LookPath(name); err == nil {
			n++
		}
	}
	return n
}

func checkTable(t *testing.T, report *measure.Report) {
	t.Helper()
	table := report.Table()
	for _, f := range report.Figures {
		if !strings.Contains(table, f.Group+"\n") || !strings.Contains(table, "  "+f.Name+" ") {
			t.Errorf("the table lacks %s: %s", f.Group, f.Name)
		}
	}
}

func TestFlags(t *testing.T) {
	t.Parallel()
	for arg, want := range map[string]string{
		"--sizes=ten": `"ten" is not a positive number`, "--peers=0": `"0" is not a positive number`,
		"--fast": "not defined", "more": `unexpected argument "more"`,
	} {
		if _, _, err := parse([]string{arg}, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", arg, err, want)
		}
	}
	opts, asJSON, err := parse([]string{"--json", "--peers", "4000,8000", "--estates=", "--truths="}, new(bytes.Buffer))
	if err != nil || !asJSON || !slices.Equal(opts.PeerSizes, []int{4000, 8000}) || len(opts.Estates) != 0 || opts.Slow != 0 || len(opts.Truths) != 0 {
		t.Errorf("parsed %+v, %v, %v", opts, asJSON, err)
	}
}
