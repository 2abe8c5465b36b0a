package sdkgen

import (
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// PropertyNames are the names of all properties of a package.
func PropertyNames(pkg *pschema.Package) map[string]bool {
	names := map[string]bool{}
	add := func(properties []*pschema.Property) {
		for _, p := range properties {
			names[p.Name] = true
		}
	}
	object := func(of *pschema.Object) {
		if of != nil {
			add(of.Properties())
		}
	}
	add(pkg.Config())
	for _, r := range append(pkg.Resources(), pkg.Provider()) {
		if r != nil { // an extension has no provider
			add(r.Inputs)
			add(r.Outputs)
			object(r.StateInputs)
		}
	}
	for _, f := range pkg.Functions() {
		object(f.Inputs)
		object(f.InlineResult())
	}
	for _, t := range pkg.Types() {
		if of, ok := t.(*pschema.Object); ok {
			object(of)
		}
	}
	return names
}

// RenameQuoted replaces the names of properties that stand in backquotes in a
// description, where the schema calls them otherwise than a language does.
// Blocks of code stay as they are.
func RenameQuoted(text string, properties map[string]bool, rename func(string) string) string {
	const mark, fence = "`", "```"
	if !strings.Contains(text, mark) {
		return text
	}
	var b strings.Builder
	for {
		at := strings.Index(text, mark)
		if at < 0 {
			return b.String() + text
		}
		ends := mark
		if strings.HasPrefix(text[at:], fence) {
			ends = fence
		}
		inside := at + len(ends)
		length := strings.Index(text[inside:], ends)
		if length < 0 {
			return b.String() + text
		}
		b.WriteString(text[:inside])
		if name := text[inside : inside+length]; ends == mark && properties[name] {
			b.WriteString(rename(name))
		} else {
			b.WriteString(name)
		}
		b.WriteString(ends)
		text = text[inside+length+len(ends):]
	}
}
