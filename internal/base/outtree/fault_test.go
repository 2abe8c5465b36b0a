//go:build unix

package outtree

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The test binary is its own child: it commits the second tree and kills
// itself before the step whose number it is told, or runs out of space.
const (
	childDir   = "OUTTREE_CHILD_DIR"
	childKill  = "OUTTREE_CHILD_KILL"
	childLimit = "OUTTREE_CHILD_LIMIT"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		os.Exit(child(dir))
	}
	os.Exit(m.Run())
}

func child(dir string) int {
	if limit, err := strconv.ParseUint(os.Getenv(childLimit), 10, 64); err == nil {
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
	}
	kill, err := strconv.Atoi(os.Getenv(childKill))
	if err != nil {
		kill = -1
	}
	steps := 0
	c := &committer{opts: Options{Claims: func(name string) bool { return name != "notes.md" }}, step: func(string) error {
		if steps == kill {
			return syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
		steps++
		return nil
	}}
	tree := &Tree{}
	for name, text := range second {
		if err := tree.Add(name, []byte(strings.Repeat(text, childRepeat())), 0o644); err != nil {
			return 2
		}
	}
	_, diags := c.commit(context.Background(), dir, tree.Files())
	for _, d := range diags {
		fmt.Println(d.Code)
	}
	if diags.HasErrors() {
		return 1
	}
	return 0
}

func childRepeat() int {
	if os.Getenv(childLimit) != "" {
		return 4096
	}
	return 1
}

// runChild returns what the child printed and whether it was killed.
func runChild(t *testing.T, env ...string) (string, bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), env...)
	out, _ := cmd.CombinedOutput()
	status := cmd.ProcessState.Sys().(syscall.WaitStatus)
	return string(out), status.Signaled()
}

func TestKillAtEveryStep(t *testing.T) {
	t.Parallel()
	for _, start := range []map[string]string{nil, first} {
		for step := 0; ; step++ {
			dir := filepath.Join(t.TempDir(), "out")
			if start != nil {
				mustCommit(t, dir, start)
			}
			out, killed := runChild(t, childDir+"="+dir, childKill+"="+strconv.Itoa(step))
			if !killed {
				if out != "" || step < 8 {
					t.Fatalf("the child said %q after %d steps", out, step)
				}
				break
			}
			afterKill(t, dir, start, step)
		}
	}
}

// afterKill checks that every file is whole, and that the next run makes the
// directory what it should be and leaves nothing lying about.
func afterKill(t *testing.T, dir string, start map[string]string, step int) {
	t.Helper()
	if _, err := os.Stat(dir); err == nil {
		for name, text := range contents(t, dir) {
			if text != start[name] && text != second[name] {
				t.Fatalf("step %d left %s with %q", step, name, text)
			}
		}
	}
	if diags := Preflight(dir, Options{}); diags.HasErrors() {
		t.Fatalf("step %d: %v", step, diags.Err())
	}
	if got := contentsOrNone(t, dir); !maps.Equal(got, start) && !maps.Equal(got, second) {
		t.Fatalf("step %d: preflight left %v", step, got)
	}
	mustCommit(t, dir, second)
	if d := cmp.Diff(second, contents(t, dir)); d != "" {
		t.Fatalf("step %d: %s", step, d)
	}
	entries, err := os.ReadDir(filepath.Dir(dir))
	if err != nil || len(entries) != 1 {
		t.Fatalf("step %d left %v beside the directory (%v)", step, entries, err)
	}
	if _, err := os.Stat(filepath.Join(dir, stageDir)); err == nil {
		t.Fatalf("step %d left the stage", step)
	}
}

func contentsOrNone(t *testing.T, dir string) map[string]string {
	t.Helper()
	if _, err := os.Stat(dir); err != nil {
		return nil
	}
	return contents(t, dir)
}

// TestNoSpace lets no file grow beyond a few bytes: what a full disk does to
// a write.
func TestNoSpace(t *testing.T) {
	t.Parallel()
	for _, start := range []map[string]string{nil, first} {
		dir := filepath.Join(t.TempDir(), "out")
		if start != nil {
			mustCommit(t, dir, start)
		}
		out, _ := runChild(t, childDir+"="+dir, childLimit+"=4000")
		if d := cmp.Diff("OT0004\n", out); d != "" {
			t.Error(d)
		}
		if d := cmp.Diff(start, contentsOrNone(t, dir)); d != "" {
			t.Error(d)
		}
		if _, err := os.Stat(freshName(dir)); err == nil {
			t.Error("the temporary directory is still there")
		}
		mustCommit(t, dir, second)
	}
}

// TestNoSpaceBeside leaves nothing in a directory that others use, where what
// comes first fails, or some of what follows.
func TestNoSpaceBeside(t *testing.T) {
	t.Parallel()
	for _, limit := range []string{"0", "4000"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "notes.md"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		out, _ := runChild(t, childDir+"="+dir, childLimit+"="+limit)
		if d := cmp.Diff("OT0004\n", out); d != "" {
			t.Error(d)
		}
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) != 1 {
			t.Errorf("%v are left (%v)", entries, err)
		}
		if out, _ := runChild(t, childDir+"="+dir); out != "" {
			t.Errorf("with space again: %s", out)
		}
	}
}

// TestReadOnly runs without the rights of root, which ignores modes.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	parent := publicDir(t)
	if err := os.Chmod(parent, 0o555); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(parent, "out")
	cmd := exec.CommandContext(t.Context(), childBinary(t))
	cmd.Env = append(os.Environ(), childDir+"="+dir)
	cmd.Dir = "/"
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	out, err := cmd.CombinedOutput()
	if d := cmp.Diff("OT0004\n", string(out)); d != "" {
		t.Error(d, err)
	}
}

// publicDir is a temporary directory that any user may enter.
func publicDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, d := range []string{filepath.Dir(dir), dir} {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// childBinary is a copy of this test binary that any user may run.
func childBinary(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(publicDir(t), "child")
	if err := os.WriteFile(path, data, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}
