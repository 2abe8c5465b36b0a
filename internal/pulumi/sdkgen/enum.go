package sdkgen

import (
	"fmt"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// ValueName is what the schema calls a value of an enum, else the value. Of
// one that is empty, or one character that no name can begin with, it is the
// word for it: then it is spelled.
func ValueName(value pschema.EnumValue) (name string, spelled bool) {
	digits := []string{"Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"}
	if name = value.Name; name == "" {
		name = fmt.Sprint(value.Value)
	}
	switch {
	case name == "":
		return "Empty", true
	case name == "*":
		return "Asterisk", true
	case len(name) == 1 && '0' <= name[0] && name[0] <= '9':
		return digits[name[0]-'0'], true
	}
	return name, false
}

// Taken are the names that are given in one place.
type Taken map[string]bool

// Free takes a name that none has, with a number behind it where one has.
func (t Taken) Free(name string) string {
	unique := name
	for n := 2; t[unique]; n++ {
		unique = fmt.Sprintf("%s_%d", name, n)
	}
	t[unique] = true
	return unique
}
