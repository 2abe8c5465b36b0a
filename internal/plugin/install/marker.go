package install

import (
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/formation-iac/formation/internal/plugin"
)

// phase is how far an installation has come, in more detail than the states.
// The middle three are the state of being present.
type phase uint8

const (
	absent phase = iota
	// begun: the files are not as they came, or not all there.
	begun
	// whole: all files are there, as they came.
	whole
	// complete: all is done but for plugins that the program needs.
	complete
	installed
)

// marker is what the file `.partial` holds. It says that a plugin is not
// installed by being there; the pulumi program leaves it empty.
type marker struct {
	// phase is begun, whole or complete.
	phase phase
	// server is where the plugin comes from, without what may be secret: a
	// URL, or the absolute path of a file of the user's.
	server string
	// ours says that formation wrote it, and so that server is known: "" is
	// where Pulumi publishes.
	ours bool
}

const (
	begunLine    = "formation: begun"
	wholeLine    = "formation: all files are here, and as they came"
	completeLine = "formation: complete, but for plugins that it needs"
	serverLine   = "server: "
)

func (m marker) text() string {
	text := begunLine + "\n"
	switch m.phase {
	case whole:
		text = wholeLine + "\n"
	case complete:
		text = completeLine + "\n"
	case absent, begun, installed:
	}
	if m.server != "" {
		text += serverLine + publicURL(m.server) + "\n"
	}
	return text
}

// unknownURL is what people put a server in the place of.
const unknownURL = "URL"

// publicURL is a server without what may be secret: the user, and where there
// is a query, which may be a signature, all.
func publicURL(server string) string {
	if filepath.IsAbs(server) && !strings.ContainsAny(server, "\r\n") {
		return server
	}
	u, err := url.Parse(strings.NewReplacer("${", "$", "}", "").Replace(server)) // placeholders are no URL
	if err != nil || u.RawQuery != "" || strings.ContainsAny(server, "\r\n") {
		return unknownURL
	}
	if u.User == nil {
		return server
	}
	scheme, rest, _ := strings.Cut(server, "//")
	host, path, _ := strings.Cut(rest, "/")
	return scheme + "//" + host[strings.LastIndexByte(host, '@')+1:] + "/" + path
}

// readMarker reads a plugin's marker.
func readMarker(cache plugin.Cache, p plugin.Concrete) marker {
	src, err := os.ReadFile(cache.Partial(p))
	if err != nil {
		return marker{phase: begun}
	}
	return parseMarker(src)
}

// parseMarker reads what a marker holds. One that says nothing of formation's
// is that of an installation which was begun.
func parseMarker(src []byte) marker {
	m := marker{phase: begun}
	for line := range strings.Lines(string(src)) {
		switch line = strings.TrimSuffix(line, "\n"); line {
		case begunLine:
			m.ours = true
		case wholeLine:
			m.phase, m.ours = whole, true
		case completeLine:
			m.phase, m.ours = complete, true
		}
		if server, ok := strings.CutPrefix(line, serverLine); ok {
			m.server, m.ours = server, true
		}
	}
	return m
}

// mark says that a plugin is not installed. A marker that is there already
// stays as it is where the new one cannot be written; where there was none,
// there is none then.
func (i *Installer) mark(p plugin.Concrete, to phase) error {
	path := i.opts.Cache.Partial(p)
	text := marker{phase: to, server: p.Server}.text()
	before, statErr := os.Stat(path)
	if statErr == nil { // what is longer goes under empty lines
		text += strings.Repeat("\n", max(0, int(before.Size())-len(text)))
	}
	err := overwrite(path, text)
	if err != nil && errors.Is(statErr, fs.ErrNotExist) {
		_ = os.Remove(path)
	}
	return err
}

// overwrite puts a text over the beginning of a file's, at once. Over what is
// there already that takes no room on the disk.
func overwrite(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// unmark says that a plugin is installed.
func (i *Installer) unmark(p plugin.Concrete) error {
	i.step("ready")
	err := os.Remove(i.opts.Cache.Partial(p))
	i.step("unmarked")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
