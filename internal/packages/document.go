package packages

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/jsonindent"
	"github.com/formation-iac/formation/internal/plugin/broker"
	"github.com/formation-iac/formation/internal/plugin/install"
)

// Document is the schema of a package as people read it: JSON that is laid
// out. It is quicker than [Packages.Open] where the document is there from an
// earlier run.
func (p *Packages) Document(ctx context.Context, s Source) (*broker.Document, diag.List) {
	if s.schemaFile() || !s.Selection.IsZero() {
		pkg, diags := p.Open(ctx, s)
		if diags.HasErrors() {
			return nil, diags
		}
		return broker.NewDocument(pkg.layOut), diags
	}
	d, diags := p.describe(s)
	if diags.HasErrors() {
		return nil, diags
	}
	installed, more := p.install(ctx, d)
	if diags = append(diags, more...); diags.HasErrors() {
		return nil, diags
	}
	document, more := p.render(ctx, s, installed)
	return document, append(diags, more...)
}

// render lays out the schema of a package that is installed.
func (p *Packages) render(ctx context.Context, s Source, i install.Installed) (*broker.Document, diag.List) {
	layOut := func(own string) (func(io.Writer) error, diag.List) {
		pkg, diags := p.accept(ctx, s, i, own)
		if diags.HasErrors() {
			return nil, diags
		}
		return pkg.layOut, append(diags, checkParameterization(s, pkg.Bound)...)
	}
	if d, ok := p.named(i); ok {
		// The text says where the plugin comes from, beside what it says itself.
		edition := fmt.Sprintf("laid out %q %q %q %v", i.Plugin, i.Local, i.Descriptor.Server, s.Extension)
		return p.schemas.Document(ctx, d, broker.Rendering{Name: edition, Render: layOut})
	}
	own, diags := p.ownSchema(ctx, i)
	if diags.HasErrors() {
		return nil, diags
	}
	write, more := layOut(own)
	return broker.NewDocument(write), append(diags, more...)
}

// layOut writes a package's schema with an end of line.
func (pkg *Package) layOut(w io.Writer) error {
	out := bufio.NewWriterSize(w, layOutBuffer) // keeps the first error for Flush
	jsonindent.Write(out, pkg.Schema, 0)
	_ = out.WriteByte('\n')
	return out.Flush()
}

// layOutBuffer is how much is written at a time, in bytes.
const layOutBuffer = 256 << 10
