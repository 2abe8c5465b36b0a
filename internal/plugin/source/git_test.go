package source_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/blang/semver/v4"

	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/source"
	"github.com/formation-iac/formation/internal/testkit/gitrepo"
)

func fromGit(server, version string) plugin.Concrete {
	return plugin.Concrete{Kind: plugin.Resource, Name: "component", Version: semver.MustParse(version), Server: server}
}

func TestGitVersions(t *testing.T) {
	t.Parallel()
	r := gitrepo.New(t)
	first := r.Commit(t, map[string]string{"PulumiPlugin.yaml": "one"})
	r.Git(t, "tag", "v1.0.0")
	second := r.Commit(t, map[string]string{"PulumiPlugin.yaml": "two"})
	r.Git(t, "tag", "-a", "2.0.0", "-m", "without the v")
	r.Git(t, "tag", "nightly")
	r.Commit(t, map[string]string{"PulumiPlugin.yaml": "three"})
	s := sources(t, nil, source.Options{Environ: r.Environ})
	for version, want := range map[string]string{
		"1.0.0": "one", "2.0.0": "two", "0.0.0": "three", "0.0.0-x" + first: "one", "0.0.0-x" + second[:8]: "two",
	} {
		room := newRoom(t)
		wantCodes(t, s.Fetch(t.Context(), fromGit(gitrepo.Address, version), room))
		wantFile(t, room, "PulumiPlugin.yaml", want)
		if _, err := os.Stat(filepath.Join(room.Dir, ".git")); err == nil {
			t.Error("the history came along")
		}
	}
	for _, version := range []string{"3.0.0", "0.0.0-xabcdef", "0.0.0-x" + strings.Repeat("0", 40)} {
		wantCodes(t, s.Fetch(t.Context(), fromGit(gitrepo.Address, version), newRoom(t)), "PS0018")
	}
	latest, diags := s.Latest(t.Context(), fromGit(gitrepo.Address, "0.0.0"))
	wantCodes(t, diags)
	if latest.String() != "2.0.0" {
		t.Errorf("latest is %s", latest)
	}
}

func TestGitWithoutTags(t *testing.T) {
	t.Parallel()
	r := gitrepo.New(t)
	hash := r.Commit(t, map[string]string{"x": "y"})
	s := sources(t, nil, source.Options{Environ: r.Environ})
	latest, diags := s.Latest(t.Context(), fromGit(gitrepo.Address, "0.0.0"))
	wantCodes(t, diags)
	if latest.String() != "0.0.0-x"+hash {
		t.Errorf("latest is %s", latest)
	}
	empty := gitrepo.New(t)
	_, diags = sources(t, nil, source.Options{Environ: empty.Environ}).Latest(t.Context(), fromGit(gitrepo.Address, "0.0.0"))
	wantCodes(t, diags, "PS0016")
}

func TestGitSubdirectories(t *testing.T) {
	t.Parallel()
	r := gitrepo.New(t)
	r.Commit(t, map[string]string{"sub/component/PulumiPlugin.yaml": "inner", "file": "x"})
	r.Git(t, "tag", "v1.0.0")
	s := sources(t, nil, source.Options{Environ: r.Environ})
	room := newRoom(t)
	wantCodes(t, s.Fetch(t.Context(), fromGit(gitrepo.Address+"/sub/component", "1.0.0"), room))
	wantFile(t, room, "sub/component/PulumiPlugin.yaml", "inner")
	for _, no := range []string{"/other", "/file"} {
		wantCodes(t, s.Fetch(t.Context(), fromGit(gitrepo.Address+no, "1.0.0"), newRoom(t)), "PS0020")
	}
}

