package install_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/install"
	"github.com/formation-iac/formation/internal/plugin/source"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// steps are all the places where an installation can be killed, for each
// plugin of the chain.
var steps = []string{"locked", "staged", "filled", "marked", "emptied", "moved", "whole", "begun", "linked", "dependencies", "complete", "ready", "unmarked"}

// wantSound fails where the cache shows something installed that is not, or
// something half-installed without knowing where it comes from.
func wantSound(t *testing.T, cache plugin.Cache, w *world) {
	t.Helper()
	wantSoundMends(t, cache, chained(w), func(name string) string {
		return "formation plugin install resource " + name + " 1.0.0 --exact --server " + w.server.URL
	})
}

// wantSoundMends is wantSound for a cache that is to be want in the end, where
// a command mends a plugin.
func wantSoundMends(t *testing.T, cache plugin.Cache, want map[string]string, command func(name string) string) {
	t.Helper()
	listed, diags := install.New(install.Options{Cache: cache}).List(t.Context())
	wantCodes(t, diags)
	for _, e := range listed {
		if e.State != plugin.Installed {
			if e.Mend != command(e.Name) {
				t.Errorf("%s is to be mended so: %s", e.Name, e.Mend)
			}
			continue
		}
		got := tree(t, e.Dir)
		for path, content := range want {
			dir, file, _ := strings.Cut(path, "/")
			if dir == filepath.Base(e.Dir) && got[file] != content {
				t.Errorf("%s is installed, and its %s is %q", dir, file, got[file])
			}
		}
	}
}

// mended runs the installation again without faults, after which the cache is
// as if nothing had been.
func mended(t *testing.T, cache plugin.Cache, w *world, task childTask) {
	t.Helper()
	w.fail()
	h := homeAt(t, cache, w)
	if said := h.installText(t.Context(), t, task.Text); said != "" {
		t.Fatal(said)
	}
	h.wantTree(t, chained(w))
}

// newChild is the task to install the chain into a new cache.
func newChild(t *testing.T) (*world, plugin.Cache, childTask) {
	t.Helper()
	w := newWorld(t)
	chain(t, w)
	cache := plugin.Cache{Root: filepath.Join(t.TempDir(), "plugins")}
	return w, cache, childTask{Cache: cache.Root, Server: w.server.URL, Text: "acme/stack@1.0.0"}
}

// TestKilledAtEveryStep ends the process at each step, the first time that it
// comes there and the next, by a signal that it cannot catch.
func TestKilledAtEveryStep(t *testing.T) {
	t.Parallel()
	for _, step := range steps {
		counts := 2 // the components
		if step == "moved" || step == "unmarked" {
			counts = 3 // and the executable
		}
		for count := 1; count <= counts; count++ {
			t.Run(fmt.Sprintf("%s %d", step, count), func(t *testing.T) {
				t.Parallel()
				w, cache, task := newChild(t)
				task.KillAt, task.Count = step, count
				if out, err := task.run(t); err == nil {
					t.Fatalf("the step was not reached\n%s", out)
				}
				wantSound(t, cache, w)
				mended(t, cache, w, task)
			})
		}
	}
}

// TestKilledAnywhere ends the process at times spread over its run.
func TestKilledAnywhere(t *testing.T) {
	t.Parallel()
	for n := range 6 {
		w, cache, task := newChild(t)
		cmd := task.command(t)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(n) * 4 * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		wantSound(t, cache, w)
		mended(t, cache, w, task)
	}
}

// TestKilledReinstallation ends a second installation of what is installed.
func TestKilledReinstallation(t *testing.T) {
	t.Parallel()
	for _, step := range []string{"filled", "marked", "emptied", "moved", "begun"} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			w, cache, task := newChild(t)
			mended(t, cache, w, task)
			task.Reinstall, task.KillAt = true, step
			if out, err := task.run(t); err == nil {
				t.Fatalf("the step was not reached\n%s", out)
			}
			wantSound(t, cache, w)
			mended(t, cache, w, task)
		})
	}
}

// netFault is what a network can do, and what is said of it: one of some codes,
// and words.
type netFault struct {
	fault fault
	codes string
	words []string
}

