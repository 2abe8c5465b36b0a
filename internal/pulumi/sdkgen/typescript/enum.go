package sdkts

import (
	"fmt"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

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
