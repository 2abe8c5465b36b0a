package e2e_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/tfcli"
	"github.com/formation-iac/formation/internal/testkit/truth"
)

// judges finds tofu, and terraform where it is on the PATH. CI must have tofu;
// elsewhere one of the two is enough.
func judges(t testing.TB) []string {
	t.Helper()
	var found []string
	for _, name := range []string{"tofu", "terraform"} {
		if path, err := exec.LookPath(name); err == nil {
			found = append(found, path)
		}
	}
	if len(found) == 0 || os.Getenv("CI") == "true" {
		return append([]string{tfcli.Find(t, "tofu")}, found[min(1, len(found)):]...)
	}
	return found
}

// program runs formation the way a shell would.
type program struct {
	path string
	// dir is where it runs; env is its whole environment.
	dir string
	env []string
}

// newProgram prepares runs of formation in which the providers of the ground
// truths are the test binaries, and nothing of this machine's configuration
// counts.
func newProgram(t testing.TB, env ...string) program {
	t.Helper()
	home := t.TempDir()
	config := filepath.Join(home, "cli.tfrc")
	text := "provider_installation {\n  dev_overrides {\n"
	for _, m := range truth.Modules(t) {
		text += fmt.Sprintf("    %q = %q\n", m.Provider, filepath.Dir(build.Binary(t, m.Binary)))
	}
	put(t, config, text+"  }\n}\n")
	own := slices.DeleteFunc(os.Environ(), func(entry string) bool {
		return slices.ContainsFunc([]string{"TF_", "TOFU_", "ESTATE_", "XDG_"}, func(prefix string) bool { return strings.HasPrefix(entry, prefix) })
	})
	own = append(own, "HOME="+home, "TF_CLI_CONFIG_FILE="+config)
	return program{path: build.Command(t, "cmd/formation"), dir: t.TempDir(), env: append(own, env...)}
}

// result is what a run left.
type result struct {
	code           int
	stdout, stderr string
}

func (r result) String() string { return fmt.Sprintf("exit %d\n%s%s", r.code, r.stdout, r.stderr) }

// command prepares a run.
func (p program) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.path, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = p.dir, p.env, 10*time.Second
	return cmd
}

// run runs formation and returns whatever came of it.
func (p program) run(t testing.TB, args ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := p.command(ctx, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("formation %s: %v", strings.Join(args, " "), err)
	}
	return result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// want runs formation and fails the test unless it exits with code.
func (p program) want(t testing.TB, code int, args ...string) result {
	t.Helper()
	r := p.run(t, args...)
	if r.code != code {
		t.Fatalf("formation %s: want exit %d: %v", strings.Join(args, " "), code, r)
	}
	return r
}

func put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func get(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// files reads a directory: the path below it to the content.
func files(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		out[filepath.ToSlash(name)] = get(t, path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
