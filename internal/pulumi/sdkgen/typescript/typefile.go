package sdkts

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// typesPerFile is how many objects go into one file: editors and reviewers
// stop at files of many thousands of lines.
const typesPerFile = 200

// side is one half of the types: those that inputs are of, or outputs.
type side struct {
	// file is its path without the extension; modules below it are in a
	// directory of that name.
	file string
	// forms are those in which an object is written there.
	forms func(*sdk, *pschema.Object) []form
}

func sides() []side {
	return []side{
		{file: "types/input", forms: (*sdk).inputForms},
		{file: "types/output", forms: (*sdk).outputForms},
	}
}

// inputForms are plain first. Where both would have one name, the one that
// takes outputs takes plain values too.
func (s *sdk) inputForms(of *pschema.Object) []form {
	var forms []form
	if s.usage.Plain[of] && (s.hasArgs(of) || !s.usage.Input[of]) {
		forms = append(forms, plainForm)
	}
	if s.usage.Input[of] {
		forms = append(forms, inputForm)
	}
	return forms
}

func (s *sdk) outputForms(of *pschema.Object) []form {
	if s.usage.Output[of] {
		return []form{outputForm}
	}
	return nil
}

// objects are all that have interfaces.
func (s *sdk) objects() []*pschema.Object {
	var all []*pschema.Object
	for _, named := range s.pkg.Types() {
		if object, ok := named.(*pschema.Object); ok && !object.Overlay.In(language) {
			all = append(all, object)
		}
	}
	return all
}

// hasTypes reports whether the SDK has a directory of types.
func (s *sdk) hasTypes() bool {
	return len(s.objects()) > 0 || slices.ContainsFunc(s.sorted(), func(m *module) bool { return len(m.enums) > 0 })
}

// namespace is a module as types see it: a file with its objects, and
// namespaces below.
type namespace struct {
	path     string // segments with slashes between them, "" for the root
	objects  []*pschema.Object
	children map[string]bool
}

// typeTasks writes the files of types.
func (s *sdk) typeTasks() []sdkgen.Task {
	if !s.hasTypes() {
		return nil
	}
	tasks := []sdkgen.Task{func() []sdkgen.File { return []sdkgen.File{s.typesIndex()} }}
	for _, side := range sides() {
		for _, n := range s.namespaces(side) {
			tasks = append(tasks, s.namespaceTasks(side, n)...)
		}
	}
	return tasks
}

// namespaces divides the objects that have a form on a side. The root is
// always there, since resources import it.
func (s *sdk) namespaces(side side) []*namespace {
	all := map[string]*namespace{"": {children: map[string]bool{}}}
	for _, object := range s.objects() {
		if len(side.forms(s, object)) == 0 {
			continue
		}
		n := all[""]
		for _, segment := range namespaces(s.info.module(s.pkg, object.Token)) {
			n.children[segment] = true
			below := path.Join(n.path, segment)
			if all[below] == nil {
				all[below] = &namespace{path: below, children: map[string]bool{}}
			}
			n = all[below]
		}
		n.objects = append(n.objects, object)
	}
	sorted := slices.SortedFunc(maps.Values(all), func(a, b *namespace) int { return cmp.Compare(a.path, b.path) })
	for _, n := range sorted {
		slices.SortFunc(n.objects, func(a, b *pschema.Object) int { return cmp.Compare(typeName(a.Token), typeName(b.Token)) })
	}
	return sorted
}

// namespaceTasks writes a namespace: its objects, or the files that have them,
// and the namespaces below.
func (s *sdk) namespaceTasks(side side, n *namespace) []sdkgen.Task {
	if len(n.objects) <= typesPerFile {
		return []sdkgen.Task{func() []sdkgen.File {
			f := s.file(pathTo(side.file, n.path) + ".ts")
			f.namespaceExports(side, n, 0)
			f.objects(side, n.objects)
			return []sdkgen.File{f.done()}
		}}
	}
	var tasks []sdkgen.Task
	parts := 0
	for objects := range slices.Chunk(n.objects, typesPerFile) {
		parts++
		name := partName(side, n, parts)
		tasks = append(tasks, func() []sdkgen.File {
			f := s.file(name + ".ts")
			f.objects(side, objects)
			return []sdkgen.File{f.done()}
		})
	}
	return append(tasks, func() []sdkgen.File {
		f := s.file(pathTo(side.file, n.path) + ".ts")
		f.namespaceExports(side, n, parts)
		return []sdkgen.File{f.done()}
	})
}

// partName is the path of a part of a namespace. No namespace has a dot.
func partName(side side, n *namespace, part int) string {
	return fmt.Sprintf("%s.part%d", pathTo(side.file, n.path), part)
}

// namespaceExports exports the parts of a namespace and the ones below it.
func (f *file) namespaceExports(side side, n *namespace, parts int) {
	for part := range parts {
		f.line("export * from ", quote(f.relative(partName(side, n, part+1))), ";")
	}
	for _, child := range slices.Sorted(maps.Keys(n.children)) {
		f.line("export * as ", child, " from ", quote(f.relative(pathTo(side.file, n.path, child))), ";")
	}
	switch {
	case parts == 0 && len(n.children) == 0 && len(n.objects) == 0:
		f.line("export {};")
	case parts+len(n.children) > 0 && len(n.objects) > 0 && parts == 0:
		f.blank()
	}
}

// objects writes interfaces and the functions for their defaults.
func (f *file) objects(side side, objects []*pschema.Object) {
	for i, object := range objects {
		for j, form := range side.forms(f.sdk, object) {
			if i+j > 0 {
				f.blank()
			}
			f.object(object, form)
		}
	}
}

func (f *file) object(of *pschema.Object, form form) {
	f.interfaceOf(f.sdk.objectName(of, form), of.Description, requiredBy(of, form), form, "")
	if form != outputForm {
		f.defaultsFunction(of, form)
	}
}

// requiredBy are an object's properties as one of its forms has them.
func requiredBy(of *pschema.Object, form form) []*pschema.Property {
	info := readObjectInfo(of)
	names := info.RequiredInputs
	if form == outputForm {
		names = info.RequiredOutputs
	}
	if names == nil {
		return of.Properties()
	}
	properties := make([]*pschema.Property, len(of.Properties()))
	for i, p := range of.Properties() {
		changed := *p
		changed.Required = slices.Contains(names, p.Name)
		properties[i] = &changed
	}
	return properties
}

// typesIndex exports both sides, and the enums.
func (s *sdk) typesIndex() sdkgen.File {
	f := s.file("types/index.ts")
	names := []string{"input", "output"}
	if slices.ContainsFunc(s.sorted(), func(m *module) bool { return len(m.enums) > 0 }) {
		names = slices.Insert(names, 0, "enums")
	}
	for _, name := range names {
		f.line("import * as ", name, " from ", quote("./"+name), ";")
	}
	f.blank()
	f.block("export {", func() { f.line(strings.Join(names, ",\n    "), ",") }, "};")
	return f.done()
}
