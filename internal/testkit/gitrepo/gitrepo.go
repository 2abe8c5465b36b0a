// Package gitrepo makes git repositories for tests, which git finds at an
// https address without a server.
package gitrepo

import (
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Address is where git finds the repository, as a plugin's server.
const Address = "git://git.example/org/repo"

// Repo is a repository on this machine.
type Repo struct {
	// Dir is its working directory.
	Dir string
	// Environ is the environment in which git finds it at [Address].
	Environ []string
}

// New makes an empty repository. Without git the test is skipped, and in CI it
// fails.
func New(t testing.TB) *Repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("git is needed")
		}
		t.Skip("there is no git")
	}
	top := t.TempDir()
	r := &Repo{Dir: filepath.Join(top, "org", "repo.git"), Environ: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + top, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_COUNT=2",
		"GIT_CONFIG_KEY_0=url.file://" + top + "/.insteadOf", "GIT_CONFIG_VALUE_0=https://git.example/",
		"GIT_CONFIG_KEY_1=init.defaultBranch", "GIT_CONFIG_VALUE_1=main",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
	}}
	if err := os.MkdirAll(r.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r.Git(t, "init", "-q")
	return r
}

// Git runs git in the repository and returns what it prints.
func (r *Repo) Git(t testing.TB, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir, cmd.Env = r.Dir, r.Environ
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// Commit writes files, and returns the hash of a commit of them.
func (r *Repo) Commit(t testing.TB, files map[string]string) string {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(r.Dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r.Git(t, "add", "-A")
	r.Git(t, "commit", "-q", "-m", "next")
	return r.Git(t, "rev-parse", "HEAD")
}

// Serve serves the repository over HTTP, as git's own server does; wrap may
// disturb that. It returns the environment in which git finds it there, at
// [Address].
func (r *Repo) Serve(t testing.TB, wrap func(http.Handler) http.Handler) (environ []string) {
	t.Helper()
	backend := filepath.Join(r.Git(t, "--exec-path"), "git-http-backend")
	top := filepath.Dir(filepath.Dir(r.Dir))
	served := httptest.NewServer(wrap(&cgi.Handler{
		Path: backend, Env: append([]string{"GIT_PROJECT_ROOT=" + top, "GIT_HTTP_EXPORT_ALL=1"}, r.Environ...),
	}))
	t.Cleanup(served.Close)
	for _, entry := range r.Environ {
		if strings.HasPrefix(entry, "GIT_CONFIG_KEY_0=") {
			entry = "GIT_CONFIG_KEY_0=url." + served.URL + "/.insteadOf"
		}
		environ = append(environ, entry)
	}
	return environ
}