func netFaults(path string) map[string]netFault {
	return map[string]netFault{
		"cut at once":   {fault{path: path, times: -1}, "PS0011 PS0030", []string{"EOF"}},
		"cut in middle": {fault{path: path, after: 40, times: -1}, "PS0011 PS0030", []string{"broke"}},
		"404":           {fault{path: path, status: 404, times: -1}, "PS0010 PS0026", nil},
		"403":           {fault{path: path, status: 403, times: -1}, "PS0011 PS0029 PS0026", nil},
		"out of order":  {fault{path: path, status: 500, times: -1}, "PS0011 PS0030", []string{"500"}},
	}
}

// TestNetworkFaults has every fault of the network at every step that needs
// it: the registry, the first download, and those of dependencies.
func TestNetworkFaults(t *testing.T) {
	t.Parallel()
	for step, path := range map[string]string{
		"resolve": "/api/registry/", "download": "resource-stack", "dependency": "resource-tool", "its dependency": "resource-random",
	} {
		for name, f := range netFaults(path) {
			t.Run(step+" "+name, func(t *testing.T) {
				t.Parallel()
				w, cache, task := newChild(t)
				w.fail(&f.fault)
				d, diags := source.Describe(task.Text, source.Wish{Kind: plugin.Resource, Exact: true})
				wantCodes(t, diags)
				_, diags = homeAt(t, cache, w).Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{d}})
				if !diags.HasErrors() {
					t.Fatal("it did not fail")
				}
				said := diags[0].Error()
				if !strings.Contains(f.codes, diags[0].Code) {
					t.Errorf("said: %v", diags[0])
				}
				if step != "resolve" && !strings.Contains(said, strings.TrimPrefix(path, "resource-")+" 1.0.0") {
					t.Errorf("it is not said what failed: %s", said)
				}
				for _, words := range f.words {
					if step != "resolve" && !strings.Contains(said, words) {
						t.Errorf("%q is not in: %s", words, said)
					}
				}
				wantSound(t, cache, w)
				mended(t, cache, w, task)
			})
		}
	}
}

// TestFailedReinstallation has what is installed stay where nothing better
// comes.
func TestFailedReinstallation(t *testing.T) {
	t.Parallel()
	faults := netFaults("random")
	faults["wrong checksum"] = netFault{fault{path: "elsewhere"}, "PS0021", nil}
	for name, f := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.publish(t, "random", "1.0.0", binary("random", "one"))
			h := newHome(t, w)
			req := install.Request{Descriptors: []plugin.Descriptor{w.wish(t, "random@1.0.0")}}
			_, diags := h.Install(t.Context(), req)
			wantCodes(t, diags)
			w.publish(t, "random", "1.0.0", binary("random", "two"))
			w.fail(&f.fault)
			req.Reinstall = true
			req.Descriptors[0].Checksums = plugin.Checksums{plugin.CurrentPlatform().String(): bytes.Repeat([]byte{1}, 32)}
			_, diags = h.Install(t.Context(), req)
			if !diags.HasErrors() || !strings.Contains(f.codes, diags[0].Code) {
				t.Errorf("it is said: %v", diags)
			}
			p := concrete("random", "1.0.0")
			if state, err := h.cache.State(p); state != plugin.Installed || err != nil {
				t.Errorf("it is %s, %v", state, err)
			}
			if diff := cmp.Diff(binary("random", "one"), tree(t, h.cache.Dir(p))); diff != "" {
				t.Errorf("what was there (-want +got):\n%s", diff)
			}
			w.fail()
			req.Descriptors[0].Checksums = nil
			_, diags = h.Install(t.Context(), req)
			wantCodes(t, diags)
			h.wantTree(t, map[string]string{"resource-random-v1.0.0/pulumi-resource-random": "two", "resource-random-v1.0.0/README": "about random"})
		})
	}
}

// TestPassingFaults has faults that end while it is tried again.
func TestPassingFaults(t *testing.T) {
	t.Parallel()
	w, cache, task := newChild(t)
	w.fail(&fault{path: "/api/", status: 503, times: 2}, &fault{path: "resource-stack", after: 40, times: 3}, &fault{path: "resource-tool", status: 500, times: 2}, &fault{path: "resource-random", times: 4})
	if out, err := task.run(t); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	homeAt(t, cache, w).wantTree(t, chained(w))
}

