package install_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/install"
)

// newFile is the task to install the chain, whose first plugin is in an archive
// of the user's and nowhere else.
func newFile(t *testing.T) (*world, plugin.Cache, childTask) {
	t.Helper()
	w, cache, task := newChild(t)
	dir := t.TempDir()
	w.mu.Lock()
	defer w.mu.Unlock()
	path := archivePath("stack", "1.0.0")
	writeTree(t, dir, map[string]string{"stack.tar.gz": string(w.files[path])})
	delete(w.files, path)
	task.Text, task.File = "stack", filepath.Join(dir, "stack.tar.gz")
	return w, cache, task
}

// wantFileSound is wantSound where the plugin that a task names is from a file.
func wantFileSound(t *testing.T, cache plugin.Cache, want map[string]string, task childTask) {
	t.Helper()
	wantSoundMends(t, cache, want, func(name string) string {
		if name == task.Text {
			return "formation plugin install resource " + name + " 1.0.0 --file " + task.File
		}
		return "formation plugin install resource " + name + " 1.0.0 --exact --server " + task.Server
	})
}

// TestFileKilledAtEveryStep ends the installation of a component from a file at
// each of its own steps: it comes first, and is finished after the tool that it
// needs, and counts as installed after that and the executable.
func TestFileKilledAtEveryStep(t *testing.T) {
	t.Parallel()
	for n, step := range steps {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			w, cache, task := newFile(t)
			task.KillAt = step
			switch {
			case n >= slices.Index(steps, "ready"):
				task.Count = 3
			case n >= slices.Index(steps, "begun"):
				task.Count = 2
			}
			task.wantKilled(t)
			wantFileSound(t, cache, chained(w), task)
			task.fileInto(t, homeAt(t, cache, w))
			homeAt(t, cache, w).wantTree(t, chained(w))
		})
	}
}

// fileInto installs from a file in this process.
func (task childTask) fileInto(t *testing.T, h *home) {
	t.Helper()
	_, diags := h.InstallFile(t.Context(), install.FileRequest{Plugin: concrete(task.Text, "1.0.0"), Path: task.File, Reinstall: task.Reinstall})
	wantCodes(t, diags)
}

// TestFileReplacementKilled ends the installation of an executable in the place
// of an earlier one: that stays, for as long as nothing of it is gone.
func TestFileReplacementKilled(t *testing.T) {
	t.Parallel()
	const installed = "resource-random-v1.0.0/pulumi-resource-random"
	for n, step := range ownSteps {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			h := offline(t)
			h.put(t, concrete("random", "1.0.0"), map[string]string{"pulumi-resource-random": "one"})
			dir := t.TempDir()
			writeTree(t, dir, map[string]string{"program": "two"})
			task := childTask{
				Cache: h.cache.Root, Server: "http://127.0.0.1:9", Text: "random", File: filepath.Join(dir, "program"), Reinstall: true, KillAt: step,
			}
			task.wantKilled(t)
			want := map[string]string{installed: "two"}
			if n < 3 { // before the marker stands
				want[installed] = "one"
			}
			wantFileSound(t, h.cache, want, task)
			task.fileInto(t, h)
			h.wantTree(t, map[string]string{installed: "two"})
		})
	}
}

// TestEightFromFile has eight processes install the chain from a file, one of
// which is killed, and eight on a full disk and then with room.
func TestEightFromFile(t *testing.T) {
	t.Parallel()
	for _, step := range []string{"filled", "dependencies"} {
		t.Run("killed at "+step, func(t *testing.T) {
			t.Parallel()
			w, cache, task := newFile(t)
			tasks := eight(task)
			tasks[0].KillAt = step
			for _, e := range runAll(t, tasks) {
				if e.task.KillAt == "" {
					e.wantDone(t)
				}
			}
			homeAt(t, cache, w).wantTree(t, chained(w))
			wantTidy(t, cache)
		})
	}
	t.Run("full", func(t *testing.T) {
		t.Parallel()
		needLimits(t)
		w, cache, task := newFile(t)
		task.FullAt = "begun"
		for _, e := range runAll(t, eight(task)) {
			e.wantNoRoom(t, "XX0003 tool")
			if !strings.Contains(e.out, "run: formation plugin install resource stack 1.0.0 --file "+task.File) {
				t.Errorf("it is said: %s", e.out)
			}
		}
		wantFileSound(t, cache, chained(w), task)
		wantTidy(t, cache)
		task.FullAt = ""
		for _, e := range runAll(t, eight(task)) {
			e.wantDone(t)
		}
		homeAt(t, cache, w).wantTree(t, chained(w))
	})
}
