package sdkts

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// enumFiles writes the enums, a directory for each module that has some or
// holds such.
func (s *sdk) enumFiles() []sdkgen.File {
	below := map[string]map[string]bool{}
	for _, m := range s.sorted() {
		if len(m.enums) == 0 {
			continue
		}
		addTo(below, m.name, "")
		for name := m.name; name != ""; {
			parent, child := path.Split(name)
			name = strings.TrimSuffix(parent, "/")
			addTo(below, name, child)
		}
	}
	var files []sdkgen.File
	for _, name := range slices.Sorted(maps.Keys(below)) {
		f := s.file(pathTo("types/enums", name, "index.ts"))
		if len(below[name]) > 0 {
			f.submodules(slices.Sorted(maps.Keys(below[name])))
		}
		for _, enum := range s.modules[name].enums {
			f.enum(enum)
		}
		f.trim()
		files = append(files, f.done())
	}
	return files
}

// addTo adds a child, if any, to a parent that has to be there.
func addTo(below map[string]map[string]bool, parent, child string) {
	if below[parent] == nil {
		below[parent] = map[string]bool{}
	}
	if child != "" {
		below[parent][child] = true
	}
}

// enum writes an enum as an object of its values, and the type of those.
func (f *file) enum(of *pschema.Enum) {
	name := typeName(of.Token)
	taken := sdkgen.Taken{}
	f.block("export const "+name+" = {", func() {
		for _, value := range of.Values {
			f.doc(value.Description, value.DeprecationMessage)
			f.line(taken.Free(enumMember(name, value)), ": ", literal(value.Value), ",")
		}
	}, "} as const;")
	f.blank()
	f.doc(of.Description, "")
	f.line("export type ", name, " = (typeof ", name, ")[keyof typeof ", name, "];")
	f.blank()
}

// enumMember names a value: after its name, else after itself, with a capital
// in front.
func enumMember(enum string, value pschema.EnumValue) string {
	name, spelled := sdkgen.ValueName(value)
	if spelled {
		return name
	}
	name = identifier(upperFirst(name))
	for strings.Contains(name, "__") {
		name = strings.ReplaceAll(name, "__", "_")
	}
	if strings.HasPrefix(name, "_") {
		return enum + name
	}
	return name
}
