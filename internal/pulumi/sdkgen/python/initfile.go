package python

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// initFile is a module's __init__.py: what it has, the modules below it, and
// for the root all resources of the SDK.
func (m *module) initFile() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%simport typing\nfrom %s import _utilities\n", header, m.up())
	children := m.children()
	if len(m.names) == 0 && len(m.sdk.pkg.Config()) > 0 {
		children = append(children, "config")
		slices.Sort(children)
	}
	writeLazy(&b, m.exports(), children)
	if len(m.names) == 0 {
		m.sdk.writeRegistration(&b)
	}
	return b.Bytes()
}

// writeLazy writes what has a Python module give the names of other files,
// which are loaded when these are first used. Tools that read types see all.
func writeLazy(b *bytes.Buffer, files []exports, modules []string) {
	b.WriteString("\nif typing.TYPE_CHECKING:\n")
	for _, file := range files {
		if file.names == nil {
			fmt.Fprintf(b, "    from . import %s\n", file.file)
		} else {
			fmt.Fprintf(b, "    from .%s import *\n", file.file)
		}
	}
	for _, name := range modules {
		fmt.Fprintf(b, "    from . import %s\n", name)
	}
	if len(files)+len(modules) == 0 {
		b.WriteString("    pass\n")
	}
	b.WriteString("else:\n    _utilities.lazy(__name__, {\n")
	for _, file := range files {
		names := make([]string, len(file.names))
		for i, name := range file.names {
			names[i] = quote(name)
		}
		fmt.Fprintf(b, "        %s: [%s],\n", quote(file.file), strings.Join(names, ", "))
	}
	for _, name := range modules {
		fmt.Fprintf(b, "        %s: [],\n", quote(name))
	}
	b.WriteString("    })\n")
}

// resourceModule and resourcePackage are what the runtime needs to turn
// references into objects.
type resourceModule struct {
	Pkg     string            `json:"pkg"`
	Mod     string            `json:"mod"`
	FQN     string            `json:"fqn"`
	Classes map[string]string `json:"classes"`
}

type resourcePackage struct {
	Pkg   string `json:"pkg"`
	Token string `json:"token"`
	FQN   string `json:"fqn"`
	Class string `json:"class"`
}

func (s *sdk) writeRegistration(b *bytes.Buffer) {
	modules := []resourceModule{}
	byMod := map[string]int{}
	packages := []resourcePackage{}
	for _, m := range s.sorted() {
		for _, r := range m.Resources {
			if r.IsProvider {
				packages = append(packages, resourcePackage{s.pkg.Name(), r.Token, m.fqn(), "Provider"})
				continue
			}
			t, _ := pschema.ParseToken(r.Token)
			at, known := byMod[t.Module]
			if !known {
				at = len(modules)
				byMod[t.Module] = at
				modules = append(modules, resourceModule{s.pkg.Name(), t.Module, m.fqn(), map[string]string{}})
			}
			modules[at].Classes[r.Token] = sdkgen.ClassName(r)
		}
	}
	fmt.Fprintf(b, "\n_utilities.register(\n    resource_modules=\"\"\"\n%s\n\"\"\",\n    resource_packages=\"\"\"\n%s\n\"\"\"\n)\n", indented(modules), indented(packages))
}

// indented writes JSON whose strings are names of Python and of tokens, and
// therefore need no escapes inside of Python's quotes.
func indented(v any) string {
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return "[]"
	}
	return string(data)
}

// configFiles are the package of the configuration variables.
func (s *sdk) configFiles() []sdkgen.File {
	variables := s.pkg.Config()
	if len(variables) == 0 {
		return nil
	}
	m := &module{sdk: s, names: []string{"config"}}
	vars, stub := m.file("vars.py"), m.file("__init__.pyi")
	vars.printf("import types\n\n__config__ = pulumi.Config(%s)\n\n\nclass _ExportableConfig(types.ModuleType):\n", quote(s.pkg.Name()))
	for _, v := range variables {
		t := "_builtins.str"
		suffix := ""
		switch underlying(v.Type) {
		case pschema.Boolean:
			t, suffix = "_builtins.bool", "_bool"
		case pschema.Integer:
			t, suffix = "_builtins.int", "_int"
		case pschema.Number:
			t, suffix = "_builtins.float", "_float"
		}
		value := fmt.Sprintf("__config__.get%s(%s)", suffix, quote(v.Name))
		if v.Default == nil {
			t = "Optional[" + t + "]"
		} else {
			value = fmt.Sprintf("_utilities.first(%s, %s)", value, vars.defaultValue(v))
		}
		vars.printf("    @_builtins.property\n    def %s(self) -> %s:\n", snake(v.Name), t)
		vars.docstring("        ", v.Description, nil)
		vars.printf("        return %s\n\n", value)
		stub.printf("%s: %s\n", snake(v.Name), t)
		stub.docstring("", v.Description, nil)
	}
	init := header + "import sys\nfrom .vars import _ExportableConfig\n\nsys.modules[__name__].__class__ = _ExportableConfig\n"
	return []sdkgen.File{
		vars.done(),
		stub.done(),
		{Path: m.dir() + "/__init__.py", Data: []byte(init)},
	}
}
