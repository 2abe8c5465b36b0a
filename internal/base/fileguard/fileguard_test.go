package fileguard_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formation-iac/formation/internal/base/fileguard"
)

// TestAdd changes a file in each way that is to be seen.
func TestAdd(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "f")
	seen := map[string]bool{}
	write := func(file, content string, at int64) error {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			return err
		}
		return os.Chtimes(file, time.Time{}, time.Unix(at, 0))
	}
	for _, step := range []struct {
		do  func() error
		new bool
	}{
		{func() error { return write(file, "a", 1) }, true},
		{func() error { return write(file, "b", 1) }, slices.Contains([]string{"linux", "darwin", "freebsd"}, runtime.GOOS)},
		{func() error { return write(file, "bc", 1) }, true},
		{func() error { return write(file, "bc", 2) }, true},
		{func() error { // another file of the same looks
			if err := write(file+"2", "bc", 2); err != nil {
				return err
			}
			return os.Rename(file+"2", file)
		}, true},
	} {
		time.Sleep(20 * time.Millisecond) // clocks of file systems are coarse
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		var line strings.Builder
		fileguard.Add(&line, "name", info)
		if got := !seen[line.String()]; got != step.new {
			t.Errorf("%q is new: %t", line.String(), got)
		}
		seen[line.String()] = true
	}
}
