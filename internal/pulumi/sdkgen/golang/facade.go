package golang

import (
	"cmp"
	"fmt"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// declaration is something that a Go package declares for programs.
type declaration struct {
	kind       declarationKind
	name       string
	deprecated string // why, "" where it is not
	// params and results are a function's, as they are written, and imports
	// the packages that these may name.
	params, results string
	imports         map[string]string
}

type declarationKind uint8

const (
	typeDeclaration declarationKind = iota
	functionDeclaration
	valueDeclaration
)

// declareType notes a type that is being written.
func (f *file) declareType(name, deprecated string) {
	f.declare(declaration{kind: typeDeclaration, name: name, deprecated: deprecated})
}

// declare notes what the modules above are to have as well.
func (f *file) declare(d declaration) {
	if f.above != nil && token.IsExported(d.name) {
		f.declarations = append(f.declarations, d)
	}
}

// function begins to write a function.
func (f *file) function(name, deprecated, params, results string) {
	f.declare(declaration{functionDeclaration, name, deprecated, params, results, f.imports})
	f.printf("func %s(%s) %s {\n", name, params, results)
}

// sortDeclarations puts what the files of modules declare in order.
func (s *sdk) sortDeclarations() {
	for _, m := range s.modules {
		slices.SortFunc(m.declarations, func(a, b declaration) int { return cmp.Compare(a.name, b.name) })
	}
}

// facade is the file with which a module gives what those below it declare its
// own names.
func (m *module) facade() []sdkgen.File {
	if len(m.below) == 0 {
		return nil
	}
	f := m.file()
	f.shadowParams(m)
	for _, part := range m.below {
		f.rename(part)
	}
	return []sdkgen.File{f.done("pulumiNames.go")}
}

// shadowParams keeps the names of parameters from those of packages.
func (f *file) shadowParams(m *module) {
	for _, d := range m.declarations {
		for _, name := range names(d.params) {
			f.shadowed[name] = true
		}
	}
	for _, part := range m.below {
		f.shadowParams(part)
	}
}

// rename gives what a module declares names of this one.
func (f *file) rename(of *module) {
	for _, d := range of.declarations {
		if d.kind == functionDeclaration {
			f.forward(d, of)
			continue
		}
		full := f.useModule(of) + d.name
		f.comment("", d.deprecated)
		keyword := "type"
		if d.kind == valueDeclaration {
			keyword = "const"
		}
		f.printf("%s %s = %s\n", keyword, d.name, full)
	}
	for _, part := range of.below {
		f.rename(part)
	}
}

// forward writes a function that calls that of another module.
func (f *file) forward(d declaration, of *module) {
	target := f.useModule(of) + d.name
	f.printf("\n")
	f.comment(d.name+" is ["+target+"].", d.deprecated)
	f.printf("func %s(%s) %s {\n\treturn %s(%s)\n}\n\n", d.name, f.here(d.params, d.imports), f.here(d.results, d.imports), target, arguments(d.params))
}

// here writes a piece of another file's code as this file may have it. Names
// of that file's own module have the same meaning here.
func (f *file) here(code string, imports map[string]string) string {
	for importPath, name := range imports {
		if !strings.Contains(code, name+".") {
			continue
		}
		as := f.useAs(importPath, name)
		code = regexp.MustCompile(`\b`+regexp.QuoteMeta(name)+`\.`).ReplaceAllLiteralString(code, as)
	}
	return code
}

// arguments passes on what parameters get.
func arguments(params string) string {
	list := strings.Join(names(params), ", ")
	if strings.Contains(params, " ...") {
		list += "..."
	}
	return list
}

// names are those of parameters.
func names(params string) []string {
	var out []string
	for param := range strings.SplitSeq(params, ", ") {
		name, _, _ := strings.Cut(param, " ")
		out = append(out, name)
	}
	return out
}

// parts says in a module's documentation where its parts are.
func (m *module) parts() string {
	if len(m.below) == 0 {
		return ""
	}
	example := m.below[0]
	return fmt.Sprintf("\n\nIt has much, in packages below it by the first words of names, such as %s. "+
		"A program that imports these in its place builds faster.", example.importPath)
}
