package source

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/formation-iac/formation/internal/base/offspring"
)

// gitProgram is the user's git, with their configuration and credentials.
type gitProgram struct {
	path    string
	environ []string
	// secret is what must not be repeated from what git prints.
	secret string
}

// errNoGit is a machine without git.
var errNoGit = errors.New("the program git was not found")

func findGit(environ []string) (gitProgram, error) {
	name := "git"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	for _, dir := range filepath.SplitList(variable(environ, "PATH")) {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); dir != "" && err == nil && info.Mode().IsRegular() {
			environ = slices.DeleteFunc(slices.Clone(environ), bindsToRepository)
			// Nobody is there to answer a question.
			return gitProgram{path: path, environ: append(environ, "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")}, nil
		}
	}
	return gitProgram{}, errNoGit
}

// bindsToRepository reports whether a variable would have git work in another
// repository than the one it is run in. Hooks of git run with such.
func bindsToRepository(entry string) bool {
	name, _, _ := strings.Cut(entry, "=")
	switch name {
	case "GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
		"GIT_NAMESPACE", "GIT_PREFIX", "GIT_SHALLOW_FILE", "GIT_QUARANTINE_PATH":
		return true
	}
	return false
}

// variable returns the value that a process with this environment sees.
func variable(environ []string, name string) string {
	for _, entry := range slices.Backward(environ) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

func basicAuthorization(user, password string) string {
	return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

// withHeader returns the program such that it sends a header to one host, by
// a setting in its environment, where other processes do not see it.
func (g gitProgram) withHeader(host, header string) gitProgram {
	count, _ := strconv.Atoi(variable(g.environ, "GIT_CONFIG_COUNT"))
	g.environ = append(slices.Clone(g.environ),
		fmt.Sprintf("GIT_CONFIG_KEY_%d=http.https://%s/.extraHeader", count, host),
		fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", count, header),
		fmt.Sprintf("GIT_CONFIG_COUNT=%d", count+1))
	g.secret = header
	return g
}

// run returns what git prints. A failure is a *missingRef or a *gitError.
// What a repository brings along is not run: hooks, and monitors of files.
func (g gitProgram) run(ctx context.Context, dir string, args ...string) (string, error) {
	safe := []string{"-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false", "-c", "advice.detachedHead=false", "-c", "submodule.recurse=false"}
	cmd := exec.CommandContext(ctx, g.path, append(safe, args...)...)
	// It must not go on writing where the next run of this program begins.
	cmd.Dir, cmd.Env, cmd.SysProcAttr = dir, g.environ, offspring.Session()
	cmd.Cancel = func() error {
		offspring.Kill(cmd.Process) // and the helpers, which wait for servers
		return nil
	}
	cmd.WaitDelay = 5 * time.Second // helpers of git may outlive it
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	switch {
	case err == nil:
		return out.String(), nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	case strings.Contains(said.String(), "couldn't find remote ref"):
		return "", &missingRef{"the tag " + strings.TrimPrefix(args[len(args)-1], "refs/tags/")}
	case said.Len() == 0:
		said.WriteString(err.Error())
	}
	isDisk := args[0] == "init" || diskFault.MatchString(said.String())
	return "", &gitError{said: g.lastWords(said.String()), disk: isDisk}
}

// urlUser is the part of a URL where secrets stand.
var urlUser = regexp.MustCompile(`://[^/@\s']+@`)

// lastWords are the last lines of what git said, in one, without secrets.
func (g gitProgram) lastWords(said string) string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	text := strings.Join(lines[max(0, len(lines)-3):], " ")
	if g.secret != "" {
		text = strings.ReplaceAll(text, g.secret, "***")
	}
	return urlUser.ReplaceAllString(text, "://***@")
}
