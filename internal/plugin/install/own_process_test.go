package install_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/blang/semver/v4"

	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/install"
)

// ownVersion is that of our plugins.
func ownVersion() semver.Version { return semver.MustParse("0.3.0") }

// ownSteps are all the places where putting one of our plugins into the cache
// can be killed: it is an executable.
var ownSteps = []string{"locked", "staged", "filled", "marked", "emptied", "moved", "ready", "unmarked"}

// build is a program that is our plugins, as large as any other.
func build(text string) string { return strings.Repeat(text, 1<<18) }

// newOwn is the task to put a build of our plugins into a new cache.
func newOwn(t *testing.T, text string) (*home, childTask) {
	t.Helper()
	h := offline(t)
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{"pulumi-resource-terraform-bridge" + plugin.ExecutableExtensions()[0]: build(text)})
	return h, childTask{Cache: h.cache.Root, Server: "http://127.0.0.1:9", Own: dir, Ship: true}
}

// newOwnOver is newOwn for a cache with an earlier build; "" for none.
func newOwnOver(t *testing.T, text, before string) (*home, childTask) {
	t.Helper()
	h, task := newOwn(t, text)
	if before != "" {
		_, earlier := newOwn(t, before)
		earlier.shipInto(t, h)
	}
	return h, task
}

// kept are files of the cache with our plugins of these names.
func kept(text string, names ...string) map[string]string {
	out := map[string]string{}
	for _, name := range names {
		dir := fmt.Sprintf("resource-%s-v%s/", name, ownVersion())
		out[dir+"pulumi-resource-"+name+plugin.ExecutableExtensions()[0]], out[dir+".formation"] = build(text), ""
	}
	return out
}

// shipped is the cache with our plugins.
func shipped(text string) map[string]string {
	return kept(text, "terraform-bridge", "terraform-provider")
}

// wantOwnSound fails where one of our plugins counts as installed and is not
// of one of some builds, or is not to be mended by us.
func wantOwnSound(t *testing.T, cache plugin.Cache, builds ...string) {
	t.Helper()
	listed, diags := install.New(install.Options{Cache: cache}).List(t.Context())
	wantCodes(t, diags)
	for _, e := range listed {
		if e.State != plugin.Installed {
			if want := "formation plugin install --own resource " + e.Name + " 0.3.0"; e.Mend != want {
				t.Errorf("%s is to be mended so: %s", e.Name, e.Mend)
			}
			continue
		}
		got, whole := tree(t, e.Dir), false
		for _, text := range builds {
			whole = whole || got["pulumi-resource-"+e.Name+plugin.ExecutableExtensions()[0]] == build(text)
		}
		if _, marked := got[".formation"]; !whole || !marked {
			t.Errorf("%s is installed, and has %d files", e.Name, len(got))
		}
	}
}

// TestKilledShipping ends the process that puts our plugins into the cache, or
// replaces an earlier build there, at each step.
func TestKilledShipping(t *testing.T) {
	t.Parallel()
	for _, before := range []string{"", "one "} {
		for n, step := range ownSteps {
			t.Run(fmt.Sprintf("%q over %q", step, before), func(t *testing.T) {
				t.Parallel()
				h, task := newOwnOver(t, "two ", before)
				task.KillAt, task.Count = step, 1+n%2 // the one and the other
				task.wantKilled(t)
				wantOwnSound(t, h.cache, before, "two ")
				task.shipInto(t, h)
				h.wantTree(t, shipped("two "))
			})
		}
	}
}

// shipInto puts our plugins into a cache in this process.
func (task childTask) shipInto(t *testing.T, h *home) {
	t.Helper()
	_, diags := h.Ship(t.Context(), install.ShipRequest{Dir: task.Own, Plugins: install.OwnPlugins(ownVersion())})
	wantCodes(t, diags)
}

// wantKilled fails unless a process came to the step where it kills itself.
func (task childTask) wantKilled(t *testing.T) {
	t.Helper()
	if e := task.end(t); e.err == nil {
		t.Fatalf("the step was not reached\n%s", e.out)
	}
}

