package plugin_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/blang/semver/v4"
	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/plugin"
)

func TestKinds(t *testing.T) {
	t.Parallel()
	for _, kind := range plugin.Kinds() {
		if got, ok := plugin.ParseKind(string(kind)); !ok || got != kind {
			t.Errorf("%s: got %s, %t", kind, got, ok)
		}
	}
	for _, text := range []string{"", "Resource", "provider"} {
		if _, ok := plugin.ParseKind(text); ok {
			t.Errorf("%q is a kind", text)
		}
	}
}

// versions reads a list separated by blanks.
func versions(text string) []semver.Version {
	var out []semver.Version
	for _, v := range strings.Fields(text) {
		out = append(out, semver.MustParse(v))
	}
	return out
}

// TestTheRuleForVersions has, for each constraint, what is installed and what
// of it is taken; "" means that something has to be installed.
func TestTheRuleForVersions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		version string
		exact   bool
		have    string
		want    string
	}{
		{"", false, "", ""},
		{"", false, "1.0.0 2.0.0 1.9.0", "2.0.0"},
		{"", false, "1.0.0 2.0.0-rc.1", "1.0.0"},           // stable before others
		{"", false, "2.0.0-rc.1 2.0.0-rc.2", "2.0.0-rc.2"}, // nothing else there
		{"", true, "1.0.0", ""},                            // the newest has to be asked for
		{"1.5.0", false, "1.0.0", ""},
		{"1.5.0", false, "1.5.0", "1.5.0"},
		{"1.5.0", false, "1.0.0 2.0.0", "2.0.0"}, // already newer
		{"1.5.0", false, "1.5.0 2.0.0-rc.1", "1.5.0"},
		{"v1.5", false, "1.5.0", "1.5.0"},
		{"1.5.0", true, "2.0.0", ""},
		{"1.5.0", true, "1.5.0 2.0.0", "1.5.0"},
		{"1.5.0+a", true, "1.5.0+b", ""}, // a build is another plugin
		{"0.0.0-xabcdef", false, "0.0.0-xabcdef 0.0.0-xffffff 1.0.0", "0.0.0-xabcdef"},
		{"0.0.0-xabcdef", false, "1.0.0", ""}, // a commit has no order
	} {
		rule, err := plugin.NewConstraint(c.version, c.exact)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := rule.Select(versions(c.have))
		if ok != (c.want != "") || ok && got.String() != c.want {
			t.Errorf("%q exact=%t of %q: got %s, %t; want %q", c.version, c.exact, c.have, got, ok, c.want)
		}
	}
	if _, err := plugin.NewConstraint("new", false); err == nil {
		t.Error(`"new" is a version`)
	}
}

func TestConstraintTexts(t *testing.T) {
	t.Parallel()
	v := semver.MustParse("1.2.3")
	commit, _ := plugin.CommitVersion("abcd")
	for want, c := range map[string]plugin.Constraint{
		"": plugin.Any(), ">=1.2.3": plugin.AtLeast(v), "1.2.3": plugin.Exactly(v), "latest": plugin.Latest(),
		"0.0.0-xabcd": plugin.AtLeast(commit),
	} {
		if c.String() != want {
			t.Errorf("got %q, want %q", c, want)
		}
		_, named := c.Version()
		if exact := want == "1.2.3" || want == "0.0.0-xabcd"; c.IsExact() != exact || named != strings.Contains(want, ".") {
			t.Errorf("%q: exact %t, names a version %t", want, c.IsExact(), named)
		}
	}
}

// TestNewestDoesNotDependOnOrder shuffles versions.
func TestNewestDoesNotDependOnOrder(t *testing.T) {
	t.Parallel()
	list := versions("0.0.0-xab 1.0.0 1.0.0+b 1.0.0+a 1.0.1-rc.1 2.0.0-alpha 1.0.1")
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		for n := range list {
			part := list[:n+1]
			got, ok := plugin.Newest(part)
			if !ok {
				t.Fatal("there is none")
			}
			for _, v := range part {
				if len(v.Pre) == 0 && (len(got.Pre) > 0 || v.GT(got)) || len(got.Pre) > 0 && v.GT(got) {
					t.Fatalf("%s is newer than %s of %v", v, got, part)
				}
			}
		}
	}
	if _, ok := plugin.Newest(nil); ok {
		t.Error("nothing has a newest")
	}
}

