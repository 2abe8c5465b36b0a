package packages

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/wholefile"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// linking is a package on its way into a program. Before commit nothing of the
// project has changed.
type linking struct {
	Added
	// sdk is the SDK, to be put in place; nil where it is one of the edits.
	sdk *directory
	// edits are files as they are to be.
	edits []edit
	// obsolete are files that are to go.
	obsolete []string
	// last is what is left to do when all else is in place; or nil.
	last func(*linking) diag.List
	// first says that nothing of the project's names the package yet, so that
	// what its dependencies have under the SDK's name is another's.
	first bool
}

// edit is a file as it is to be.
type edit struct {
	path string
	text []byte
}

// edit changes the text of a file, on top of what is to change in it already.
// A file that is not there has no text.
func (l *linking) edit(path string, change func(src []byte) ([]byte, error)) error {
	for i, e := range l.edits {
		if e.path == path {
			text, err := change(e.text)
			l.edits[i].text = text
			return err
		}
	}
	src, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	text, err := change(src)
	if err == nil && !bytes.Equal(src, text) {
		l.edits = append(l.edits, edit{path, text})
	}
	return err
}

// link writes a package's SDK and names it among the program's dependencies:
// both, or neither. The caller holds the room that SDKs are in; first is as in
// linking.
func (p *Packages) link(ctx context.Context, m *project.Manifest, pkg *Package, first bool) (Added, diag.List) {
	l, diags := p.prepareLink(ctx, m, pkg, first)
	if diags.HasErrors() {
		return Added{}, diags
	}
	defer l.drop()
	if err := ctx.Err(); err != nil {
		return Added{}, append(diags, cannotLink(m.Dir(), err))
	}
	diags = append(diags, l.commit()...)
	return l.Added, diags
}

// prepareLink makes everything ready. Without an error the caller drops it.
func (p *Packages) prepareLink(ctx context.Context, m *project.Manifest, pkg *Package, first bool) (*linking, diag.List) {
	name := pkg.Bound.Name()
	if ns := pkg.Bound.Header.Namespace; ns != "" {
		name = ns + "-" + name
	}
	l := &linking{Added: Added{
		Name: pkg.Bound.Name(), Version: pkg.Bound.Version(), Runtime: Runtime(m.Runtime.Name), SDK: "sdks/" + name, Plugin: pkg.Installed,
	}, first: first}
	if l.Runtime == "yaml" {
		return l, p.linkYAML(m, pkg, l)
	}
	var diags diag.List
	if l.sdk, diags = p.stageSDK(ctx, pkg, l.Runtime, filepath.Join(m.Dir(), filepath.FromSlash(l.SDK)), true); diags.HasErrors() {
		return nil, diags
	}
	if diags = append(diags, p.linkInto(ctx, m, pkg, l)...); diags.HasErrors() {
		l.drop()
		return nil, diags
	}
	return l, diags
}

// linkInto names the SDK among the dependencies of the program.
func (p *Packages) linkInto(ctx context.Context, m *project.Manifest, pkg *Package, l *linking) diag.List {
	to := programOf(m, l.sdk)
	switch l.Runtime {
	case "nodejs", "bun":
		return linkNode(ctx, to, l)
	case "python":
		return linkPython(to, l)
	case "go":
		return linkGo(to, l)
	}
	l.last = func(l *linking) diag.List { return p.foreignLink(ctx, m, pkg, l) }
	return nil
}

// commit puts the SDK in its place and then writes the files that name it, so
// that these never name what is not there.
func (l *linking) commit() diag.List {
	if l.sdk != nil {
		if err := l.sdk.install(); err != nil {
			return diag.List{cannotWrite(l.sdk.path, err)}
		}
	}
	for _, edit := range l.edits {
		if err := errors.Join(wholefile.Clear(edit.path), wholefile.Rewrite(edit.path, edit.text)); err != nil {
			return diag.List{cannotLink(edit.path, err)}
		}
	}
	for _, path := range l.obsolete {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return diag.List{cannotWrite(path, err)}
		}
	}
	if l.last != nil {
		return l.last(l)
	}
	return nil
}

func (l *linking) drop() {
	if l.sdk != nil {
		l.sdk.drop()
	}
}
