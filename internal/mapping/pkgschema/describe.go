package pkgschema

import (
	"cmp"
	"strings"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/tf/tfdocs/docpage"
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

// speech turns texts of Terraform's bank into Pulumi's, for one member.
type speech struct {
	root *mapping.Object
	// members has the last part of tokens by Terraform name.
	members map[string]string
	// nested has the names of properties below root's; nil until needed.
	nested map[string]string
	// page is that about the member, or nil, and texts what it says of the
	// properties.
	page  *docpage.Page
	texts docpage.Texts
}

// rename is the Pulumi name of a property or type, or name itself.
func (s *speech) rename(name string) string {
	if p := s.root.FromTerraform(name); p != nil {
		return p.Name
	}
	if s.nested == nil {
		s.nested = make(map[string]string, 2*len(s.root.Properties))
		s.collect(s.root)
	}
	return cmp.Or(s.nested[name], s.members[name], name)
}

// collect notes the names of all properties of o and in them.
func (s *speech) collect(o *mapping.Object) {
	for _, p := range o.Properties {
		s.nested[p.Terraform] = p.Name
		for inner := range p.Type.Objects() {
			s.collect(inner)
		}
	}
}

// describe cleans a text in Terraform's Markdown: space around it goes,
// notes become quotes, links that lead nowhere from here become text or
// whole, and what it says in code of properties and types of this package is
// said in Pulumi's names. Code blocks stay as they are.
func (s *speech) describe(text string) string {
	text = strings.TrimSpace(text)
	if !strings.ContainsAny(text, "`[>") {
		return text
	}
	return outsideCode(text, func(line string) string {
		return inlineCode(resolveLinks(quoteNote(line)), s.rename)
	})
}

// deprecation says why not to use what a block describes, or "".
func (s *speech) deprecation(block *tfschema.Block) string {
	if block.Deprecated && block.DeprecationMessage == "" {
		return "Deprecated"
	}
	return s.describe(block.DeprecationMessage)
}

// join puts two paragraphs together, where there are two.
func join(first, second string) string {
	if first == "" || second == "" {
		return cmp.Or(first, second)
	}
	return first + "\n\n" + second
}