// TestEightShip has eight processes put our plugins into the cache, or replace
// an earlier build there, one of which is killed.
func TestEightShip(t *testing.T) {
	t.Parallel()
	for _, before := range []string{"", "one "} {
		for _, step := range []string{"filled", "emptied"} {
			t.Run(fmt.Sprintf("%q over %q", step, before), func(t *testing.T) {
				t.Parallel()
				h, task := newOwnOver(t, "two ", before)
				tasks := eight(task)
				tasks[0].KillAt = step
				for _, e := range runAll(t, tasks) {
					if e.task.KillAt == "" {
						e.wantDone(t)
					}
				}
				h.wantTree(t, shipped("two "))
				wantTidy(t, h.cache)
			})
		}
	}
}

// TestShipOnFullDisk has a disk that is full from a step on, with one of our
// plugins and then with the other. The programs get second names, which takes
// no room; markers do.
func TestShipOnFullDisk(t *testing.T) {
	t.Parallel()
	needLimits(t)
	first := []string{"PI0004 terraform-bridge", "PI0004 terraform-provider", ""}
	for n, step := range ownSteps {
		for count := range 2 {
			said := first[count]
			if n > 2 { // its marker stands
				said = first[count+1]
			}
			t.Run(fmt.Sprintf("%s %d", step, count+1), func(t *testing.T) {
				t.Parallel()
				h, task := newOwn(t, "one ")
				task.FullAt, task.Count = step, count+1
				e := task.end(t)
				if said == "" {
					e.wantDone(t)
				} else {
					e.wantNoRoom(t, said)
				}
				wantOwnSound(t, h.cache, "one ")
				wantTidy(t, h.cache)
				task.shipInto(t, h)
				h.wantTree(t, shipped("one "))
			})
		}
	}
}

// TestEightShipOnFullDisk has none of eight processes say that it did it.
func TestEightShipOnFullDisk(t *testing.T) {
	t.Parallel()
	needLimits(t)
	h, task := newOwn(t, "one ")
	task.FullAt = "filled"
	for _, e := range runAll(t, eight(task)) {
		e.wantNoRoom(t, "PI0004 terraform-bridge")
	}
	h.wantTree(t, map[string]string{})
	wantTidy(t, h.cache)
	task.shipInto(t, h)
	h.wantTree(t, shipped("one "))
}

// newKeep is the task to install what a project needs, which is a plugin of
// ours beside this program.
func newKeep(t *testing.T) (*home, childTask) {
	t.Helper()
	h, task := newOwn(t, "one ")
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{
		"Pulumi.yaml": "name: shop\nruntime: toy\npackages:\n  terraform-bridge:\n    source: terraform-bridge\n    version: 0.3.0\n",
	})
	task.Project = filepath.Join(dir, "Pulumi.yaml")
	return h, task
}

// TestKilledKeeping ends the process that has a project's plugin of ours put
// into the cache, at each step.
func TestKilledKeeping(t *testing.T) {
	t.Parallel()
	for _, step := range ownSteps {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			h, task := newKeep(t)
			task.KillAt = step
			task.wantKilled(t)
			wantOwnSound(t, h.cache, "one ")
			task.KillAt = ""
			task.end(t).wantDone(t)
			h.wantTree(t, kept("one ", "terraform-bridge"))
		})
	}
}

// TestEightKeep has eight processes install what a project needs, on a full
// disk and then with room.
func TestEightKeep(t *testing.T) {
	t.Parallel()
	needLimits(t)
	h, task := newKeep(t)
	task.FullAt = "locked"
	for _, e := range runAll(t, eight(task)) {
		e.wantNoRoom(t, "PI0004 terraform-bridge")
	}
	h.wantTree(t, map[string]string{})
	task.FullAt = ""
	for _, e := range runAll(t, eight(task)) {
		e.wantDone(t)
	}
	h.wantTree(t, kept("one ", "terraform-bridge"))
}
