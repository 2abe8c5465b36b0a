package tfdocs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/formation-iac/formation/internal/base/fileguard"
	"github.com/formation-iac/formation/internal/tf/tfdocs/docpage"
)

// Directory is the pages in a directory with a provider's source: those that a
// registry would publish of it.
type Directory struct {
	root    string
	entries []Entry
	stamp   string
}

// ReadDirectory lists the pages at root. Where there are none, the error is an
// [*AbsentError].
func ReadDirectory(root string) (*Directory, error) {
	// Who has the former keeps other texts in the latter.
	for _, below := range []string{filepath.Join("website", "docs"), "docs"} {
		d := &Directory{root: filepath.Join(root, below)}
		if err := d.list(); err != nil {
			return nil, err
		}
		if len(d.entries) > 0 {
			return d, nil
		}
	}
	return nil, &AbsentError{fmt.Sprintf("%s has no pages in docs or website/docs", root)}
}

// Beside finds the pages that belong to a provider's executable: in its
// directory, or in those around that, up to the root of the repository that
// they are in.
func Beside(executable string) (*Directory, error) {
	dir := filepath.Dir(executable)
	start := dir
	for within := repository(dir); ; dir = filepath.Dir(dir) {
		d, err := ReadDirectory(dir)
		if err == nil || !absent(err) {
			return d, err
		}
		if dir == within || within == "" {
			return nil, &AbsentError{fmt.Sprintf("neither %s nor the repository that it is in, if any, has pages in docs or website/docs", start)}
		}
	}
}

// repository is the root of the git repository that dir is in, or "".
func repository(dir string) string {
	for {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// Stamp is another one when a page changed.
func (d *Directory) Stamp() string { return d.stamp }

// Index implements [Source].
func (d *Directory) Index(context.Context) ([]Entry, error) { return d.entries, nil }

// Page implements [Source].
func (d *Directory) Page(_ context.Context, e Entry) (string, error) {
	f, err := os.Open(filepath.Join(d.root, filepath.FromSlash(e.At)))
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, docpage.MaxSize+1))
	return string(text), err
}

// list finds the pages. Of each kind there are two names for its directory.
func (d *Directory) list() error {
	h := sha256.New()
	for _, place := range []struct {
		dir  string
		kind docpage.Kind
	}{
		{".", docpage.Overview},
		{"resources", docpage.Resource}, {"r", docpage.Resource}, {"data-sources", docpage.DataSource}, {"d", docpage.DataSource},
		{"functions", docpage.Function}, {"f", docpage.Function}, {"ephemeral-resources", docpage.Ephemeral}, {"ephemeral", docpage.Ephemeral},
	} {
		if err := d.listIn(place.dir, place.kind, h); err != nil {
			return err
		}
	}
	d.stamp = hex.EncodeToString(h.Sum(nil))
	return nil
}

func (d *Directory) listIn(dir string, kind docpage.Kind, stamp io.Writer) error {
	files, err := os.ReadDir(filepath.Join(d.root, dir))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	for _, file := range files {
		name, isPage := markdownName(file.Name())
		if !isPage || kind == docpage.Overview && name != overviewName {
			continue
		}
		info, err := os.Stat(filepath.Join(d.root, dir, file.Name()))
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if e, ok := newEntry(kind, name); ok {
			e.At = filepath.ToSlash(filepath.Join(dir, file.Name()))
			d.entries = append(d.entries, e)
			fileguard.Add(stamp, e.At, info)
		}
	}
	return nil
}

// markdownName is the name of a page without what says that the file is one.
func markdownName(file string) (name string, ok bool) {
	for _, ending := range []string{".html.md", ".html.markdown", ".md.html", ".markdown.html", ".md", ".markdown"} {
		if name, ok := strings.CutSuffix(file, ending); ok {
			return name, true
		}
	}
	return "", false
}
