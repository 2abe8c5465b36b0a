package tfdocs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/fetch"
	"github.com/formation-iac/formation/internal/base/parallel"
	"github.com/formation-iac/formation/internal/base/wholefile"
	"github.com/formation-iac/formation/internal/tf/tfdocs/docpage"
)

// Library is the pages of a provider that are at hand. It may be used
// concurrently.
type Library struct {
	entries map[docpage.Kind]map[string]Entry
	read    func(Entry) string
}

func newLibrary(entries []Entry, read func(Entry) string) *Library {
	l := &Library{entries: map[docpage.Kind]map[string]Entry{}, read: read}
	for _, e := range entries {
		if l.entries[e.Kind] == nil {
			l.entries[e.Kind] = map[string]Entry{}
		}
		if _, twice := l.entries[e.Kind][e.Name]; !twice {
			l.entries[e.Kind][e.Name] = e
		}
	}
	return l
}

// find returns the page about a subject, if there is one.
func (l *Library) find(s docpage.Subject) (Entry, bool) {
	for _, name := range pageNames(s) {
		if e, ok := l.entries[s.Kind][name]; ok {
			return e, true
		}
	}
	return Entry{}, false
}

// Page reads the page about a subject, or returns nil.
func (l *Library) Page(s docpage.Subject) *docpage.Page {
	e, ok := l.find(s)
	if !ok {
		return nil
	}
	text := l.read(e)
	if text == "" {
		return nil
	}
	return docpage.Parse(text)
}

// Open makes a library of a directory, whose pages are read when they are
// asked for. What cannot be read then is not there.
func (d *Directory) Open(ctx context.Context) *Library {
	return newLibrary(d.entries, func(e Entry) string {
		text, err := d.Page(ctx, e)
		if err != nil {
			return ""
		}
		return text
	})
}

// Fetch makes a library of the pages about some subjects. What is in the
// directory already is not asked for again, and what comes is kept there; the
// directory is for one version of one provider. Where not everything came, the
// diagnostics, all warnings, say why, and the library has the rest. The error
// says that ctx ended.
func Fetch(ctx context.Context, source Source, dir, what string, subjects []docpage.Subject) (*Library, diag.List, error) {
	s := &shelf{source: source, dir: dir, held: map[Entry]string{}}
	entries, err := s.index(ctx)
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err != nil {
		return newLibrary(nil, s.read), diag.List{noIndex(what, err)}, nil
	}
	l := newLibrary(entries, s.read)
	var wanted []Entry
	seen := map[Entry]bool{}
	for _, subject := range subjects {
		if e, ok := l.find(subject); ok && !seen[e] {
			seen[e] = true
			wanted = append(wanted, e)
		}
	}
	missing, first := s.fetch(ctx, wanted)
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if missing > 0 {
		return l, diag.List{incomplete(what, missing, len(wanted), first)}, nil
	}
	return l, nil, nil
}

// shelf keeps the pages of a source.
type shelf struct {
	source Source
	dir    string

	mu   sync.Mutex
	held map[Entry]string // what no disk would take
}

// index lists the source's pages, from the list of an earlier run where there
// is one.
func (s *shelf) index(ctx context.Context) ([]Entry, error) {
	file := filepath.Join(s.dir, "index.json")
	if entries, ok := readIndex(file); ok {
		return entries, nil
	}
	entries, err := s.source.Index(ctx)
	if err == nil && len(entries) == 0 {
		err = &AbsentError{"its documentation has no pages about resources or functions"}
	}
	if err == nil {
		_ = wholefile.WriteJSON(file, entries) // the next run asks again
	}
	return entries, err
}

// readIndex reads the list of an earlier run. Names in it become paths, so
// that they are held to the same rules as what a registry says.
func readIndex(file string) ([]Entry, bool) {
	var entries []Entry
	if wholefile.ReadJSON(file, &entries) != nil || len(entries) == 0 {
		return nil, false
	}
	for _, e := range entries {
		if _, known := terraformKind(string(e.Kind)); !known || !isPageName(e.Name) {
			return nil, false
		}
	}
	return entries, true
}

// concurrency is how many pages are asked for at once.
const concurrency = 8

// errSkipped is for pages that were not asked for, since the network failed
// others before.
var errSkipped = errors.New("the network failed before")

// fetch brings the pages that are not here yet. It returns how many did not
// come, and the first reason.
func (s *shelf) fetch(ctx context.Context, wanted []Entry) (missing int, first error) {
	var broken atomic.Bool
	errs := parallel.Map(ctx, concurrency, wanted, func(ctx context.Context, e Entry) error {
		if _, err := os.Stat(s.file(e)); err == nil {
			return nil
		}
		if broken.Load() {
			return errSkipped
		}
		text, err := s.source.Page(ctx, e)
		if err != nil {
			if fetch.IsTransient(err) || errors.Is(err, fetch.ErrOffline) {
				broken.Store(true)
			}
			return err
		}
		s.keep(e, text)
		return nil
	})
	for _, err := range errs {
		if err == nil {
			continue
		}
		missing++
		if first == nil || errors.Is(first, errSkipped) {
			first = err
		}
	}
	return missing, first
}

func (s *shelf) file(e Entry) string {
	return filepath.Join(s.dir, string(e.Kind), e.Name+".md")
}

// keep puts a page on disk, or else in memory. One that is too large to be
// read is there without its text.
func (s *shelf) keep(e Entry, text string) {
	if len(text) > docpage.MaxSize {
		text = ""
	}
	if wholefile.Replace(s.file(e), []byte(text), 0o644) == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held[e] = text
}

func (s *shelf) read(e Entry) string {
	s.mu.Lock()
	text, ok := s.held[e]
	s.mu.Unlock()
	if ok {
		return text
	}
	src, err := os.ReadFile(s.file(e))
	if err != nil {
		return ""
	}
	return string(src)
}
