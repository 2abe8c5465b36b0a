package install

import (
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/blang/semver/v4"

	"github.com/formation-iac/formation/internal/plugin"
)

// TestMarkerOverMarker writes every marker over every other, and over those of
// the pulumi program, which are empty.
func TestMarkerOverMarker(t *testing.T) {
	t.Parallel()
	i := New(Options{Cache: plugin.Cache{Root: t.TempDir()}})
	p := plugin.Concrete{Kind: plugin.Resource, Name: "random", Version: semver.MustParse("1.0.0")}
	servers := []string{"", "https://a.example", "https://much-longer.example/plugins"}
	var texts []string
	var want []marker
	for phase := begun; phase <= complete; phase++ {
		for _, server := range servers {
			m := marker{phase: phase, server: server, ours: true}
			texts, want = append(texts, m.text()), append(want, m)
		}
	}
	for _, before := range append(texts, "") {
		for _, m := range want {
			if err := os.WriteFile(i.opts.Cache.Partial(p), []byte(before), 0o600); err != nil {
				t.Fatal(err)
			}
			p.Server = m.server
			if err := i.mark(p, m.phase); err != nil {
				t.Fatal(err)
			}
			if got := readMarker(i.opts.Cache, p); got != m {
				t.Errorf("over %q: %+v, want %+v", before, got, m)
			}
		}
	}
}

// FuzzMarker writes markers of arbitrary servers and reads arbitrary markers.
// What is written is read again, and holds no password.
func FuzzMarker(f *testing.F) {
	f.Add("https://user:hunter2@plugins.example/${NAME}", "formation: begun\nserver: x\n")
	f.Add("https://plugins.example/?sig=hunter2", "")
	f.Add("github://api.github.com/acme", "formation: complete, but for plugins that it needs\n")
	f.Fuzz(func(t *testing.T, server, text string) {
		if m := parseMarker([]byte(text)); m.phase < begun || m.phase > complete || strings.ContainsRune(m.server, '\n') {
			t.Fatalf("%q is %+v", text, m)
		}
		for phase := begun; phase <= complete; phase++ {
			written := marker{phase: phase, server: server}.text()
			read := parseMarker([]byte(written))
			want := marker{phase: phase, ours: true}
			if server != "" {
				want.server = publicURL(server)
			}
			if read != want {
				t.Fatalf("%q is read as %+v", written, read)
			}
			if u, err := url.Parse(want.server); err == nil && u.User != nil {
				t.Fatalf("%q holds a user", written)
			}
		}
	})
}