func TestCommits(t *testing.T) {
	t.Parallel()
	for hash, want := range map[string]string{
		"0123456": "0.0.0-x0123456", "ABCDef12": "0.0.0-xABCDef12", strings.Repeat("a", 64): "0.0.0-x" + strings.Repeat("a", 64),
		"abc": "", "main": "", strings.Repeat("a", 65): "", "": "",
	} {
		v, ok := plugin.CommitVersion(hash)
		if ok != (want != "") || ok && v.String() != want {
			t.Errorf("%q: %s, %t", hash, v, ok)
		}
		if back, isCommit := plugin.CommitOf(v); ok && (!isCommit || back != hash) {
			t.Errorf("%q came back as %q", hash, back)
		}
	}
	for _, text := range []string{"1.0.0-xabcd", "0.0.0", "0.0.0-alpha", "0.0.0-xabcd.1", "0.0.0-xabcd+b", "0.0.0-1234", "0.0.0-xyz"} {
		if _, ok := plugin.CommitOf(semver.MustParse(text)); ok {
			t.Errorf("%s is that of a commit", text)
		}
	}
}

func TestParseGit(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][4]string{ // server, remote, path, name
		"github.com/org/repo":                        {"git://github.com/org/repo.git", "https://github.com/org/repo.git", "", "github.com_org_repo.git"},
		"github.com/org/repo/":                       {"git://github.com/org/repo.git", "https://github.com/org/repo.git", "", "github.com_org_repo.git"},
		"git://github.com/org/repo.git":              {"git://github.com/org/repo.git", "https://github.com/org/repo.git", "", "github.com_org_repo.git"},
		"https://github.com/org/repo/sub/path":       {"git://github.com/org/repo.git/sub/path", "https://github.com/org/repo.git", "sub/path", "github.com_org_repo.git_sub_path"},
		"gitlab.com/group/team/repo.git/sub":         {"git://gitlab.com/group/team/repo.git/sub", "https://gitlab.com/group/team/repo.git", "sub", "gitlab.com_group_team_repo.git_sub"},
		"https://token@example.com:8443/org/repo":    {"git://example.com:8443/org/repo.git", "https://example.com:8443/org/repo.git", "", "example.com_8443_org_repo.git"},
		"dev.azure.com/org/project/_git/repo":        {"git://dev.azure.com/org/project/_git/repo", "https://dev.azure.com/org/project/_git/repo", "", "dev.azure.com_org_project__git_repo"},
		"https://gist.github.com/owner/0123456789ab": {"git://gist.github.com/0123456789ab.git", "https://gist.github.com/0123456789ab.git", "", "gist.github.com_0123456789ab.git"},
	} {
		g, err := plugin.ParseGit(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := [4]string{g.Server(), g.Remote(), g.Path, g.Name()}; got != want {
			t.Errorf("%s:\n got %q\nwant %q", text, got, want)
		}
	}
	for _, text := range []string{
		"", "github.com", "github.com/org", "http://github.com/org/repo", "ssh://github.com/org/repo", "git:///org/repo",
		"github.com/org/../x/y", "github.com/org/repo/../../x", "github.com/org/repo?ref=x", "github.com/org//x", "https://%zz/",
		"gist.github.com/a/b/c",
	} {
		if g, err := plugin.ParseGit(text); err == nil {
			t.Errorf("%s: %+v", text, g)
		}
	}
}

// FuzzParseGit holds that what is read is written so that it is read as the
// same, and that the name is one part of a path.
func FuzzParseGit(f *testing.F) {
	for _, seed := range []string{"github.com/org/repo.git/a", "https://u:p@h:1/o/r", "dev.azure.com/o/p/_git/r", "gist.github.com/o/i", "a/b/c.gitx/d", "h/%2e%2e/x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := plugin.ParseGit(text)
		if err != nil {
			return
		}
		if g.Host == "gist.github.com" {
			return // a gist's address forgets the owner
		}
		again, err := plugin.ParseGit(g.Server())
		g.User = nil
		if err != nil || again != g {
			t.Errorf("%q: %+v, then %+v, %v", text, g, again, err)
		}
		if strings.ContainsAny(g.Name(), "/\\\x00") || g.Path != "" && !filepath.IsLocal(g.Path) {
			t.Errorf("%q: name %q, path %q", text, g.Name(), g.Path)
		}
	})
}

