// Package build compiles the commands of this module for tests that run them
// as real processes.
package build

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

const module = "github.com/formation-iac/formation"

// keep is how long a binary that no test asked for stays in the cache: longer
// than any test runs, and no longer than that, as each change makes a dozen new
// ones of 40 MB.
const keep = 2 * time.Hour

// builds remembers what this test process has built. It is the one variable of
// the package: a build takes seconds, and every test of a package needs one.
var builds sync.Map // command path -> func() (string, error)

// Binary compiles internal/testkit/cmd/<name> and returns the path of the
// executable, whose base name is name. It builds once in a test process; test
// processes share a cache, in which a path never changes its content. The test
// fails where the build does.
func Binary(t testing.TB, name string) string {
	t.Helper()
	return Command(t, "internal/testkit/cmd/"+name)
}

// Command is Binary for any main package of the module, such as
// "cmd/formation".
func Command(t testing.TB, path string) string {
	t.Helper()
	once, _ := builds.LoadOrStore(path, sync.OnceValues(func() (string, error) { return build(path) }))
	file, err := once.(func() (string, error))()
	if err != nil {
		t.Fatalf("build %s: %v", path, err)
	}
	return file
}

// build compiles under a lock, then files the binary by its content: nobody
// replaces a file that another process may be running.
func build(path string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	root := filepath.Join(cache, "formation-testkit")
	work := filepath.Join(root, "build")
	if err := os.MkdirAll(work, 0o755); err != nil {
		return "", err
	}
	name := executable(filepath.Base(path))
	lock := flock.New(filepath.Join(work, name+".lock"))
	if err := lock.Lock(); err != nil {
		return "", err
	}
	defer func() { _ = lock.Unlock() }()

	built := filepath.Join(work, name)
	if err := compile(path, built); err != nil {
		return "", err
	}
	if err := touchSources(path); err != nil {
		return "", err
	}
	return file(built, filepath.Join(root, "bin"))
}

func executable(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

// compile runs the Go tool, which links again only where something changed.
func compile(path, into string) error {
	_, err := goTool("build", "-o", into, module+"/"+path)
	return err
}

// touchSources looks at every directory of this module that the command is made
// of. The Go tool notes what a test looks at, and so runs the test again when
// the command has changed; otherwise it would answer from its cache.
func touchSources(path string) error {
	out, err := goTool("list", "-deps", "-f", "{{with .Module}}{{if .Main}}{{$.Dir}}{{end}}{{end}}", module+"/"+path)
	if err != nil {
		return err
	}
	for dir := range strings.Lines(out) {
		if dir = strings.TrimSpace(dir); dir == "" {
			continue
		}
		if _, err := os.ReadDir(dir); err != nil {
			return err
		}
	}
	return nil
}

func goTool(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), "GOWORK=off")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", args[0], err, stderr.String())
	}
	return stdout.String(), nil
}

// file copies a binary to <bin>/<hash>/<name>, unless it is there already, and
// drops binaries that have not been asked for lately.
func file(built, bin string) (string, error) {
	data, err := os.ReadFile(built)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	dir := filepath.Join(bin, hex.EncodeToString(sum[:8]))
	filed := filepath.Join(dir, filepath.Base(built))
	now := time.Now()
	if have, err := os.ReadFile(filed); err == nil && bytes.Equal(have, data) {
		return filed, os.Chtimes(dir, now, now)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	partial := filed + ".partial"
	if err := os.WriteFile(partial, data, 0o755); err != nil {
		return "", err
	}
	if err := os.Rename(partial, filed); err != nil {
		return "", err
	}
	return filed, prune(bin, now.Add(-keep))
}

func prune(bin string, before time.Time) error {
	entries, err := os.ReadDir(bin)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || info.ModTime().After(before) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(bin, entry.Name())); err != nil {
			return err
		}
	}
	return nil
}
