package install

import (
	"net/url"
	"strings"
	"testing"
)

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
