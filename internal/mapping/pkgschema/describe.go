package pkgschema

import (
	"cmp"
	"strings"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// memberNames has the last part of each token by its Terraform name. A
// resource comes before a data source of its name.
func memberNames(pkg *mapping.Package) map[string]string {
	names := map[string]string{}
	for _, m := range append(pkg.Resources()[:len(pkg.Resources()):len(pkg.Resources())], pkg.Functions()...) {
		if names[m.Terraform] == "" {
			names[m.Terraform] = mapping.TokenName(m.Token)
		}
	}
	return names
}

// description is what a block says of itself, or else the registry's page.
func (g *generator) description(block *tfschema.Block, m mapping.Member, root *mapping.Object) string {
	text := block.Description
	if strings.TrimSpace(text) == "" && g.opts.Docs != nil {
		text = pageBody(g.opts.Docs.Page(m))
	}
	return g.describe(text, root)
}

// join puts two paragraphs together, where there are two.
func join(first, second string) string {
	if first == "" || second == "" {
		return cmp.Or(first, second)
	}
	return first + "\n\n" + second
}

// describe cleans a text in Terraform's Markdown: space around it goes,
// notes become quotes, links that lead nowhere from here become text or
// whole, and what it says in code of properties and types of this package is
// said in Pulumi's names. Code blocks stay as they are. root has the
// properties that it may speak of.
func (g *generator) describe(text string, root *mapping.Object) string {
	text = strings.TrimSpace(text)
	if !strings.ContainsAny(text, "`[>") {
		return text
	}
	return outsideCode(text, func(line string) string {
		return inlineCode(resolveLinks(quoteNote(line)), func(code string) string { return g.rename(code, root) })
	})
}

// rename is the Pulumi name of a property or type, or name itself.
func (g *generator) rename(name string, root *mapping.Object) string {
	if p := root.FromTerraform(name); p != nil {
		return p.Name
	}
	return cmp.Or(g.names[name], name)
}
