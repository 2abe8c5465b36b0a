package packages_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/base/diag"
)

// TestAddAtOnce adds packages to one project at once: none loses what another
// wrote.
func TestAddAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "nodejs")
	w.write(t, "package.json", "{}\n")
	var wait sync.WaitGroup
	told := make([]diag.List, 6)
	for i := range told {
		p := w.packages(t)
		wait.Go(func() {
			_, told[i] = p.Add(t.Context(), wide(t, "--provider-name", fmt.Sprintf("wide%d", i)))
		})
	}
	wait.Wait()
	manifest, dependencies := w.read(t, "Pulumi.yaml"), w.read(t, "package.json")
	for i, diags := range told {
		noErrors(t, diags)
		name := fmt.Sprintf("wide%d", i)
		if !strings.Contains(manifest, "\n  "+name+":") || !strings.Contains(dependencies, `"file:sdks/`+name+`"`) {
			t.Errorf("%s is lost:\n%s%s", name, manifest, dependencies)
		}
	}
	if left, err := filepath.Glob(filepath.Join(w.dir, "sdks", ".*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestLeftovers finds what another process left that was ended, beside an SDK
// that is half written.
func TestLeftovers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "nodejs")
	w.write(t, "package.json", "{}\n")
	for _, dir := range []string{"sdks/.wide-123", "sdks/.wide-123.old", "sdks/wide"} {
		if err := os.MkdirAll(filepath.Join(w.dir, dir), 0o755); err != nil {
			t.Fatal(err)
		}
		w.write(t, filepath.Join(dir, "half.ts"), "export cons")
	}
	w.write(t, "sdks/.lock", "")
	_, diags := w.packages(t).Add(t.Context(), wide(t))
	noErrors(t, diags)
	got := tree(t, w.dir)
	for name := range got {
		if strings.HasPrefix(name, "/sdks/.") || strings.Contains(name, "half") {
			t.Errorf("%s is there still", name)
		}
	}
	fresh := newWorld(t, "nodejs")
	fresh.write(t, "package.json", "{}\n")
	_, diags = fresh.packages(t).Add(t.Context(), wide(t))
	noErrors(t, diags)
	if diff := cmp.Diff(tree(t, fresh.dir), got); diff != "" {
		t.Error(diff)
	}
}

// TestNothingLeft has a mistake in a file of the project leave no trace.
func TestNothingLeft(t *testing.T) {
	t.Parallel()
	for runtime, file := range map[string]string{"nodejs": "package.json", "go": "go.mod"} {
		w := newWorld(t, runtime)
		w.write(t, file, "{ nonsense")
		before := tree(t, w.dir)
		_, diags := w.packages(t).Add(t.Context(), wide(t))
		wantCode(t, diags, "PG0011", file)
		if diff := cmp.Diff(before, tree(t, w.dir)); diff != "" {
			t.Error(diff)
		}
		if _, err := os.Stat(filepath.Join(w.dir, "sdks")); err == nil {
			t.Error("an empty sdks is left")
		}
	}
}
