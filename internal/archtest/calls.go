package archtest

import (
	"go/ast"
	"path"
	"slices"
	"strconv"
)

// ban forbids names of one standard package.
type ban struct {
	pkg   string
	names []string
	// except holds the packages where the names are welcome.
	except []string
	// tests is whether test files are held to it as well.
	tests bool
	why   string
}

func bans() []ban {
	printers := []string{
		"cmd", "internal/cli", "internal/testkit/cmd",
		"internal/testkit/providers/brokenprovider", // writes handshakes that no library would
	}
	const whyPrint = "only commands print: return a value or a diagnostic, or report progress"
	return []ban{
		{
			pkg: "context", names: []string{"TODO"}, tests: true,
			why: "take ctx from the caller (t.Context() in tests), so that Ctrl-C reaches everything",
		},
		{pkg: "fmt", names: []string{"Print", "Printf", "Println"}, except: printers, why: whyPrint},
		{pkg: "os", names: []string{"Stdout", "Stderr"}, except: printers, why: whyPrint},
		{
			pkg: "log", except: printers, why: whyPrint,
			names: []string{
				"Print", "Printf", "Println", "Fatal", "Fatalf", "Fatalln", "Panic", "Panicf", "Panicln", "Default",
			},
		},
	}
}

// calls finds uses of banned names.
func (t *Tree) calls() []Violation {
	var found []Violation
	for _, file := range t.Files {
		applicable := slices.DeleteFunc(bans(), func(b ban) bool {
			return file.Test() && !b.tests || below(file.Package(), b.except...)
		})
		imports := importNames(file)
		ast.Inspect(file.Syntax, func(node ast.Node) bool {
			if pkg, name, ok := qualified(node, imports); ok {
				for _, b := range applicable {
					if b.pkg == pkg && slices.Contains(b.names, name) {
						found = append(found, t.violation(node.Pos(), b.why, "%s.%s", pkg, name))
					}
				}
			}
			return true
		})
	}
	return found
}

// importNames maps the names under which file knows packages to their paths.
func importNames(file File) map[string]string {
	names := map[string]string{}
	for _, spec := range file.Syntax.Imports {
		target, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name := path.Base(target)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = target
	}
	return names
}

// qualified reads node as pkg.name where pkg is an import.
func qualified(node ast.Node, imports map[string]string) (pkg, name string, ok bool) {
	selector, isSelector := node.(*ast.SelectorExpr)
	if !isSelector {
		return "", "", false
	}
	qualifier, isName := selector.X.(*ast.Ident)
	if !isName {
		return "", "", false
	}
	pkg, ok = imports[qualifier.Name]
	return pkg, selector.Sel.Name, ok
}
