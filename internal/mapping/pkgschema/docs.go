package pkgschema

import (
	"fmt"
	"maps"
	"strings"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/tf/tfdocs/docpage"
)

// Docs is the documentation of a provider.
type Docs interface {
	// Page returns the page about a subject, or nil. It may be called
	// concurrently.
	Page(s docpage.Subject) *docpage.Page
}

// SubjectOf is what the page about a member is about.
func SubjectOf(m mapping.Member) docpage.Subject {
	kind := docpage.Resource
	switch m.Kind {
	case mapping.FunctionDataSource:
		kind = docpage.DataSource
	case mapping.FunctionEphemeral:
		kind = docpage.Ephemeral
	case mapping.FunctionProvider:
		kind = docpage.Function
	}
	return docpage.Subject{Kind: kind, Terraform: m.Terraform}
}

// speechOf is for what root is the object of, with the page about it.
func (g *generator) speechOf(root *mapping.Object, about docpage.Subject) *speech {
	s := &speech{root: root, members: g.names}
	if g.opts.Docs == nil || about == (docpage.Subject{}) {
		return s
	}
	if s.page = g.opts.Docs.Page(about); s.page != nil && about.Kind != docpage.Function {
		s.texts = s.page.Texts(shapeOf(root))
	}
	return s
}

// shapeOf has the names in an object, and in the objects in it.
func shapeOf(o *mapping.Object) docpage.Shape {
	shape := make(docpage.Shape, len(o.Properties))
	for _, p := range o.Properties {
		shape[p.Terraform] = nil
		for inner := range p.Type.Objects() {
			if shape[p.Terraform] == nil {
				shape[p.Terraform] = docpage.Shape{}
			}
			maps.Copy(shape[p.Terraform], shapeOf(inner))
		}
	}
	return shape
}

// told is what is said of the property at a path, in Terraform's names: what
// the page says, or else described, the provider's own text as it is described.
// The page's takes its place only where it has all of that and more. What people
// write on pages they copy from other pages, and not everything then fits.
func (s *speech) told(path, own, described string) string {
	if page := s.texts[path]; extends(page, own) {
		return plainCode(s.describe(page), "")
	}
	return described
}

// extends reports whether a text has all of another one and more.
func extends(text, other string) bool {
	return len(text) > len(other) && strings.Contains(spaced(text), strings.TrimSuffix(spaced(other), "."))
}

// spaced has one space wherever the text has some.
func spaced(text string) string { return strings.Join(strings.Fields(text), " ") }

// overview is what is said of the member itself: by the provider, or at the
// beginning of the page where that says more.
func (s *speech) overview(own string) string {
	own = strings.TrimSpace(own)
	if s.page != nil && len(s.page.Intro) > len(own) {
		own = s.page.Intro
	}
	return s.describe(own)
}

// description is overview and the sections of the page.
func (s *speech) description(own string, m mapping.Member) string {
	text := s.overview(own)
	if s.page == nil {
		return text
	}
	for _, section := range s.page.Sections {
		text = join(text, s.describe("## "+section.Title+"\n\n"+section.Text))
	}
	return plainCode(join(text, s.importing(m)), exampleNote)
}

// importing tells how objects are imported, in Pulumi's command.
func (s *speech) importing(m mapping.Member) string {
	var commands []string
	for _, one := range s.page.Imports {
		if m.Kind == 0 && one.Type == m.Terraform {
			commands = append(commands, fmt.Sprintf("$ pulumi import %s %s %s", m.Token, one.Name, quoted(one.ID)))
		}
	}
	if len(commands) == 0 {
		return ""
	}
	example := "```sh\n" + strings.Join(commands, "\n") + "\n```"
	return "## Import\n\n" + join(s.describe(s.page.ImportText), example)
}

// quoted is a word for a shell.
func quoted(word string) string {
	plain := strings.IndexFunc(word, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:,@%+=", r))
	}) < 0
	if plain {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
