package install_test

import (
	"runtime"
	"strings"
	"testing"
)

// TestFullDisk has files that may not grow beyond a size, which strikes where
// the first file of that size is written.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("files cannot be limited here")
	}
	for name, c := range map[string]struct {
		limit   uint64
		ballast int
		codes   []string
	}{
		"download":     {limit: 100, codes: []string{"PS0003"}},
		"unpacking":    {limit: 2000, codes: []string{"PS0003", "PI0004"}},
		"linking":      {limit: 200 << 10, ballast: 300 << 10, codes: []string{"XX0003"}},
		"dependencies": {limit: 200 << 10, ballast: 300 << 10, codes: []string{"XX0002"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, cache, task := newChild(t)
			if name == "unpacking" {
				files := binary("random", "one")
				files["zeros"] = strings.Repeat("\x00", 50_000) // a small archive
				w.publish(t, "random", "1.0.0", files)
			}
			task.FileLimit, task.Ballast, task.Heavy = c.limit, c.ballast, name == "dependencies"
			out, err := task.run(t)
			if err == nil {
				t.Fatal("it did not fail")
			}
			said := false
			for _, code := range c.codes {
				said = said || strings.HasPrefix(out, code)
			}
			if !said || !strings.Contains(out, "file too large") {
				t.Errorf("said: %s", out)
			}
			wantSound(t, cache, w)
			if name == "unpacking" {
				w.publish(t, "random", "1.0.0", binary("random", "one"))
			}
			mended(t, cache, w, task)
		})
	}
}
