package install_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/install"
)

// needLimits skips the test where files cannot be limited.
func needLimits(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("files cannot be limited here")
	}
}

// fullDisk is how systems, and git, say that the disk is full.
var fullDisk = regexp.MustCompile(`(?i)file too large|no space left on device|unable to write`)

// nextStep is how messages end that speak of a full disk.
var nextStep = regexp.MustCompile(`room on (the|its) disk|the cause is mended, run: formation plugin install`)

// wantNoRoom fails unless a process says that the disk is full, where, and what
// is to be done. first is the code of what it says first and the plugin that
// this is about, or "" for any.
func (e ending) wantNoRoom(t *testing.T, first string) {
	t.Helper()
	var failed *exec.ExitError
	if !errors.As(e.err, &failed) || failed.ExitCode() != 1 {
		t.Errorf("it ended so: %v\n%s", e.err, e.out)
	}
	wantNoRoom(t, e.task.Cache, first, e.out)
}

func wantNoRoom(t *testing.T, cache, first, said string) {
	t.Helper()
	code, name, _ := strings.Cut(first, " ")
	line, _, _ := strings.Cut(said, "\n")
	if !strings.HasPrefix(line, code) || !strings.Contains(line, name) || !strings.Contains(line, cache) || !fullDisk.MatchString(line) || !nextStep.MatchString(said) {
		t.Errorf("wanted is %s, and it is said: %s", first, said)
	}
}

// wantTidy fails where the cache holds what is neither a plugin's nor one of
// the files that may stand beside it.
func wantTidy(t *testing.T, cache plugin.Cache) {
	t.Helper()
	beside := regexp.MustCompile(`\.(lock|partial|download|download\.json)$`)
	entries, err := os.ReadDir(cache.Root)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() == beside.MatchString(e.Name()) || strings.HasPrefix(e.Name(), ".") {
			t.Errorf("%s is left", e.Name())
		}
	}
}

// firsts are for each step what is said first where no byte can be written from
// then on, the first time that it is reached, and the next: nothing where there
// is nothing more to write.
var firsts = map[string][]string{
	"locked":       {"PS0003 stack", "PS0003 tool", "PS0003 random", "PI0004 tool", "PI0004 stack"},
	"staged":       {"PS0003 stack"},
	"filled":       {"PI0004 stack", "PI0004 tool", "PI0004 random"},
	"marked":       {"PI0004 stack"},
	"emptied":      {"PI0004 stack"},
	"moved":        {"PI0004 stack", "PI0004 tool", "PI0004 tool"},
	"whole":        {"PS0003 tool", "PS0003 random"},
	"begun":        {"XX0003 tool", "XX0003 stack"},
	"linked":       {"XX0002 tool", "XX0002 stack"},
	"dependencies": {"PI0004 tool", "PI0004 stack"},
	"complete":     {"PI0004 stack", ""},
	"ready":        {"PI0004 tool", ""},
	"unmarked":     {"PI0004 tool", ""},
}

// TestFullFromEveryStep has a disk that is full from a step on, so that the
// very next byte fails: of a download, a marker, an SDK, what a language needs.
func TestFullFromEveryStep(t *testing.T) {
	t.Parallel()
	needLimits(t)
	if len(firsts) != len(steps) {
		t.Fatal("a step is missing")
	}
	for _, step := range steps {
		for n, first := range firsts[step] {
			t.Run(fmt.Sprintf("%s %d", step, n+1), func(t *testing.T) {
				t.Parallel()
				w, cache, task := newChild(t)
				task.FullAt, task.Count = step, n+1
				e := task.end(t)
				if first == "" {
					e.wantDone(t)
				} else {
					e.wantNoRoom(t, first)
				}
				wantSound(t, cache, w)
				wantTidy(t, cache)
				mended(t, cache, w, task)
			})
		}
	}
}

