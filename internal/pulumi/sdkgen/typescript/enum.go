package sdkts

import (
	"fmt"
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
	taken := map[string]bool{}
	f.block("export const "+name+" = {", func() {
		for _, value := range of.Values {
			f.doc(value.Description, value.DeprecationMessage)
			f.line(free(taken, enumMember(name, value)), ": ", literal(value.Value), ",")
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
	name := value.Name
	if name == "" {
		name = fmt.Sprint(value.Value)
	}
	if word := spelled(name); word != "" {
		return word
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

// spelled is the word for a value that is empty or of one character that no
// name can begin with, or "".
func spelled(name string) string {
	digits := []string{"Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"}
	switch {
	case name == "":
		return "Empty"
	case name == "*":
		return "Asterisk"
	case len(name) == 1 && '0' <= name[0] && name[0] <= '9':
		return digits[name[0]-'0']
	}
	return ""
}

// free takes a name that none has, with a number behind it where one has.
func free(taken map[string]bool, name string) string {
	unique := name
	for n := 2; taken[unique]; n++ {
		unique = fmt.Sprintf("%s_%d", name, n)
	}
	taken[unique] = true
	return unique
}
