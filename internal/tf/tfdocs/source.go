package tfdocs

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"github.com/formation-iac/formation/internal/tf/tfdocs/docpage"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
)

// Entry is a page that a source has.
type Entry struct {
	Kind docpage.Kind `json:"kind"`
	// Name is the page's own, such as "instance" for aws_instance; always
	// "index" for the overview.
	Name string `json:"name"`
	// At is where the source has it, in words of its own.
	At string `json:"at"`
}

// Source is where the pages of one version of a provider are. Its methods may
// be called concurrently.
type Source interface {
	// Index lists the pages, in no order.
	Index(ctx context.Context) ([]Entry, error)
	// Page returns the text of one; "" where there is none after all.
	Page(ctx context.Context, e Entry) (string, error)
}

// AbsentError says that a source has no pages, and why.
type AbsentError struct{ Reason string }

func (e *AbsentError) Error() string { return e.Reason }

func absent(err error) bool {
	var none *AbsentError
	return errors.As(err, &none) || errors.Is(err, tfregistry.ErrNoRegistry)
}

const overviewName = "index"

// isPageName reports whether a page can be called so: they become files.
func isPageName(name string) bool { return len(name) <= 200 && pageName.MatchString(name) }

var pageName = regexp.MustCompile(`^[a-z0-9_][a-z0-9._@-]*$`)

// newEntry makes an entry, but for its place, of what a source lists; ok is
// false for a name that no page about a type has.
func newEntry(kind docpage.Kind, name string) (e Entry, ok bool) {
	name = strings.ToLower(name)
	return Entry{Kind: kind, Name: name}, isPageName(name)
}

// pageNames are what the page about a subject may be called, best first:
// without the provider's name, or with it.
func pageNames(s docpage.Subject) []string {
	whole := strings.ToLower(s.Terraform)
	if s.Kind == docpage.Overview {
		return []string{overviewName}
	}
	if _, short, ok := strings.Cut(whole, "_"); ok && s.Kind != docpage.Function {
		return []string{short, whole}
	}
	return []string{whole}
}
