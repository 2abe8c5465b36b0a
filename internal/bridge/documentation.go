package bridge

import (
	"context"
	"path/filepath"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/pkgschema"
	"github.com/formation-iac/formation/internal/tf/tfdocs"
	"github.com/formation-iac/formation/internal/tf/tfdocs/docpage"
)

// documentation is what a package is described with, beside what the provider
// itself says. The zero value is nothing.
type documentation struct {
	// stamp tells the schemas that it gives from others.
	stamp string
	// directory has it, or else the registry where published.
	directory *tfdocs.Directory
	published bool
}

// documentation finds what the parameter asks for. Where there is none, the
// engine is told, and the package goes without.
func (m *bridged) documentation(ctx context.Context) documentation {
	asked := m.parameter.Docs
	switch {
	case !asked.Wanted:
		return documentation{}
	case asked.Dir != "":
		return m.documentedBy(ctx, func() (*tfdocs.Directory, error) { return tfdocs.ReadDirectory(asked.Dir) })
	case m.found.Version != "" && m.parameter.Path == "":
		return documentation{stamp: "published", published: true}
	case m.found.Path != "":
		return m.documentedBy(ctx, func() (*tfdocs.Directory, error) { return tfdocs.Beside(m.found.Path) })
	default:
		m.bridge.Report(ctx, "", tfdocs.Absent(m.documented(), errRunning))
		return documentation{}
	}
}

// errRunning is why nothing is known of a provider that somebody else started.
var errRunning = &tfdocs.AbsentError{Reason: "the provider runs already, and does not say its version"}

func (m *bridged) documentedBy(ctx context.Context, find func() (*tfdocs.Directory, error)) documentation {
	directory, err := find()
	if err != nil {
		m.bridge.Report(ctx, "", tfdocs.Absent(m.documented(), err))
		return documentation{}
	}
	return documentation{stamp: directory.Stamp(), directory: directory}
}

// documented names what the documentation is about, for people.
func (m *bridged) documented() string {
	if m.found.Version == "" {
		return "the provider " + m.found.Provider.Type
	}
	return m.found.Provider.String() + " " + m.found.Version
}

// open makes the documentation readable. What is not whole is not to be kept:
// the next run may have all. The error says that ctx ended.
func (m *bridged) open(ctx context.Context, d documentation, pkg *mapping.Package) (docs pkgschema.Docs, whole bool, err error) {
	switch {
	case d.directory != nil:
		return d.directory.Open(ctx), true, nil
	case !d.published:
		return nil, true, nil
	}
	p := m.found.Provider
	dir := filepath.Join(m.cacheDir, "docs", p.Host, p.Namespace, p.Type, m.found.Version)
	source := tfdocs.Published(m.host.Registry(), p, m.found.Version)
	library, diags, err := tfdocs.Fetch(ctx, source, dir, m.documented(), subjects(pkg))
	if err != nil {
		return nil, false, err
	}
	m.bridge.engine.Warn(ctx, "", diags)
	return library, len(diags) == 0, nil
}

// subjects are what a package has pages about.
func subjects(pkg *mapping.Package) []docpage.Subject {
	out := []docpage.Subject{{Kind: docpage.Overview}}
	for _, m := range pkg.Resources() {
		out = append(out, pkgschema.SubjectOf(m))
	}
	for _, m := range pkg.Functions() {
		out = append(out, pkgschema.SubjectOf(m))
	}
	return out
}
