package docpage

import "strings"

// Page is one page. Its texts are Markdown, with Terraform's names in it.
type Page struct {
	// Intro is what the page says before its first section, without the title.
	Intro string
	// Sections are the others, but for those that list arguments or
	// attributes, or tell how to import.
	Sections []Section
	// ImportText tells how objects are named when they are imported, and
	// Imports are examples of that.
	ImportText string
	Imports    []Import

	lists []list
}

// Section is a part of a page with its title, such as "Example Usage".
type Section struct{ Title, Text string }

// MaxSize is the size of the largest page that is read, in bytes.
const MaxSize = 1 << 20

// Parse reads a page. What it does not understand it leaves out; of a page
// that is too large, it reads nothing.
func Parse(text string) *Page {
	if len(text) > MaxSize {
		return &Page{}
	}
	lines := scan(withoutFrontMatter(strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\r\n", "\n")))
	p := &Page{lists: readLists(lines)}
	for i, part := range split(lines) {
		p.add(part, i == 0)
	}
	return p
}

// withoutFrontMatter takes off the metadata before a page.
func withoutFrontMatter(text string) string {
	text = strings.TrimPrefix(text, "\ufeff")
	if rest, ok := strings.CutPrefix(text, "---\n"); ok {
		if _, body, ok := strings.Cut(rest, "\n---\n"); ok {
			return body
		}
	}
	return text
}

// part is the lines of one section: those below a heading of the second level,
// or before the first such.
type part struct {
	title string
	lines []line
}

func split(lines []line) []part {
	parts := []part{{}}
	for _, l := range lines {
		switch {
		case l.kind == heading && l.level == 1: // the page's title
		case l.kind == heading && l.level == 2:
			parts = append(parts, part{title: cleanTitle(l.title)})
		default:
			last := &parts[len(parts)-1]
			last.lines = append(last.lines, l)
		}
	}
	return parts
}

// add takes a section over into the page, unless [Page.Texts] has what it says.
func (p *Page) add(s part, first bool) {
	switch {
	case first:
		p.Intro = s.text()
	case isImport(s.title):
		p.readImport(s)
	case isListTitle(s.title) || s.listsArguments():
	default:
		if text := s.text(); text != "" {
			p.Sections = append(p.Sections, Section{s.title, text})
		}
	}
}

// text is the section as it stands, without marks for machines.
func (s part) text() string {
	var out []string
	for _, l := range s.lines {
		text := l.text
		if l.kind != code {
			text = strings.TrimRight(withoutTags(text), " \t")
		}
		if text != "" || l.kind == code || len(out) > 0 && out[len(out)-1] != "" {
			out = append(out, text)
		}
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

// listsArguments reports whether most of what the section lists are arguments.
func (s part) listsArguments() bool {
	bullets, arguments := 0, 0
	for _, l := range s.lines {
		if l.kind != bullet {
			continue
		}
		bullets++
		if _, _, ok := parseItemHead(l.rest); ok {
			arguments++
		}
	}
	return arguments > 0 && 2*arguments >= bullets
}
