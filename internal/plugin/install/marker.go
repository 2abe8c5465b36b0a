package install

import (
	"errors"
	"io/fs"
	"net/url"
	"os"
	"strings"

	"github.com/formation-iac/formation/internal/plugin"
)

// marker is what the file `.partial` holds. It says that a plugin is not
// installed by being there; the pulumi program leaves it empty.
type marker struct {
	// whole says that the directory holds all files, as they came.
	whole bool
	// server is where the plugin comes from, without what may be secret.
	server string
}

const (
	wholeLine  = "formation: all files are here, and as they came"
	serverLine = "server: "
)

func (m marker) text() string {
	var text string
	if m.whole {
		text = wholeLine + "\n"
	}
	if u, err := url.Parse(m.server); err == nil && m.server != "" && u.RawQuery == "" {
		u.User = nil
		text += serverLine + u.String() + "\n"
	}
	return text
}

// readMarker reads a plugin's marker. One that cannot be read says nothing.
func readMarker(cache plugin.Cache, p plugin.Concrete) marker {
	src, err := os.ReadFile(cache.Partial(p))
	if err != nil {
		return marker{}
	}
	var m marker
	for line := range strings.Lines(string(src)) {
		line = strings.TrimSuffix(line, "\n")
		m.whole = m.whole || line == wholeLine
		if server, ok := strings.CutPrefix(line, serverLine); ok {
			m.server = server
		}
	}
	return m
}

// mark says that a plugin is not installed. A marker that is there already
// stays there throughout; where none can be written, there is none.
func (i *Installer) mark(p plugin.Concrete, m marker) error {
	path := i.opts.Cache.Partial(p)
	_, statErr := os.Stat(path)
	err := os.WriteFile(path, []byte(m.text()), 0o600)
	if err != nil && errors.Is(statErr, fs.ErrNotExist) {
		_ = os.Remove(path)
	}
	return err
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