// TestHostileRepository has links out of the repository, and hooks.
func TestHostileRepository(t *testing.T) {
	t.Parallel()
	for name, target := range map[string]string{"absolute": "/etc/passwd", "relative": "../../x", "hidden": "sub/../../x"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gitrepo.New(t)
			if err := os.Symlink(target, filepath.Join(r.Dir, "link")); err != nil {
				t.Fatal(err)
			}
			r.Commit(t, map[string]string{"PulumiPlugin.yaml": "x"})
			s := sources(t, nil, source.Options{Environ: r.Environ})
			wantCodes(t, s.Fetch(t.Context(), fromGit(gitrepo.Address, "0.0.0"), newRoom(t)), "PS0022")
		})
	}
	r := gitrepo.New(t)
	r.Commit(t, map[string]string{"PulumiPlugin.yaml": "x"})
	witness := filepath.Join(t.TempDir(), "ran")
	hooks := t.TempDir()
	if err := os.WriteFile(filepath.Join(hooks, "post-checkout"), []byte("#!/bin/sh\ntouch "+witness+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	environ := append(r.Environ, "GIT_CONFIG_KEY_2=core.hooksPath", "GIT_CONFIG_VALUE_2="+hooks, "GIT_CONFIG_COUNT=3")
	wantCodes(t, sources(t, nil, source.Options{Environ: environ}).Fetch(t.Context(), fromGit(gitrepo.Address, "0.0.0"), newRoom(t)))
	if _, err := os.Stat(witness); err == nil {
		t.Error("a hook was run")
	}
}

// TestInsideOfAHook runs as hooks of git do: bound to a repository that is not
// to be touched.
func TestInsideOfAHook(t *testing.T) {
	t.Parallel()
	r, other := gitrepo.New(t), gitrepo.New(t)
	r.Commit(t, map[string]string{"PulumiPlugin.yaml": "x"})
	head := other.Commit(t, map[string]string{"mine": "y"})
	environ := append(r.Environ, "GIT_DIR="+other.Dir+"/.git", "GIT_WORK_TREE="+other.Dir, "GIT_INDEX_FILE="+other.Dir+"/.git/index")
	room := newRoom(t)
	wantCodes(t, sources(t, nil, source.Options{Environ: environ}).Fetch(t.Context(), fromGit(gitrepo.Address, "0.0.0"), room))
	wantFile(t, room, "PulumiPlugin.yaml", "x")
	if now := other.Git(t, "rev-parse", "HEAD"); now != head || other.Git(t, "status", "--porcelain") != "" {
		t.Error("the repository of the hook was touched")
	}
}

func TestGitFaults(t *testing.T) {
	t.Parallel()
	r := gitrepo.New(t)
	r.Commit(t, map[string]string{"PulumiPlugin.yaml": "x"})
	p := fromGit(gitrepo.Address, "0.0.0")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx    context.Context
		opts   source.Options
		server string
		code   string
		words  string
	}{
		"no git":        {t.Context(), source.Options{Environ: []string{"PATH=" + t.TempDir()}}, gitrepo.Address, "PS0017", "Install git"},
		"no repository": {t.Context(), source.Options{Environ: r.Environ}, "git://git.example/org/other", "PS0019", "git credentials for git.example"},
		"offline":       {t.Context(), source.Options{Environ: r.Environ, Offline: true}, gitrepo.Address, "PS0012", "git.example"},
		"stopped":       {cancelled, source.Options{Environ: r.Environ}, gitrepo.Address, "PS0002", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := p
			p.Server = c.server
			s := sources(t, nil, c.opts)
			diags := s.Fetch(c.ctx, p, newRoom(t))
			wantCodes(t, diags, c.code)
			if !strings.Contains(diags[0].Error(), c.words) {
				t.Errorf("%q is not in: %s", c.words, diags[0].Error())
			}
			_, diags = s.Latest(c.ctx, p)
			if len(diags) != 1 || name != "offline" && diags[0].Code != c.code {
				t.Errorf("latest: %v", diags)
			}
		})
	}
}

// TestGitCredentials has a program in the place of git that tells what it is
// given, and refuses everything.
func TestGitCredentials(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		server string
		env    []string
		want   []string // headers by attempt
	}{
		"none":           {"git://github.com/org/repo", nil, []string{""}},
		"user's own":     {"git://git.example/org/repo", []string{"GITHUB_TOKEN=tea"}, []string{""}},
		"github":         {"git://github.com/org/repo", []string{"GITHUB_TOKEN=tea"}, []string{"", "http.https://github.com/.extraHeader=Authorization: Basic eC1hY2Nlc3MtdG9rZW46dGVh"}},
		"like github":    {"git://github.com.evil.example/org/repo", []string{"GITHUB_TOKEN=tea"}, []string{""}},
		"gitlab":         {"git://gitlab.com/org/repo", []string{"GITLAB_TOKEN=tea"}, []string{"", "http.https://gitlab.com/.extraHeader=Authorization: Basic b2F1dGgyOnRlYQ=="}},
		"in the address": {"git://me:secret@git.example/org/repo", nil, []string{"http.https://git.example/.extraHeader=Authorization: Basic bWU6c2VjcmV0"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			script := "#!/bin/sh\n" +
				"echo \"$GIT_CONFIG_KEY_1=$GIT_CONFIG_VALUE_1\" >> " + dir + "/log\n" +
				"echo \"$@\" >> " + dir + "/args\n" +
				"echo \"fatal: cannot read 'https://me:secret@git.example/': $GIT_CONFIG_VALUE_1\" >&2\nexit 128\n"
			// A process that starts now would keep the file open, and it could not be run.
			syscall.ForkLock.RLock()
			err := os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o755)
			syscall.ForkLock.RUnlock()
			if err != nil {
				t.Fatal(err)
			}
			s := sources(t, nil, source.Options{Env: environment(c.env...), Environ: []string{"PATH=" + dir, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=a.b", "GIT_CONFIG_VALUE_0=c"}})
			_, diags := s.Latest(t.Context(), fromGit(c.server, "0.0.0"))
			wantCodes(t, diags, "PS0019")
			if text := diags[0].Error(); strings.Contains(text, "secret") || strings.Contains(text, "Basic") {
				t.Errorf("a secret is told: %s", text)
			}
			log, err := os.ReadFile(filepath.Join(dir, "log"))
			if err != nil {
				t.Fatal(err)
			}
			want := ""
			for _, header := range c.want {
				if header == "" {
					header = "="
				}
				want += header + "\n"
			}
			if string(log) != want {
				t.Errorf("got %q, want %q", log, want)
			}
			if args, err := os.ReadFile(filepath.Join(dir, "args")); err != nil || strings.Contains(string(args), "secret") {
				t.Errorf("%s, %v", args, err)
			}
		})
	}
}
