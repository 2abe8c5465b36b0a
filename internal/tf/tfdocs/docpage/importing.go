package docpage

import (
	"strings"
)

// Import is an example of a command that imports a resource.
type Import struct {
	// Type and Name are those of the resource in Terraform.
	Type, Name string
	ID         string
}

// isImport reports whether a section tells how to import.
func isImport(title string) bool {
	first, _, _ := strings.Cut(strings.ToLower(title), " ")
	return first == "import" || first == "importing"
}

// command is `terraform import ADDRESS ID`, or the same of tofu.
var command = lazily(`(?:terraform|tofu) import (?:-[^ ]+ )*'?(?:[^ ']+\.)?([a-z0-9_]+)\.([A-Za-z0-9_-]+)(?:\[[^\]]*\])?'? +(.+)$`)

// maxImports bounds the examples of one page.
const maxImports = 5

// readImport takes the commands of a section, and of the text the paragraphs
// before the first of them that are not about Terraform.
func (p *Page) readImport(s part) {
	var before part
	for _, l := range s.lines {
		switch {
		case l.kind == code:
			p.addImport(l.text)
		case len(p.Imports) == 0:
			before.lines = append(before.lines, l)
		}
	}
	var kept []string
	for paragraph := range strings.SplitSeq(before.text(), "\n\n") {
		if !aboutTerraform().MatchString(paragraph) {
			kept = append(kept, paragraph)
		}
	}
	p.ImportText = strings.Join(kept, "\n\n")
}

// aboutTerraform is what a paragraph says that is of no use elsewhere: how
// Terraform imports, or that the command comes next.
var aboutTerraform = lazily(`(?i)terraform|tofu\b|import. block|following (?:syntax|command)|^#|^For example:?$|^$`)

func (p *Page) addImport(text string) {
	match := command().FindStringSubmatch(strings.TrimSpace(text))
	if match == nil || len(p.Imports) >= maxImports {
		return
	}
	id := strings.TrimSpace(match[3])
	if len(id) > 2 && id[0] == id[len(id)-1] && (id[0] == '\'' || id[0] == '"') {
		id = id[1 : len(id)-1]
	}
	p.Imports = append(p.Imports, Import{match[1], match[2], id})
}
