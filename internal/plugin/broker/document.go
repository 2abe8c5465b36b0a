package broker

import (
	"bufio"
	"context"
	"io"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/host"
)

// Document is a text that was made of a schema. It may be larger than is good
// to have in memory.
type Document struct {
	write func(io.Writer) error
	close func()
}

// NewDocument is a document that write writes.
func NewDocument(write func(io.Writer) error) *Document { return &Document{write, func() {}} }

// Write writes the document. It is called once, and the error is w's.
func (d *Document) Write(w io.Writer) error { return d.write(w) }

// Close is called when the document is of no more use.
func (d *Document) Close() { d.close() }

// Rendering makes documents of schemas.
type Rendering struct {
	// Name tells its documents of a schema from others.
	Name string
	// Render makes a document. One with diagnostics is not kept, so that they
	// are said every time.
	Render func(schema string) (write func(io.Writer) error, diags diag.List)
}

// Document renders the schema of a package. The document of an earlier run
// serves as long as the plugin is the same. What it makes of arguments may
// change with the time of day all the same: there, it is asked whether its
// schema is still the one that the document was made of.
func (s *InstalledSchemas) Document(ctx context.Context, d plugin.Descriptor, r Rendering) (*Document, diag.List) {
	found, diags := s.host.Finder().Find(plugin.Resource, wanted(d))
	if diags.HasErrors() {
		return nil, diags
	}
	page := page{s.store.shelf(found), []string{"document", r.Name, d.Parameterization.Key(), d.Extension.Key()}}
	kept := page.open()
	if !argued(d) {
		if kept != nil {
			return kept.document(), nil
		}
		text, diags := s.Schema(ctx, d)
		return page.render(r, host.Schema{Text: text}, diags)
	}
	schema, diags := s.ask(ctx, found, d, kept.held())
	switch {
	case schema.Held:
		return kept.document(), diags
	case schema.Tag == "": // nobody can say later whether it is still the one
		page.shelf = ""
	}
	kept.close()
	return page.render(r, schema, diags)
}

// page is where a document is kept: a line with the tag of its schema, and the
// text.
type page struct {
	shelf    shelf
	question []string
}

// render makes a document, which is kept when its reader has it.
func (p page) render(r Rendering, schema host.Schema, diags diag.List) (*Document, diag.List) {
	if diags.HasErrors() {
		return nil, diags
	}
	write, more := r.Render(schema.Text)
	if diags = append(diags, more...); diags.HasErrors() {
		return nil, diags
	}
	if len(diags) > 0 {
		return NewDocument(write), diags
	}
	return NewDocument(func(w io.Writer) error {
		if err := write(w); err != nil {
			return err
		}
		p.keep(schema.Tag, write)
		return nil
	}), nil
}

// keep puts a document on its page. That it cannot is of no account.
func (p page) keep(tag string, write func(io.Writer) error) {
	_ = p.shelf.stream(p.question, func(w io.Writer) error {
		if _, err := io.WriteString(w, tag+"\n"); err != nil {
			return err
		}
		return write(w)
	})
}

// keptPage is a page that was found; nil stands for none.
type keptPage struct {
	file io.Closer
	tag  string
	text *bufio.Reader
}

// readAhead is how much of a document is read at a time, in bytes.
const readAhead = 256 << 10

func (p page) open() *keptPage {
	answer := p.shelf.open(p.question...)
	if answer == nil {
		return nil
	}
	text := bufio.NewReaderSize(answer.text, readAhead)
	tag, err := text.ReadString('\n')
	if err != nil {
		_ = answer.file.Close()
		return nil
	}
	return &keptPage{answer.file, strings.TrimSuffix(tag, "\n"), text}
}

// held is the tag of the schema that there is a document of; or "".
func (p *keptPage) held() string {
	if p == nil {
		return ""
	}
	return p.tag
}

func (p *keptPage) document() *Document {
	return &Document{
		write: func(w io.Writer) error {
			_, err := p.text.WriteTo(w)
			return err
		},
		close: p.close,
	}
}

func (p *keptPage) close() {
	if p != nil {
		_ = p.file.Close()
	}
}
