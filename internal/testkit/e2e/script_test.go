package e2e_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/testkit/providers/brokenprovider"
	"github.com/formation-iac/formation/internal/testkit/truth"
)

// TestScripts runs every testdata/script/*.txtar in a directory of its own,
// beside a small estate of its own. Formation finds the test providers in a
// filesystem mirror, as version 1.0.0; its own plugins are beside it, and
// $PLUGINS holds some of others. Besides the commands of testscript
// there is
//
//	estate METHOD PATH [FILE]
//	exits CODE PROGRAM [ARG...]
//	untimed FILE
//
// which call the estate's API, run a program that must exit with CODE, and
// write what the last command printed to FILE with its timings as zeros. UPDATE_SCRIPTS=1 writes what cmp compares into
// the scripts, and fails where that changed anything.
func TestScripts(t *testing.T) {
	t.Parallel()
	shared := t.TempDir()
	mirror := mirrorOf(t, filepath.Join(shared, "mirror"))
	programs := programsOf(t, filepath.Join(shared, "bin"))
	plugins := pluginsOf(t, filepath.Join(shared, "plugins"))
	config := cliConfig(t, shared, mirror)
	params := scriptsIn(t, "testdata/script")
	params.Cmds = map[string]func(*testscript.TestScript, bool, []string){
		"estate":  func(ts *testscript.TestScript, neg bool, args []string) { callEstate(t.Context(), ts, neg, args) },
		"exits":   exits,
		"untimed": untimed,
	}
	params.Setup = func(env *testscript.Env) error {
		server := estate.Start(t, estate.Options{Seed: estate.SeedOptions{Objects: 8}, Token: token})
		env.Setenv("PATH", programs+string(os.PathListSeparator)+env.Getenv("PATH"))
		env.Setenv("PROGRAMS", programs)
		env.Setenv("PLUGINS", plugins)
		env.Setenv("PULUMI_HOME", filepath.Join(env.WorkDir, ".pulumi"))
		env.Setenv("PULUMI_DISABLE_REGISTRY_RESOLVE", "true")
		env.Setenv("XDG_CACHE_HOME", filepath.Join(shared, "cache"))
		env.Setenv("MIRROR", mirror)
		env.Setenv("TF_CLI_CONFIG_FILE", config)
		env.Setenv("ESTATE_ENDPOINT", server.URL)
		env.Setenv("ESTATE_TOKEN", token)
		return nil
	}
	testscript.Run(t, params)
}

// scriptsIn are the scripts of a directory. What an update changed in them
// fails the test.
func scriptsIn(t *testing.T, dir string) testscript.Params {
	t.Helper()
	before := files(t, dir)
	t.Cleanup(func() { // the scripts run after this function
		for name, text := range files(t, dir) {
			if before[name] != text {
				t.Errorf("%s was updated: look at it, then run again", name)
			}
		}
	})
	return testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") == "1",
	}
}

// cliConfig writes a CLI configuration by which providers come from a mirror.
func cliConfig(t *testing.T, dir, mirror string) string {
	t.Helper()
	config := filepath.Join(dir, "cli.tfrc")
	put(t, config, fmt.Sprintf("provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", mirror))
	return config
}

// mirrorOf lays out the test providers as `tofu providers mirror` would.
func mirrorOf(t *testing.T, dir string) string {
	t.Helper()
	binaries := map[string]string{brokenprovider.Address: "terraform-provider-broken"}
	for _, m := range truth.Modules(t) {
		binaries[m.Provider] = m.Binary
	}
	for provider, name := range binaries {
		into := filepath.Join(dir, filepath.FromSlash(provider), "1.0.0", runtime.GOOS+"_"+runtime.GOARCH)
		if err := os.MkdirAll(into, 0o755); err != nil {
			t.Fatal(err)
		}
		binary := build.Binary(t, name)
		if err := os.WriteFile(filepath.Join(into, filepath.Base(binary)), []byte(get(t, binary)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// callEstate is the command "estate".
func callEstate(ctx context.Context, ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: estate METHOD PATH [FILE]")
	}
	body := ""
	if len(args) == 3 {
		body = ts.ReadFile(args[2])
	}
	req, err := http.NewRequestWithContext(ctx, args[0], ts.Getenv("ESTATE_ENDPOINT")+args[1], strings.NewReader(body))
	ts.Check(err)
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(req)
	ts.Check(err)
	defer resp.Body.Close()
	var answer bytes.Buffer
	_, err = io.Copy(&answer, resp.Body)
	ts.Check(err)
	if resp.StatusCode >= 300 {
		ts.Fatalf("%s %s: %s\n%s", args[0], args[1], resp.Status, answer.String())
	}
}

// exits is the command "exits".
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARG...]")
	}
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%s: %s", args[1], err)
		}
		code = exit.ExitCode()
	}
	if got := strconv.Itoa(code); got != args[0] {
		ts.Fatalf("%s exits with %s, want %s", args[1], got, args[0])
	}
}

var (
	timings = regexp.MustCompile(`"timings": \{[^}]*\}`)
	seconds = regexp.MustCompile(`: [0-9][0-9.e-]*`)
)

// untimed is the command "untimed".
func untimed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: untimed FILE")
	}
	text := timings.ReplaceAllStringFunc(ts.ReadFile("stdout"), func(t string) string { return seconds.ReplaceAllString(t, ": 0") })
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}
