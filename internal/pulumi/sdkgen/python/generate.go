package python

import (
	"context"
	"fmt"
	"path"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// sdk is the SDK of one package.
type sdk struct {
	pkg     *pschema.Package
	info    info
	modules map[string]*module
	// requires are the Python packages of other packages that were referred
	// to, and their versions.
	requires map[string]string
}

// Generate writes the Python project of a package's SDK.
func Generate(ctx context.Context, pkg *pschema.Package) ([]sdkgen.File, error) {
	info, err := readInfo(pkg)
	if err != nil {
		return nil, fmt.Errorf("language.python of the schema: %w", err)
	}
	s := &sdk{pkg: pkg, info: info, modules: map[string]*module{}, requires: map[string]string{}}
	s.divide()
	var files []sdkgen.File
	for _, m := range s.sorted() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		files = append(files, m.files()...)
	}
	files = append(files, s.configFiles()...)
	plugin, err := sdkgen.PluginOf(pkg).JSON()
	if err != nil {
		return nil, err
	}
	root := s.module(nil).dir()
	return append(files,
		sdkgen.File{Path: path.Join(root, "_utilities.py"), Data: s.utilitiesFile()},
		sdkgen.File{Path: path.Join(root, "pulumi-plugin.json"), Data: plugin},
		sdkgen.File{Path: path.Join(root, "py.typed"), Data: nil},
		sdkgen.File{Path: "README.md", Data: []byte(s.readme())},
		sdkgen.File{Path: "pyproject.toml", Data: s.project()}), nil
}

// files are a module's resources, functions and types.
func (m *module) files() []sdkgen.File {
	var files []*file
	for _, r := range m.Resources {
		f := m.file(fileOf(sdkgen.ClassName(r)) + ".py")
		f.writeResource(r)
		files = append(files, f)
	}
	for _, fn := range m.Functions {
		f := m.file(snake(sdkgen.MemberName(fn.Token)) + ".py")
		f.writeFunction(fn)
		files = append(files, f)
	}
	files = append(files, m.typeFiles()...)
	names := make([]string, len(files))
	out := make([]sdkgen.File, len(files), len(files)+1)
	for i, f := range files {
		names[i] = f.name[:len(f.name)-len(".py")]
		out[i] = sdkgen.File{Path: f.path(), Data: f.source()}
	}
	sorted(names)
	return append(out, sdkgen.File{Path: path.Join(m.dir(), "__init__.py"), Data: m.initFile(names)})
}

// typeFiles are the files of a module's enums and objects.
func (m *module) typeFiles() []*file {
	var files []*file
	if len(m.Enums) > 0 {
		f := m.file("_enums.py")
		f.imports["from enum import Enum"] = true
		var names []string
		for _, t := range m.Enums {
			names = append(names, pascal(sdkgen.MemberName(t.Token)))
		}
		f.all(names)
		for _, t := range m.Enums {
			f.enumClass(t)
		}
		files = append(files, f)
	}
	if len(m.Objects) > 0 {
		files = append(files, m.inputsFile(), m.outputsFile())
	}
	return files
}

func (m *module) inputsFile() *file {
	f := m.file("_inputs.py")
	var names []string
	for _, t := range m.Objects {
		name := pascal(sdkgen.MemberName(t.Token))
		names = append(names, name+"Args", name+"ArgsDict")
	}
	f.all(names)
	for _, t := range m.Objects {
		name := pascal(sdkgen.MemberName(t.Token))
		f.dictClass(name+"ArgsDict", t.Description, t.Properties())
		f.inputClass(name+"Args", t.Description, t.Properties(), asArgs, false)
	}
	return f
}

func (m *module) outputsFile() *file {
	f := m.file("outputs.py")
	var names []string
	for _, t := range m.Objects {
		names = append(names, pascal(sdkgen.MemberName(t.Token)))
	}
	f.all(names)
	for _, t := range m.Objects {
		f.outputClass(pascal(sdkgen.MemberName(t.Token)), t.Description, t.Properties())
	}
	return f
}

// all writes what a star import takes.
func (f *file) all(names []string) {
	f.printf("__all__ = [\n")
	for _, name := range names {
		f.printf("    %s,\n", quote(name))
	}
	f.printf("]\n\n")
}

func (s *sdk) readme() string {
	text := s.pkg.Header.Description
	if text == "" {
		text = "The Pulumi package " + s.pkg.Name() + "."
	}
	return text + "\n"
}
