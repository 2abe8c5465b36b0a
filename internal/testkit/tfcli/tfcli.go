// Package tfcli runs the real terraform and tofu command lines in tests, over
// providers that the tests built.
package tfcli

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
)

// Client is one command line with a configuration of its own, so that nothing
// on the machine changes what a test sees.
type Client struct {
	// Path is the executable.
	Path string
	// Dir is the working directory of every run.
	Dir string
	env []string
}

// Options configures a client.
type Options struct {
	// Dir is the root module's directory.
	Dir string
	// Providers maps source addresses, such as
	// "registry.opentofu.org/formation-iac/estate", to provider binaries.
	Providers map[string]string
	// Env is added to the environment, as KEY=value.
	Env []string
}

// Find looks for a command line ("terraform" or "tofu"). Tofu is built with the
// tools of this repository, so where it is missing the test fails in CI, and is
// skipped elsewhere. Terraform cannot be built from its module: where it is
// missing the test is skipped, and says what it would have tested.
func Find(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err == nil {
		return path
	}
	if name == "tofu" && os.Getenv("CI") == "true" {
		t.Fatalf("tofu is not on the PATH, and CI must have it: make tools builds it")
	}
	t.Skipf("%s is not on the PATH: left out is what %s would have tested with it", name, t.Name())
	return ""
}

// Each runs a test with each client in turn, as a subtest of its name.
func Each(t *testing.T, test func(t *testing.T, path string)) {
	t.Helper()
	for _, name := range []string{"tofu", "terraform"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, Find(t, name))
		})
	}
}

// New makes a client for an executable. Providers are used through
// dev_overrides, so no init is needed.
func New(t testing.TB, path string, opts Options) *Client {
	t.Helper()
	home := t.TempDir()
	config := filepath.Join(home, "cli.tfrc")
	if err := os.WriteFile(config, []byte(cliConfig(opts.Providers)), 0o600); err != nil {
		t.Fatal(err)
	}
	env := slices.DeleteFunc(os.Environ(), func(entry string) bool {
		return strings.HasPrefix(entry, "TF_") || strings.HasPrefix(entry, "TOFU_") || strings.HasPrefix(entry, "ESTATE_")
	})
	env = append(env, "TF_CLI_CONFIG_FILE="+config, "TF_DATA_DIR="+filepath.Join(home, "data"),
		"TF_IN_AUTOMATION=1", "CHECKPOINT_DISABLE=1", "HOME="+home)
	return &Client{Path: path, Dir: opts.Dir, env: append(env, opts.Env...)}
}

func cliConfig(providers map[string]string) string {
	var b strings.Builder
	b.WriteString("provider_installation {\n  dev_overrides {\n")
	for _, address := range sortedKeys(providers) {
		fmt.Fprintf(&b, "    %q = %q\n", address, filepath.Dir(providers[address]))
	}
	b.WriteString("  }\n}\n")
	return b.String()
}

// Result is what a run left.
type Result struct {
	Stdout, Stderr string
	ExitCode       int
}

// Run runs the command line and returns whatever came of it. Only a failure to
// run it at all fails the test.
func (c *Client) Run(t testing.TB, args ...string) Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.Path, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = c.Dir, c.env, 10*time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s %s: %v", filepath.Base(c.Path), strings.Join(args, " "), err)
	}
	return Result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// Must runs the command line and fails the test unless it succeeds.
func (c *Client) Must(t testing.TB, args ...string) Result {
	t.Helper()
	result := c.Run(t, args...)
	if result.ExitCode != 0 {
		t.Fatalf("%s %s: exit %d\n%s%s", filepath.Base(c.Path), strings.Join(args, " "),
			result.ExitCode, result.Stdout, result.Stderr)
	}
	return result
}

// Apply applies the root module without asking.
func (c *Client) Apply(t testing.TB) { t.Helper(); c.Must(t, "apply", "-auto-approve", "-no-color") }

// Destroy destroys the root module without asking.
func (c *Client) Destroy(t testing.TB) {
	t.Helper()
	c.Must(t, "destroy", "-auto-approve", "-no-color")
}

// EmptyPlan fails the test unless a plan would change nothing.
func (c *Client) EmptyPlan(t testing.TB) {
	t.Helper()
	result := c.Run(t, "plan", "-detailed-exitcode", "-no-color")
	if result.ExitCode != 0 {
		t.Fatalf("the plan is not empty: exit %d\n%s%s", result.ExitCode, result.Stdout, result.Stderr)
	}
}

// Addresses lists the resources in the state, sorted.
func (c *Client) Addresses(t testing.TB) []string {
	t.Helper()
	lines := strings.Fields(c.Must(t, "state", "list").Stdout)
	slices.Sort(lines)
	return lines
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
