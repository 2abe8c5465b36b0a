package source_test

import (
	"strings"
	"testing"

	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/source"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"random":                               "name random",
		"random@4.16.0":                        "name random @ 4.16.0",
		"publisher/name@v1":                    "name publisher/name @ v1",
		"private/publisher/name":               "name private/publisher/name",
		"github.com/org/repo":                  "git git://github.com/org/repo.git",
		"github.com/org/repo@v1.2.3":           "git git://github.com/org/repo.git @ v1.2.3",
		"gitlab.com/group/team/repo.git/sub@a": "git git://gitlab.com/group/team/repo.git/sub @ a",
		"https://git.example:8080/o/r":         "git git://git.example:8080/o/r.git",
		"git.example:8080/o/r":                 "git git://git.example:8080/o/r.git",
		"https://me@git.example/o/r@abcdef":    "git git://me@git.example/o/r.git @ abcdef",
		"git://github.com/org/repo":            "git git://github.com/org/repo.git",
		"./dir":                                "path ./dir",
		"./dir@1.0.0":                          "path ./dir@1.0.0",
		"../dir":                               "path ../dir",
		"/opt/provider":                        "path /opt/provider",
		".":                                    "path .",
		"..":                                   "path ..",
		"a/b/c/d":                              "path a/b/c/d",
		"my dir/provider":                      "path my dir/provider",
	} {
		ref, err := source.Parse(text)
		got := "name " + ref.Name
		switch {
		case ref.Git != nil:
			got = "git " + ref.Server
		case ref.Path != "":
			got = "path " + ref.Path
		}
		if ref.Version != "" {
			got += " @ " + ref.Version
		}
		if err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"", "a b", "random@", "x", "@", "http://github.com/o/r", "https://me:secret@h.example/x", "github.com/org", "github.com/o/r@", "ssh://git@github.com/o/r", "git@github.com:o/r.git", "me@host:secret/r"} {
		ref, err := source.Parse(text)
		if err == nil {
			t.Errorf("%q: %+v", text, ref)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("a secret is told: %v", err)
		}
	}
}

// FuzzParse holds that a source is written so that it is read as the same,
// and that its parts lead nowhere else.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"random@1.0.0", "a/b/c", "github.com/o/r.git/x@v1", "https://u:p@h:1/o/r@abcd", "./x@y", `C:\x`, "a@b@c", "h.io/o/r@a/b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ref, err := source.Parse(text)
		if err != nil {
			return
		}
		again, err := source.Parse(ref.String())
		if err != nil || again.String() != ref.String() || again.Version != "" || (again.Git == nil) != (ref.Git == nil) {
			t.Errorf("%q: %+v, then %+v, %v", text, ref, again, err)
		}
		for part := range strings.SplitSeq(ref.Name, "/") {
			if ref.Name != "" && plugin.CheckName(part) != nil {
				t.Errorf("%q: name %q", text, ref.Name)
			}
		}
	})
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		wish source.Wish
		want string // source, constraint, server
		code string
	}{
		{text: "random", want: "random  "},
		{text: "random", wish: source.Wish{Exact: true}, want: "random latest "},
		{text: "random@4", want: "random >=4.0.0 "},
		{text: "random@4.1.0", wish: source.Wish{Exact: true}, want: "random 4.1.0 "},
		{text: "random", wish: source.Wish{Version: "4.1.0", Server: "https://s.example/"}, want: "random >=4.1.0 https://s.example/"},
		{text: "github.com/o/r", wish: source.Wish{Version: "abcdef0"}, want: "git://github.com/o/r.git 0.0.0-xabcdef0 "},
		{text: "./dir", wish: source.Wish{Version: "whatever"}, want: "./dir  "},
		{text: "random@4", wish: source.Wish{Version: "4"}, code: "PS0009"},
		{text: "random@four", code: "PS0008"},
		{text: "github.com/o/r@main", code: "PS0008"},
		{text: "github.com/o/r", wish: source.Wish{Server: "https://s.example/"}, code: "PS0023"},
		{text: "a b", code: "PS0007"},
	} {
		c.wish.Kind = plugin.Resource
		d, diags := source.Describe(c.text, c.wish)
		if c.code != "" {
			wantCodes(t, diags, c.code)
			continue
		}
		wantCodes(t, diags)
		if got := d.Source + " " + d.Constraint.String() + " " + d.Server; got != c.want || d.Kind != plugin.Resource {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}
