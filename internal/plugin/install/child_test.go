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
	"strings"
	"testing"
	"time"

	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/install"
	"github.com/formation-iac/formation/internal/plugin/source"
)

// childVariable makes the test binary a process that installs; its value is a
// childTask.
const childVariable = "PLUGIN_INSTALL_TEST_CHILD"

type childTask struct {
	Cache, Server string
	// Text is what to install, as one would type it.
	Text      string
	Reinstall bool
	// KillAt is a step at which the process kills itself, the KillCount'th
	// time that it comes there; or "".
	KillAt    string
	KillCount int
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
	if err := json.Unmarshal([]byte(text), &task); err != nil {
		fmt.Println(err)
		return 2
	}
	if err := limitFiles(task.FileLimit); err != nil {
		fmt.Println(err)
		return 2
	}
	sources, diags := source.New(source.Options{Env: environment(), Environ: os.Environ()})
	registry, err := source.NewHTTPRegistry(sources.Client(), task.Server, "")
	if err != nil || len(diags) > 0 {
		fmt.Println(err, diags)
		return 2
	}
	i := install.New(install.Options{
		Cache: plugin.Cache{Root: task.Cache}, Sources: sources, Registry: registry, Env: environment(),
		Language: toy{before: task.weighing(task.Heavy)}, Linker: pen{before: task.weighing(!task.Heavy)},
	})
	seen := map[string]int{}
	i.OnStep(func(step string) {
		if seen[step]++; step == task.KillAt && seen[step] == max(1, task.KillCount) {
			killSelf()
		}
	})
	d, diags := source.Describe(task.Text, source.Wish{Kind: plugin.Resource, Exact: true})
	if strings.Contains(task.Text, "|") {
		name, server, _ := strings.Cut(task.Text, "|")
		d, diags = source.Describe(name, source.Wish{Kind: plugin.Resource, Exact: true, Server: server})
	}
	if len(diags) == 0 {
		_, diags = i.Install(context.Background(), install.Request{Descriptors: []plugin.Descriptor{d}, Reinstall: task.Reinstall})
	}
	for _, d := range diags {
		fmt.Println(d.Code, d.Error())
	}
	if diags.HasErrors() {
		return 1
	}
	return 0
}

func (task childTask) weighing(here bool) func(string) error {
	if !here {
		return nil
	}
	return task.weigh
}

// weigh writes as much as the task says, to find out whether there is room.
func (task childTask) weigh(dir string) error {
	if task.Ballast == 0 {
		return nil
	}
	path := filepath.Join(dir, "ballast")
	err := os.WriteFile(path, bytes.Repeat([]byte("x"), task.Ballast), 0o600)
	return errors.Join(err, os.Remove(path))
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
	cmd.Env = append(os.Environ(), childVariable+"="+string(text))
	return cmd
}