// TestEightOnFullDisk has eight processes that want the same on a full disk.
// None says that it did it, and when there is room they do.
func TestEightOnFullDisk(t *testing.T) {
	t.Parallel()
	needLimits(t)
	for _, step := range []string{"filled", "dependencies"} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			w, cache, task := newChild(t)
			task.FullAt = step
			for _, e := range runAll(t, eight(task)) {
				e.wantNoRoom(t, firsts[step][0])
			}
			wantSound(t, cache, w)
			wantTidy(t, cache)
			task.FullAt = ""
			for _, e := range runAll(t, eight(task)) {
				e.wantDone(t)
			}
			homeAt(t, cache, w).wantTree(t, chained(w))
		})
	}
}

// TestProjectOnFullDisk has eight processes install what a project needs: they
// say that there is no room, and do it when there is.
func TestProjectOnFullDisk(t *testing.T) {
	t.Parallel()
	needLimits(t)
	w, cache, task, dir := newProject(t)
	task.FullAt = "locked"
	for _, e := range runAll(t, eight(task)) {
		e.wantNoRoom(t, firsts["locked"][0])
	}
	wantSound(t, cache, w)
	wantTidy(t, cache)
	task.FullAt = ""
	for _, e := range runAll(t, eight(task)) {
		e.wantDone(t)
	}
	wantProject(t, cache, w, dir)
}

// TestFullReinstallation has a disk that is full when what is installed is to
// be replaced: it stays, for as long as nothing of it is gone.
func TestFullReinstallation(t *testing.T) {
	t.Parallel()
	needLimits(t)
	for step, c := range map[string]struct {
		first string
		left  plugin.State
	}{
		"staged": {"PS0003 stack", plugin.Installed},
		"filled": {"PI0004 stack", plugin.Installed},
		"marked": {"PI0004 stack", plugin.Present},
		"moved":  {"PI0004 stack", plugin.Present},
		"whole":  {"PI0004 stack", plugin.Present},
		"linked": {"XX0002 stack", plugin.Present},
	} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			w, cache, task := newChild(t)
			mended(t, cache, w, task)
			task.Reinstall, task.FullAt = true, step
			task.end(t).wantNoRoom(t, c.first)
			if state, err := cache.State(concrete("stack", "1.0.0")); state != c.left || err != nil {
				t.Errorf("it is %s, %v", state, err)
			}
			wantSound(t, cache, w)
			wantTidy(t, cache)
			task.FullAt = ""
			task.end(t).wantDone(t)
			homeAt(t, cache, w).wantTree(t, chained(w))
		})
	}
}

// TestRemoveOnFullDisk makes room: that takes none.
func TestRemoveOnFullDisk(t *testing.T) {
	t.Parallel()
	needLimits(t)
	w, cache, task := newChild(t)
	mended(t, cache, w, task)
	task.Remove, task.FullAt = true, "locked"
	task.end(t).wantDone(t)
	homeAt(t, cache, w).wantTree(t, map[string]string{})
}

// TestFileOnFullDisk installs from files of the user's, which are not at fault.
func TestFileOnFullDisk(t *testing.T) {
	t.Parallel()
	needLimits(t)
	dir := t.TempDir()
	random := binary("random", strings.Repeat("one", 100))
	writeTree(t, filepath.Join(dir, "tree"), random)
	writeTree(t, dir, map[string]string{"program": random["pulumi-resource-random"], "archive": string(tarball(t, random))})
	for _, name := range []string{"program", "tree", "archive"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := offline(t)
			task := childTask{Cache: h.cache.Root, Server: "http://127.0.0.1:9", Text: "random", File: filepath.Join(dir, name), FullAt: "staged"}
			task.end(t).wantNoRoom(t, "PI0004 random")
			h.wantTree(t, map[string]string{})
			wantTidy(t, h.cache)
			task.FullAt = ""
			task.end(t).wantDone(t)
			if got := tree(t, h.cache.Dir(concrete("random", "1.0.0"))); got["pulumi-resource-random"] != random["pulumi-resource-random"] {
				t.Errorf("the cache has %v", got)
			}
		})
	}
}