// FuzzParseVersion holds that a version is written so that it is read as the
// same.
func FuzzParseVersion(f *testing.F) {
	for _, seed := range []string{"1.2.3", "v1", " 1.2 ", "1.2.3-rc.1+b", "0.0.0-x0123", "01.2.3", "1..2", "1.2.3.4"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := plugin.ParseVersion(text)
		if err != nil {
			return
		}
		again, err := plugin.ParseVersion(v.String())
		if err != nil || again.String() != v.String() {
			t.Errorf("%q: %s, then %s, %v", text, v, again, err)
		}
		if hash, ok := plugin.CommitOf(v); ok {
			if back, ok := plugin.CommitVersion(hash); !ok || back.String() != v.String() {
				t.Errorf("%s: the commit %q came back as %s", v, hash, back)
			}
		}
	})
}

func concrete(kind plugin.Kind, name, version string) plugin.Concrete {
	return plugin.Concrete{Kind: kind, Name: name, Version: semver.MustParse(version)}
}

// put makes a plugin's directory.
func put(t *testing.T, dir string, beside ...string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range beside {
		if err := os.WriteFile(dir+suffix, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestEntries has names that are hard to read, and what is no plugin.
func TestEntries(t *testing.T) {
	t.Parallel()
	cache := plugin.Cache{Root: t.TempDir()}
	plugins := []plugin.Concrete{
		concrete(plugin.Resource, "random", "4.16.0"), concrete(plugin.Resource, "aws-v2", "1.0.0"),
		concrete(plugin.Resource, "foo", "1.0.0-v2"), concrete(plugin.Language, "nodejs", "3.0.0-alpha.1+abc"),
		{Kind: plugin.Resource, Name: "component", Version: semver.MustParse("0.0.0-xabcdef"), Server: "git://github.com/org/repo/sub"},
	}
	var want []string
	for _, p := range plugins {
		put(t, cache.Dir(p), ".lock", ".lastused")
		want = append(want, string(p.Kind)+" "+p.CacheName()+" "+p.Version.String()+" installed")
	}
	half := concrete(plugin.Tool, "half", "1.0.0")
	put(t, cache.Dir(half), ".lock", ".partial")
	put(t, filepath.Join(cache.Root, "resource-short-v1"))
	for _, no := range []string{"resource-random", "provider-x-v1.0.0", "resource-gone-v1.0.0.tmp123", "resource--v1.0.0", "resource-x-v1.0.0", "resource-aa-vx", ".hidden"} {
		put(t, filepath.Join(cache.Root, no))
	}
	if err := os.WriteFile(filepath.Join(cache.Root, "resource-file-v1.0.0"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	want = append(want, "tool half 1.0.0 present", "resource short 1.0.0 installed")
	entries, err := cache.Entries()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, string(e.Kind)+" "+e.Name+" "+e.Version.String()+" "+e.State.String())
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	none, err := plugin.Cache{Root: filepath.Join(cache.Root, "nowhere")}.Entries()
	if err != nil || none != nil {
		t.Errorf("a cache that is not there: %v, %v", none, err)
	}
}

func TestStates(t *testing.T) {
	t.Parallel()
	cache := plugin.Cache{Root: t.TempDir()}
	p := concrete(plugin.Resource, "random", "1.0.0")
	steps := []struct {
		do   func() error
		want plugin.State
	}{
		{func() error { return nil }, plugin.NotPresent},
		{func() error { return os.WriteFile(cache.Partial(p), nil, 0o600) }, plugin.NotPresent},
		{func() error { return os.Mkdir(cache.Dir(p), 0o700) }, plugin.Present},
		{func() error { return os.Remove(cache.Partial(p)) }, plugin.Installed},
	}
	for _, step := range steps {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		got, err := cache.State(p)
		if err != nil || got != step.want {
			t.Errorf("got %s, %v; want %s", got, err, step.want)
		}
	}
	err := errors.Join(os.Remove(cache.Dir(p)), os.WriteFile(cache.Dir(p), nil, 0o600))
	if state, stateErr := cache.State(p); err != nil || stateErr == nil || state != plugin.NotPresent {
		t.Errorf("a file in the way: %v, %s, %v", err, state, stateErr)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	cache := plugin.Cache{Root: t.TempDir()}
	for _, v := range []string{"1.0.0", "1.1.0", "2.0.0-rc.1"} {
		put(t, cache.Dir(concrete(plugin.Resource, "random", v)))
	}
	put(t, cache.Dir(concrete(plugin.Resource, "random", "3.0.0")), ".partial")
	put(t, cache.Dir(concrete(plugin.Converter, "random", "4.0.0")))
	put(t, cache.Dir(concrete(plugin.Resource, "random2", "5.0.0")))
	for want, c := range map[string]plugin.Constraint{
		"1.1.0": plugin.Any(), "1.0.0": plugin.Exactly(semver.MustParse("1.0.0")), "2.0.0-rc.1": plugin.AtLeast(semver.MustParse("2.0.0-alpha")),
		"": plugin.Exactly(semver.MustParse("3.0.0")), // present, not installed
	} {
		got, ok, err := cache.Find(plugin.Resource, "random", c)
		if err != nil || ok != (want != "") || ok && got.Version.String() != want {
			t.Errorf("%q: got %v, %t, %v; want %q", c, got.Version, ok, err, want)
		}
		if ok && got.Dir != cache.Dir(concrete(plugin.Resource, "random", want)) {
			t.Errorf("%q is in %s", c, got.Dir)
		}
	}
}

// FuzzDirNames holds that a plugin's directory is read as that plugin. Where
// a name itself ends in a version, nobody could tell.
func FuzzDirNames(f *testing.F) {
	f.Add("random", "1.0.0")
	f.Add("a-v1", "1.0.0-v2")
	f.Add("github.com_org_repo.git_sub", "0.0.0-xabcd")
	f.Fuzz(func(t *testing.T, name, version string) {
		v, err := semver.Parse(version)
		if err != nil || plugin.CheckName(name) != nil || len(name)+len(version) > 200 || strings.Contains(name, "-v") {
			return
		}
		cache := plugin.Cache{Root: t.TempDir()}
		p := plugin.Concrete{Kind: plugin.Resource, Name: name, Version: v}
		put(t, cache.Dir(p))
		entries, err := cache.Entries()
		if err != nil || len(entries) != 1 || entries[0].Name != name || entries[0].Version.String() != v.String() {
			t.Errorf("%+v, %v", entries, err)
		}
	})
}

func TestOpenCache(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	for variable, want := range map[string]string{"": filepath.Join(home, ".pulumi", "plugins"), "/opt/p": "/opt/p/plugins"} {
		got, err := plugin.OpenCache(func(name string) string {
			if name == "PULUMI_HOME" {
				return variable
			}
			return ""
		})
		if err != nil || got.Root != want {
			t.Errorf("%q: %s, %v", variable, got.Root, err)
		}
	}
}

func TestParameterizationKeys(t *testing.T) {
	t.Parallel()
	value := func(name, version, value string) plugin.Parameterization {
		return plugin.Parameterization{Value: &plugin.Parameter{Name: name, Version: semver.MustParse(version), Value: []byte(value)}}
	}
	seen := map[string]int{}
	for i, p := range []plugin.Parameterization{
		{}, {Args: []string{"a b"}}, {Args: []string{"a", "b"}}, value("a", "1.0.0", ""), value("a", "1.0.1", ""), value("a", "1.0.0", "x"), value("b", "1.0.0", "x"),
	} {
		key := p.Key()
		if j, dup := seen[key]; dup {
			t.Errorf("%d and %d have one key", i, j)
		}
		seen[key] = i
		if p.IsZero() != (key == "") || p.Key() != key {
			t.Errorf("%d: key %q", i, key)
		}
	}
}

func TestChecksums(t *testing.T) {
	t.Parallel()
	good := strings.Repeat("0a", 32)
	if sum, err := plugin.ParseChecksum(good); err != nil || len(sum) != 32 {
		t.Errorf("%x, %v", sum, err)
	}
	for _, bad := range []string{"", "0a", good + "00", strings.Repeat("zz", 32)} {
		if _, err := plugin.ParseChecksum(bad); err == nil {
			t.Errorf("%q is a SHA-256", bad)
		}
	}
	if got := (plugin.Platform{OS: "linux", Arch: "arm64"}).String(); got != "linux-arm64" {
		t.Error(got)
	}
}

func TestSwitched(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{"": false, "0": false, "false": false, "yes": false, "1": true, "true": true, "TRUE": true} {
		if got := plugin.Switched(func(string) string { return value }, plugin.OfflineVariable); got != want {
			t.Errorf("%q: %v", value, got)
		}
	}
}
