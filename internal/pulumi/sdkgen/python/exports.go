package python

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// Files of a module beside those of its resources and functions.
const (
	enumsModule   = "_enums"
	inputsModule  = "_inputs"
	outputsModule = "outputs"
)

// exports are the names that a file gives to the module that it is in; none
// where it is the file itself that programs name.
type exports struct {
	file  string // without .py
	names []string
}

// exports lists what a module is made of, by file.
func (m *module) exports() []exports {
	var all []exports
	for _, r := range m.Resources {
		all = append(all, exports{fileOf(sdkgen.ClassName(r)), resourceNames(r)})
	}
	for _, fn := range m.Functions {
		all = append(all, exports{snake(sdkgen.MemberName(fn.Token)), functionNames(fn)})
	}
	if len(m.Enums) > 0 {
		all = append(all, exports{enumsModule, m.enumNames()})
	}
	if len(m.Objects) > 0 {
		all = append(all, exports{inputsModule, namesOf(inputsModule, m.Objects)}, exports{outputsModule, nil})
	}
	slices.SortFunc(all, func(a, b exports) int { return cmp.Compare(a.file, b.file) })
	return all
}

func resourceNames(r *pschema.Resource) []string {
	name := sdkgen.ClassName(r)
	return []string{name + "Args", name}
}

func functionNames(fn *pschema.Function) []string {
	name := snake(sdkgen.MemberName(fn.Token))
	var names []string
	if !fn.OutputFormOnly {
		names = append(names, name)
	}
	names = append(names, name+"_output")
	if fn.InlineResult() != nil {
		result := pascal(sdkgen.MemberName(fn.Token)) + "Result"
		names = append(names, result, "Awaitable"+result)
	}
	return names
}

func (m *module) enumNames() []string {
	names := make([]string, len(m.Enums))
	for i, t := range m.Enums {
		names[i] = pascal(sdkgen.MemberName(t.Token))
	}
	return names
}

// namesOf are the classes of objects as inputs or as outputs.
func namesOf(in string, objects []*pschema.Object) []string {
	var names []string
	for _, t := range objects {
		name := pascal(sdkgen.MemberName(t.Token))
		if in == inputsModule {
			names = append(names, name+"Args", name+"ArgsDict")
		} else {
			names = append(names, name)
		}
	}
	return names
}

// perFile is how many types go into one file. A program loads those files of
// which it uses anything.
const perFile = 50

// typeTasks write the module's objects, as inputs or as outputs: into one
// file, or into several and one that leads to these.
func (m *module) typeTasks(in string, write func(*file, []*pschema.Object)) []sdkgen.Task {
	if len(m.Objects) <= perFile {
		return slices.Repeat([]sdkgen.Task{func() []sdkgen.File {
			return []sdkgen.File{m.typeFile(in, in, m.Objects, write)}
		}}, min(len(m.Objects), 1))
	}
	var tasks []sdkgen.Task
	var parts []exports
	for objects := range slices.Chunk(m.Objects, perFile) {
		name := fmt.Sprintf("_%s_%d", strings.TrimPrefix(in, "_"), len(parts)+1)
		parts = append(parts, exports{name, namesOf(in, objects)})
		tasks = append(tasks, func() []sdkgen.File { return []sdkgen.File{m.typeFile(name, in, objects, write)} })
	}
	return append(tasks, func() []sdkgen.File {
		f := m.file(in + ".py")
		f.body.WriteString("import typing\n")
		writeLazy(f.body, parts, nil)
		return []sdkgen.File{f.done()}
	})
}

func (m *module) typeFile(name, in string, objects []*pschema.Object, write func(*file, []*pschema.Object)) sdkgen.File {
	f := m.file(name + ".py")
	for _, t := range objects {
		f.declares[in+" "+t.Token] = true
	}
	f.all(namesOf(in, objects))
	write(f, objects)
	return f.done()
}