// TestNoLockForProject has a cache that cannot be, in which those meet who
// install into a project.
func TestNoLockForProject(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{"Pulumi.yaml": "name: shop\nruntime: toy\n", "file": ""})
	h := homeAt(t, plugin.Cache{Root: filepath.Join(dir, "file", "plugins")}, newWorld(t))
	_, diags := h.InstallProject(t.Context(), install.ProjectRequest{Project: load(t, filepath.Join(dir, "Pulumi.yaml"))})
	wantCodes(t, diags, "PI0004")
	if said := diags[0].Error(); !strings.HasPrefix(said, "Cannot install what "+dir+" needs: ") || !strings.Contains(said, h.cache.Root) {
		t.Errorf("it is said: %s", said)
	}
}

// TestObstructions has steps that fail though nothing is written.
func TestObstructions(t *testing.T) {
	t.Parallel()
	random := concrete("random", "1.0.0")
	for name, c := range map[string]struct {
		// at is the step after which something is in the way of a path; or "",
		// where it is there before all.
		at   string
		path func(plugin.Cache, plugin.Concrete) string
	}{
		"locking":     {"", plugin.Cache.Lock},
		"downloading": {"", plugin.Cache.Download},
		"marking":     {"filled", plugin.Cache.Partial},
		"moving":      {"emptied", plugin.Cache.Dir},
		"unmarking":   {"moved", plugin.Cache.Partial},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.publish(t, "random", "1.0.0", binary("random", "one"))
			h := newHome(t, w)
			path := c.path(h.cache, random)
			if c.at == "" {
				obstruct(t, path)
			}
			h.OnStep(func(step string) {
				if step == c.at {
					obstruct(t, path)
				}
			})
			req := install.Request{Descriptors: []plugin.Descriptor{w.wish(t, "random@1.0.0")}}
			got, diags := h.Install(t.Context(), req)
			if !diags.HasErrors() || got[0].Path != "" || !strings.Contains(diags[0].Error(), path) || !nextStep.MatchString(diags[0].Error()) {
				t.Errorf("it is said: %v, and the result is %+v", diags, got)
			}
			if state, err := h.cache.State(random); state == plugin.Installed {
				t.Errorf("it is %s, %v", state, err)
			}
			h.OnStep(func(string) {})
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
			_, diags = h.Install(t.Context(), req)
			wantCodes(t, diags)
			h.wantTree(t, map[string]string{"resource-random-v1.0.0/pulumi-resource-random": "one", "resource-random-v1.0.0/README": "about random"})
		})
	}
}

// obstruct puts in the place of a file what can be neither written nor removed
// nor replaced.
func obstruct(t *testing.T, path string) {
	t.Helper()
	if err := errors.Join(os.RemoveAll(path), os.MkdirAll(filepath.Join(path, "in the way"), 0o755)); err != nil {
		t.Error(err)
	}
}

// TestFullDisk has files that may not grow beyond a size, which strikes where
// the first file of that size is written.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	needLimits(t)
	for name, c := range map[string]struct {
		limit   uint64
		ballast int
		first   string
	}{
		"download":     {limit: 100, first: "PS0003 stack"},
		"unpacking":    {limit: 2000, first: "PS0003 random"},
		"linking":      {limit: 200 << 10, ballast: 300 << 10, first: "XX0003 tool"},
		"dependencies": {limit: 200 << 10, ballast: 300 << 10, first: "XX0002 tool"},
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
			task.end(t).wantNoRoom(t, c.first)
			wantSound(t, cache, w)
			if name == "unpacking" {
				w.publish(t, "random", "1.0.0", binary("random", "one"))
			}
			mended(t, cache, w, task)
		})
	}
}
