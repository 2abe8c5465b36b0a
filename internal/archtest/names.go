package archtest

import (
	"path"
	"strings"
)

// sameNames finds packages whose name another one has: imports would need
// aliases, and programs would overwrite each other.
func (t *Tree) sameNames() []Violation {
	var found []Violation
	owner := map[string]string{}
	for _, file := range t.Files {
		dir, name := file.Package(), packageName(file)
		if owner[name] == "" {
			owner[name] = dir
		}
		if owner[name] == dir {
			continue
		}
		found = append(found, t.violation(file.Syntax.Name.Pos(),
			"package names are unique, so that imports need no aliases", "%s is the name of %s too", name, owner[name]))
	}
	return found
}

// packageName is what importers call file's package, or what a program's binary
// is called. An external test counts as the package it tests.
func packageName(file File) string {
	name := file.Syntax.Name.Name
	if name == "main" {
		return path.Base(file.Package())
	}
	if file.Test() {
		name = strings.TrimSuffix(name, "_test")
	}
	return name
}
