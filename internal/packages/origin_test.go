package packages

import (
	"strings"
	"testing"

	"github.com/blang/semver/v4"

	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/install"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

func TestWithOrigin(t *testing.T) {
	t.Parallel()
	installed := func(server, named string) install.Installed {
		return install.Installed{
			Descriptor: plugin.Descriptor{Source: "site", Server: named},
			Resolution: install.Resolution{Plugin: plugin.Concrete{Name: "site", Version: semver.MustParse("1.2.0"), Server: server}},
		}
	}
	for name, c := range map[string]struct {
		in, want string
		i        install.Installed
	}{
		"git":             {`{"name":"site","version":"0.1.0"}`, `{"name":"site","namespace":"acme","pluginDownloadURL":"git://git.example/Acme/repo.git","version":"1.2.0"}`, installed("git://git.example/Acme/repo.git", "")},
		"git, named":      {`{"name":"site","namespace":"us"}`, `{"name":"site","namespace":"us","pluginDownloadURL":"git://git.example/a/b.git/c","version":"1.2.0"}`, installed("git://git.example/a/b.git/c", "")},
		"a server, named": {`{"pluginDownloadURL":"https://theirs.example"}`, `{"pluginDownloadURL":"https://ours.example"}`, installed("https://me:secret@ours.example", "https://ours.example")},
		"a server, found": {`{"pluginDownloadURL":"https://theirs.example"}`, `{"pluginDownloadURL":"https://theirs.example"}`, installed("https://ours.example", "")},
		"silent":          {`{"name":"site"}`, `{"name":"site","pluginDownloadURL":"https://ours.example"}`, installed("https://ours.example", "")},
		"Pulumi's":        {`{ "name":"site" }`, `{ "name":"site" }`, installed("", "")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := withOrigin(c.in, c.i)
			if err != nil || got != c.want {
				t.Errorf("%s, %v", got, err)
			}
		})
	}
	if got, err := withOrigin("[]", installed("git://git.example/a/b.git", "")); err == nil {
		t.Errorf("a list became %s", got)
	}
}

func TestSourceOf(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"random": "random 1.2.0", "git://me:token@git.example/a/b.git/c": "git.example/a/b.git/c 1.2.0", "acme/x": "acme/x 1.2.0",
	} {
		i := install.Installed{Descriptor: plugin.Descriptor{Source: source}, Resolution: install.Resolution{Plugin: plugin.Concrete{Version: semver.MustParse("1.2.0")}}}
		if got, version := sourceOf(i); got+" "+version != want {
			t.Errorf("%s: %s %s", source, got, version)
		}
	}
	commit := install.Installed{Descriptor: plugin.Descriptor{Source: "git://git.example/a/b.git"}, Resolution: install.Resolution{Plugin: plugin.Concrete{Version: semver.MustParse("0.0.0-xabc0")}}}
	if got, version := sourceOf(commit); got != "git.example/a/b.git" || version != "abc0" {
		t.Errorf("a commit: %s %s", got, version)
	}
}

// TestSameThing compares entries by what they parameterize a plugin with.
func TestSameThing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"", "", true},
		{"o/random", "", false},
		{"o/random 3.0.0", "o/random 3.1.0", true},
		{"o/random", "o/random --include a,b", true},
		{"o/random", "o/other", false},
		{"--provider-name x o/random", "--provider-name x o/other", false},
		{"--provider-name x o/random", "--provider-name=x o/random 3.1.0", true},
		{"--only a", "--only a", true},
		{"--only a", "--only b", false},
	} {
		spec := func(args string) project.PackageSpec {
			return project.PackageSpec{Source: "bridge", Parameters: strings.Fields(args)}
		}
		if got := same(spec(c.a), spec(c.b)); got != c.want {
			t.Errorf("%q and %q: %t", c.a, c.b, got)
		}
	}
}

func TestPlainSource(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"git.example/a/b": "git://git.example/a/b.git", "https://git.example/a/b.git": "git://git.example/a/b.git", "random": "random", "./a/b/c": "./a/b/c",
	} {
		if got := plainSource(text); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}
