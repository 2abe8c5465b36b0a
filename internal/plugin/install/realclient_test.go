package install_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/blang/semver/v4"
	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/install"
)

// realPulumi is the pulumi program with a home of its own. Without one on the
// PATH the test is skipped.
type realPulumi struct{ path, home string }

func findPulumi(t *testing.T) realPulumi {
	t.Helper()
	path, err := exec.LookPath("pulumi")
	if err != nil {
		t.Skip("there is no pulumi")
	}
	return realPulumi{path, t.TempDir()}
}

func (p realPulumi) run(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), p.path, args...)
	cmd.Env = append(os.Environ(), "PULUMI_HOME="+p.home, "HOME="+p.home, "PULUMI_SKIP_UPDATE_CHECK=true")
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("pulumi %v: %v\n%s", args, err, out)
	}
	return out
}

// list is what the program lists, as List would.
func (p realPulumi) list(t *testing.T) []string {
	t.Helper()
	var plugins []struct {
		Name, Kind, Version string
		Size                uint64
		InstallTime         time.Time
	}
	if err := json.Unmarshal(p.run(t, "plugin", "ls", "--json"), &plugins); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, l := range plugins {
		out = append(out, fmt.Sprint(l.Kind, " ", l.Name, " ", l.Version, " ", l.Size, " ", l.InstallTime.UnixMilli()))
	}
	slices.Sort(out)
	return out
}

// TestRealClientSharesTheCache has plugins installed by either: both list the
// same, in the same words, and neither installs what the other has.
func TestRealClientSharesTheCache(t *testing.T) {
	t.Parallel()
	real := findPulumi(t)
	w := newWorld(t)
	chain(t, w)
	w.publish(t, "theirs", "2.0.0", binary("theirs", "x"))
	w.publish(t, "both", "3.0.0", binary("both", "x"))
	h := homeAt(t, plugin.Cache{Root: filepath.Join(real.home, "plugins")}, w)
	_, diags := h.Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{w.wish(t, "stack@1.0.0")}})
	wantCodes(t, diags)
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{"pulumi-resource-terraform-bridge": "#!/bin/sh\n", "pulumi-converter-terraform": "#!/bin/sh\n"})
	_, diags = h.Ship(t.Context(), install.ShipRequest{Dir: dir, Plugins: install.OwnPlugins(semver.MustParse("0.3.0"))})
	wantCodes(t, diags)
	real.run(t, "plugin", "install", "resource", "theirs", "v2.0.0", "--server", w.server.URL)
	real.run(t, "plugin", "install", "tool", "wrench", "v0.0.1-rc.1", "-f", filepath.Join(dir, "pulumi-converter-terraform"))
	var all sync.WaitGroup
	for n := range 6 {
		all.Go(func() {
			if n%2 == 0 {
				real.run(t, "plugin", "install", "resource", "both", "v3.0.0", "--server", w.server.URL)
				return
			}
			_, diags := h.Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{w.wish(t, "both@3.0.0"), w.wish(t, "theirs@2.0.0")}})
			if len(diags) > 0 {
				t.Error(diags)
			}
		})
	}
	all.Wait()
	real.run(t, "plugin", "install", "resource", "random", "v1.0.0", "--server", w.server.URL)
	for name, want := range map[string]int{"random": 1, "theirs": 1} {
		if n := w.count(archivePath(name, map[string]string{"random": "1.0.0", "theirs": "2.0.0"}[name])); n != want {
			t.Errorf("%d downloads of %s", n, name)
		}
	}
	listed, diags := h.List(t.Context())
	wantCodes(t, diags)
	var ours []string
	for _, l := range listed {
		if l.State == plugin.Installed {
			ours = append(ours, fmt.Sprint(l.Kind, " ", l.Name, " ", l.Version, " ", l.Size, " ", l.Installed.UnixMilli()))
		}
	}
	slices.Sort(ours)
	if diff := cmp.Diff(real.list(t), ours); diff != "" || len(ours) != 8 {
		t.Errorf("%d plugins (-pulumi +formation):\n%s", len(ours), diff)
	}
}

// TestRealClientMindsTheMarker leaves a plugin present but not installed: the
// program does not list it, and finishes it in its own way.
func TestRealClientMindsTheMarker(t *testing.T) {
	t.Parallel()
	real := findPulumi(t)
	w, _, task := newChild(t)
	w.publish(t, "stack", "1.0.0", binary("stack", "x"))
	task.Cache, task.KillAt = filepath.Join(real.home, "plugins"), "moved"
	if out, err := task.run(t); err == nil {
		t.Fatalf("the step was not reached\n%s", out)
	}
	if got := real.list(t); got != nil {
		t.Errorf("it lists %v", got)
	}
	real.run(t, "plugin", "install", "resource", "stack", "v1.0.0", "--server", w.server.URL)
	h := homeAt(t, plugin.Cache{Root: task.Cache}, w)
	got, diags := h.Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{w.wish(t, "stack@1.0.0")}})
	wantCodes(t, diags)
	if got[0].Fresh {
		t.Error("what the program installed was installed again")
	}
}
