package install_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/parallel"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/install"
	"github.com/formation-iac/formation/internal/plugin/source"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// childVariable makes the test binary a process that installs; its value is a
// childTask.
const childVariable = "PLUGIN_INSTALL_TEST_CHILD"

type childTask struct {
	Cache, Server string
	// Environ is what is added to the environment.
	Environ []string
	// One of these says what to do: install what Text is, as one would type
	// it, and "|" and a server behind that; install what the project at a path
	// needs; install version 1.0.0 of what Text names from a file; put our
	// plugins into the cache; or remove all that the cache has.
	Text    string
	Project string
	File    string
	Ship    bool
	Remove  bool
	// Own is where the programs are that are our plugins; or "".
	Own string

	Reinstall bool
	// Checksum is what the archive of Text should have; or nil.
	Checksum []byte
	// KillAt is a step at which the process kills itself, FullAt one from
	// which on the disk has no room for another byte: the Count'th time that
	// it comes there. Both may be "".
	KillAt, FullAt string
	Count          int
	// FileLimit is how many bytes a file may have before the disk is full; or 0.
	FileLimit uint64
	// Ballast is how many bytes a step writes, and removes again: linking, or
	// installing dependencies where Heavy.
	Ballast int
	Heavy   bool
}

func TestMain(m *testing.M) {
	if task := os.Getenv(childVariable); task != "" {
		os.Exit(childMain(task))
	}
	os.Exit(m.Run())
}

// childMain prints diagnostics by code and text, one on a line.
func childMain(text string) int {
	var task childTask
	err := json.Unmarshal([]byte(text), &task)
	if err == nil && task.FileLimit > 0 {
		err = limitFiles(task.FileLimit)
	}
	var i *install.Installer
	if err == nil {
		i, err = task.installer()
	}
	if err != nil {
		fmt.Println(err)
		return 2
	}
	diags := task.perform(i)
	for _, d := range diags {
		fmt.Println(d.Code, d.Error())
	}
	if diags.HasErrors() {
		return 1
	}
	return 0
}

func (task childTask) installer() (*install.Installer, error) {
	sources, diags := source.New(source.Options{Env: environment(), Environ: os.Environ(), Clock: impatient()})
	if len(diags) > 0 {
		return nil, diags.Err()
	}
	registry, err := source.NewHTTPRegistry(sources.Client(), task.Server, "")
	if err != nil {
		return nil, err
	}
	i := install.New(install.Options{
		Cache: plugin.Cache{Root: task.Cache}, Sources: sources, Registry: registry, Env: environment(),
		Language: toy{before: task.weighing(task.Heavy)}, Linker: pen{before: task.weighing(!task.Heavy)},
		Own: install.Own{Dir: task.Own, Version: ownVersion()}, Ambient: task.beside,
	})
	seen := map[string]int{}
	i.OnStep(func(step string) {
		if seen[step]++; seen[step] != max(1, task.Count) {
			return
		}
		switch step {
		case task.KillAt:
			killSelf()
		case task.FullAt:
			if err := limitFiles(0); err != nil {
				fmt.Println(err)
				os.Exit(2)
			}
		}
	})
	return i, nil
}

// perform does what the task says.
func (task childTask) perform(i *install.Installer) diag.List {
	ctx := context.Background()
	switch {
	case task.Project != "":
		m, diags := project.Load(task.Project)
		if !diags.HasErrors() {
			_, diags = i.InstallProject(ctx, install.ProjectRequest{Project: m})
		}
		return diags
	case task.File != "":
		_, diags := i.InstallFile(ctx, install.FileRequest{Plugin: concrete(task.Text, "1.0.0"), Path: task.File, Reinstall: task.Reinstall})
		return diags
	case task.Ship:
		_, diags := i.Ship(ctx, install.ShipRequest{Dir: task.Own, Plugins: install.OwnPlugins(ownVersion())})
		return diags
	case task.Remove:
		entries, diags := i.Match(install.Filter{})
		if !diags.HasErrors() {
			_, diags = i.Remove(ctx, entries)
		}
		return diags
	}
	name, server, _ := strings.Cut(task.Text, "|")
	d, diags := source.Describe(name, source.Wish{Kind: plugin.Resource, Exact: true, Server: server})
	if task.Checksum != nil {
		d.Checksums = plugin.Checksums{plugin.CurrentPlatform().String(): task.Checksum}
	}
	if !diags.HasErrors() {
		_, diags = i.Install(ctx, install.Request{Descriptors: []plugin.Descriptor{d}, Reinstall: task.Reinstall})
	}
	return diags
}

// beside finds plugins of ours beside each other.
func (task childTask) beside(kind plugin.Kind, name string) (path string, ok bool) {
	path = filepath.Join(task.Own, plugin.Executable(kind, name)+plugin.ExecutableExtensions()[0])
	_, err := os.Stat(path)
	return path, task.Own != "" && err == nil
}

func (task childTask) weighing(here bool) func(string) error {
	if !here {
		return nil
	}
	return task.weigh
}

// weigh writes as much as the task says, to find out whether there is room, and
// whether somebody else is at work here.
func (task childTask) weigh(dir string) error {
	if task.Ballast == 0 {
		return nil
	}
	path := filepath.Join(dir, "ballast")
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(bytes.Repeat([]byte("x"), task.Ballast))
	return errors.Join(err, f.Close(), os.Remove(path))
}

func killSelf() {
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		_ = self.Kill()
	}
	time.Sleep(time.Minute) // the end comes from outside
}

// run runs a process and returns what it prints.
func (task childTask) run(t *testing.T) (out string, err error) {
	t.Helper()
	cmd := task.command(t)
	printed, err := cmd.CombinedOutput()
	return string(printed), err
}

func (task childTask) command(t *testing.T) *exec.Cmd {
	t.Helper()
	text, err := json.Marshal(task)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	// With -race, a process waits a second for others to race as it ends.
	cmd.Env = slices.Concat(os.Environ(), task.Environ, []string{
		childVariable + "=" + string(text), "GORACE=" + os.Getenv("GORACE") + " atexit_sleep_ms=0",
	})
	return cmd
}

// ending is how a process ended.
type ending struct {
	task childTask
	out  string
	err  error
}

// end runs a process to its end.
func (task childTask) end(t *testing.T) ending {
	t.Helper()
	out, err := task.run(t)
	return ending{task, out, err}
}

// runAll runs processes at once.
func runAll(t *testing.T, tasks []childTask) []ending {
	t.Helper()
	return parallel.Map(t.Context(), len(tasks), tasks, func(_ context.Context, task childTask) ending {
		return task.end(t)
	})
}

// eight is a task for eight processes.
func eight(task childTask) []childTask { return slices.Repeat([]childTask{task}, 8) }

// wantDone fails unless a process did what it was to do.
func (e ending) wantDone(t *testing.T) {
	t.Helper()
	if e.err != nil {
		t.Errorf("%v\n%s", e.err, e.out)
	}
}