// TestWrongChecksum has an archive that is not the one expected, at each
// download of the chain.
func TestWrongChecksum(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"stack", "tool", "random"} {
		w := newWorld(t)
		chain(t, w)
		h := newHome(t, w)
		d := w.wish(t, name+"@1.0.0")
		d.Checksums = plugin.Checksums{plugin.CurrentPlatform().String(): bytes.Repeat([]byte{1}, 32)}
		_, diags := h.Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{d}})
		wantCodes(t, diags, "PS0021")
		h.wantTree(t, map[string]string{})
		if n := w.count(archivePath(name, "1.0.0")); n != 1 {
			t.Errorf("%s was downloaded %d times", name, n)
		}
	}
}

// TestWrongChecksumOfDependency has archives that are not those expected, for
// as long as the server is at fault.
func TestWrongChecksumOfDependency(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	sum := sha256.Sum256(tarball(t, binary("random", "one")))
	w.publish(t, "random", "1.0.0", binary("random", "another"))
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{"Pulumi.yaml": fmt.Sprintf(
		"name: shop\nruntime: toy\npackages:\n  random:\n    source: random\n    version: 1.0.0\n    pluginDownloadURL: %s\n    checksums:\n      %s: %x\n",
		w.server.URL, plugin.CurrentPlatform(), sum)})
	m, diags := project.Load(filepath.Join(dir, "Pulumi.yaml"))
	wantCodes(t, diags)
	h := newHome(t, w)
	_, diags = h.InstallProject(t.Context(), install.ProjectRequest{Project: m})
	wantCodes(t, diags, "PS0021", "PI0013")
	h.wantTree(t, map[string]string{})
	w.publish(t, "random", "1.0.0", binary("random", "one"))
	_, diags = h.InstallProject(t.Context(), install.ProjectRequest{Project: m})
	wantCodes(t, diags)
	h.wantTree(t, map[string]string{"resource-random-v1.0.0/pulumi-resource-random": "one", "resource-random-v1.0.0/README": "about random"})
}

// TestHostileArchive refuses a plugin that writes elsewhere, and leaves
// nothing of it.
func TestHostileArchive(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	files := binary("random", "one")
	files["../../evil"] = "x"
	w.publish(t, "random", "1.0.0", files)
	h := newHome(t, w)
	_, diags := h.Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{w.wish(t, "random@1.0.0")}})
	wantCodes(t, diags, "PS0022")
	h.wantTree(t, map[string]string{})
}

// TestEightProcesses installs the chain from eight processes at once, with
// faults that some of them meet, and with one that is killed at each step.
func TestEightProcesses(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		faults []*fault
		killAt string
	}{
		"undisturbed": {},
		"cut":         {faults: []*fault{{path: "resource-stack", after: 40, times: 4}, {path: "resource-random", times: 4}}},
		"in disorder": {faults: []*fault{{path: "/api/", status: 503, times: 4}, {path: "resource-tool", status: 500, times: 4}}},
	}
	for _, step := range []string{"filled", "moved", "linked", "dependencies"} {
		cases["killed at "+step] = struct {
			faults []*fault
			killAt string
		}{killAt: step}
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, cache, task := newChild(t)
			w.fail(c.faults...)
			tasks := eight(task)
			tasks[0].KillAt = c.killAt
			for _, e := range runAll(t, tasks) {
				if e.task.KillAt == "" {
					e.wantDone(t)
				}
			}
			homeAt(t, cache, w).wantTree(t, chained(w))
			if n := w.count(archivePath("random", "1.0.0")); n != 1 && c.killAt == "" && len(c.faults) == 0 {
				t.Errorf("%d downloads", n)
			}
		})
	}
}

