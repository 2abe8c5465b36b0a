package build_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/formation-iac/formation/internal/testkit/build"
)

// TestBinary asks for one binary from many tests at once: all get one path, and
// it runs.
func TestBinary(t *testing.T) {
	t.Parallel()
	paths := make([]string, 8)
	var group sync.WaitGroup
	for i := range paths {
		group.Go(func() { paths[i] = build.Binary(t, "terraform-provider-broken") })
	}
	group.Wait()
	for _, path := range paths {
		if path != paths[0] {
			t.Errorf("two paths for one binary: %s, %s", paths[0], path)
		}
	}
	if got := filepath.Base(paths[0]); strings.TrimSuffix(got, ".exe") != "terraform-provider-broken" {
		t.Errorf("the binary is called %s", got)
	}
	cmd := exec.CommandContext(t.Context(), paths[0])
	cmd.Env = append(cmd.Environ(), "BROKEN_MODE=exit")
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "wrong phase") {
		t.Errorf("running it: %v\n%s", err, out)
	}
}
