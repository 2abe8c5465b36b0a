package install_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/install"
)

// smallDisk is a cache on a disk of its own, with room for so many pages of
// content, and for so many files and directories. grow makes the disk large.
// Where nobody may mount one the test is skipped: what it adds to those with
// limited files is how the system itself behaves.
func smallDisk(t *testing.T, pages, files int) (cache plugin.Cache, grow func()) {
	t.Helper()
	dir := t.TempDir()
	mount := func(flags uintptr, pages, files int) error {
		return syscall.Mount("small", dir, "tmpfs", flags, fmt.Sprintf("nr_blocks=%d,nr_inodes=%d", pages, files))
	}
	if err := mount(0, pages, files); err != nil {
		t.Skipf("no disk can be mounted here: %s", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return plugin.Cache{Root: filepath.Join(dir, "plugins")}, func() {
		if err := mount(syscall.MS_REMOUNT, ample, ample); err != nil {
			t.Fatal(err)
		}
	}
}

// ample is room for everything.
const ample = 1000

// TestSmallDisk has disks with room for so many files or so much content, from
// none on until there is enough: each has the installation fail somewhere else.
func TestSmallDisk(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		size  func(n int) (pages, files int)
		codes []string
	}{
		"files":   {func(n int) (int, int) { return ample, n }, []string{"PI0004", "PS0003", "XX0002", "XX0003"}},
		"content": {func(n int) (int, int) { return n, ample }, []string{"PS0003", "XX0002", "XX0003"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			codes := map[string]bool{}
			for n := 1; ; n++ {
				w, _, task := newChild(t)
				pages, files := c.size(n)
				cache, grow := smallDisk(t, pages, files)
				said := homeAt(t, cache, w).installText(t.Context(), t, task.Text)
				if said == "" {
					break
				}
				code, _, _ := strings.Cut(said, " ")
				codes[code] = true
				wantNoRoom(t, cache.Root, "", said)
				wantSound(t, cache, w)
				wantTidy(t, cache)
				grow()
				mended(t, cache, w, task)
			}
			if diff := cmp.Diff(c.codes, slices.Sorted(maps.Keys(codes))); diff != "" {
				t.Errorf("said first (-want +got):\n%s", diff)
			}
		})
	}
}

// TestShipOnSmallDisk has our plugins copied to such disks: a file can have no
// second name on another one.
func TestShipOnSmallDisk(t *testing.T) {
	t.Parallel()
	_, task := newOwn(t, "one ")
	program := strings.Repeat("page", 3<<10)
	writeTree(t, task.Own, map[string]string{"pulumi-resource-terraform-bridge": program})
	want := map[string]string{}
	for path, content := range shipped("") {
		if want[path] = content; filepath.Base(path) != ".formation" {
			want[path] = program
		}
	}
	req := install.ShipRequest{Dir: task.Own, Plugins: install.OwnPlugins(ownVersion())}
	for name, size := range map[string]func(n int) (pages, files int){
		"files":   func(n int) (int, int) { return ample, n },
		"content": func(n int) (int, int) { return n, ample },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for n := 1; ; n++ {
				pages, files := size(n)
				cache, grow := smallDisk(t, pages, files)
				h := &home{install.New(install.Options{Cache: cache}), cache}
				got, diags := h.Ship(t.Context(), req)
				if !diags.HasErrors() {
					h.wantTree(t, want)
					break
				}
				for _, d := range diags {
					wantNoRoom(t, cache.Root, "PI0004", d.Code+" "+d.Error())
				}
				if len(got)+len(diags) != len(req.Plugins) {
					t.Errorf("%d: there are %d, and it is said: %v", n, len(got), diags)
				}
				for _, g := range got {
					if text, err := os.ReadFile(g.Path); err != nil || string(text) != program {
						t.Errorf("%d: the %s is %d bytes, %v", n, g.Plugin, len(text), err)
					}
				}
				wantTidy(t, cache)
				grow()
				task.shipInto(t, h)
				h.wantTree(t, want)
			}
		})
	}
}

// TestEightOnSmallDisk has eight processes share what little room there is:
// none for the lock, or none for what comes last.
func TestEightOnSmallDisk(t *testing.T) {
	t.Parallel()
	for name, room := range map[string]struct{ pages, files int }{
		"lock": {ample, 2}, "last": {11, ample},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _, task := newChild(t)
			cache, grow := smallDisk(t, room.pages, room.files)
			task.Cache = cache.Root
			for _, e := range runAll(t, eight(task)) {
				e.wantNoRoom(t, "")
			}
			wantSound(t, cache, w)
			wantTidy(t, cache)
			grow()
			for _, e := range runAll(t, eight(task)) {
				e.wantDone(t)
			}
			homeAt(t, cache, w).wantTree(t, chained(w))
		})
	}
}

// TestGitOnSmallDisk has disks with room for a part of what git writes. Whatever
// git makes of that, nothing is installed that is not whole.
func TestGitOnSmallDisk(t *testing.T) {
	t.Parallel()
	w := newGitWorld(t)
	for n := 1; ; n += 3 {
		cache, grow := smallDisk(t, n, ample)
		w.cache = cache
		if said := w.install(t.Context(), t); said == "" {
			break
		} else if !strings.HasPrefix(said, "PS00") || !strings.Contains(said, "git says: ") {
			t.Errorf("%d: it is said: %s", n, said)
		}
		w.wantNothing(t)
		wantTidy(t, cache)
		grow()
		if said := w.install(t.Context(), t); said != "" {
			t.Errorf("%d: it is said: %s", n, said)
		}
		w.wantWhole(t)
	}
	w.wantWhole(t)
}