// TestEightRefused has eight processes meet a fault that does not pass. Each
// says so, and the next run finishes the job.
func TestEightRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault    fault
		checksum bool
		code     string
	}{
		"cut":      {fault: fault{path: "resource-stack", after: 40, times: -1}, code: "PS0011"},
		"403":      {fault: fault{path: "resource-random", status: 403, times: -1}, code: "PS0011"},
		"checksum": {checksum: true, code: "PS0021"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, cache, task := newChild(t)
			w.fail(&c.fault)
			refused := task
			if c.checksum {
				refused.Text, refused.Checksum = "stack@1.0.0|"+w.server.URL, bytes.Repeat([]byte{1}, 32)
			}
			for _, e := range runAll(t, eight(refused)) {
				if e.err == nil || !strings.HasPrefix(e.out, c.code+" ") {
					t.Errorf("%v\n%s", e.err, e.out)
				}
			}
			wantSound(t, cache, w)
			wantTidy(t, cache)
			mended(t, cache, w, task)
		})
	}
}

// TestProjectByEight has eight processes install what a project needs, one of
// which is killed.
func TestProjectByEight(t *testing.T) {
	t.Parallel()
	for _, killAt := range []string{"", "dependencies"} {
		t.Run(killAt, func(t *testing.T) {
			t.Parallel()
			w, cache, task, dir := newProject(t)
			task.Ballast = 4 << 20
			tasks := eight(task)
			tasks[0].KillAt = killAt
			for _, e := range runAll(t, tasks) {
				if e.task.KillAt == "" {
					e.wantDone(t)
				}
			}
			wantProject(t, cache, w, dir)
		})
	}
}

// newProject is the task to install what a project in a directory needs, which
// is the chain.
func newProject(t *testing.T) (w *world, cache plugin.Cache, task childTask, dir string) {
	t.Helper()
	w, cache, task = newChild(t)
	dir = t.TempDir()
	writeTree(t, dir, map[string]string{
		"Pulumi.yaml": "name: shop\nruntime: toy\npackages:\n  stack:\n    source: stack\n    version: 1.0.0\n    pluginDownloadURL: " + w.server.URL + "\n",
	})
	task.Project = filepath.Join(dir, "Pulumi.yaml")
	return w, cache, task, dir
}

// wantProject fails unless the project has all that it needs.
func wantProject(t *testing.T, cache plugin.Cache, w *world, dir string) {
	t.Helper()
	homeAt(t, cache, w).wantTree(t, chained(w))
	if got := tree(t, dir); got["sdks/stack"] != "stack " || got["dependencies"] != "of toy" {
		t.Errorf("the project has %v", got)
	}
}

// TestKilledRemoval ends a removal, after which nothing counts as installed
// that is not whole. What is left goes with the next runs.
func TestKilledRemoval(t *testing.T) {
	t.Parallel()
	for _, step := range []string{"locked", "moved", "ready", "unmarked"} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			w, cache, task := newChild(t)
			mended(t, cache, w, task)
			task.Remove, task.KillAt = true, step
			if e := task.end(t); e.err == nil {
				t.Fatalf("the step was not reached\n%s", e.out)
			}
			wantSound(t, cache, w)
			task.KillAt = ""
			task.end(t).wantDone(t)
			mended(t, cache, w, task)
		})
	}
}

// TestRemovedMeanwhile has half of eight processes remove what the others
// install.
func TestRemovedMeanwhile(t *testing.T) {
	t.Parallel()
	w, cache, task := newChild(t)
	tasks := eight(task)
	for n := range tasks {
		tasks[n].Remove = n%2 == 0
	}
	for _, e := range runAll(t, tasks) {
		if e.task.Remove {
			e.wantDone(t)
		}
	}
	wantSound(t, cache, w)
	wantTidy(t, cache)
	tasks[0].end(t).wantDone(t)
	homeAt(t, cache, w).wantTree(t, map[string]string{})
	mended(t, cache, w, task)
}

// TestEightReinstallations has those that replace what others use.
func TestEightReinstallations(t *testing.T) {
	t.Parallel()
	w, cache, task := newChild(t)
	tasks := eight(task)
	for n := range tasks {
		tasks[n].Reinstall = n%2 == 0
	}
	for _, e := range runAll(t, tasks) {
		e.wantDone(t)
	}
	homeAt(t, cache, w).wantTree(t, chained(w))
}
