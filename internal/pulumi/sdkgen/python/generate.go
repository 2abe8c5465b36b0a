package python

import (
	"context"
	"fmt"
	"path"
	"sync"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// sdk is the SDK of one package.
type sdk struct {
	pkg  *pschema.Package
	info info

	// properties are the names of all properties, as the schema has them.
	properties map[string]bool
	buffers    sdkgen.Buffers

	mu      sync.Mutex
	modules map[string]*module
	// requires are the Python packages of other packages that were referred
	// to, and their versions.
	requires map[string]string
}

// Write writes the Python project of a package's SDK, its files in no order.
func Write(ctx context.Context, pkg *pschema.Package, sink sdkgen.Sink) error {
	info, err := readInfo(pkg)
	if err != nil {
		return fmt.Errorf("language.python of the schema: %w", err)
	}
	s := &sdk{
		pkg: pkg, info: info, properties: sdkgen.PropertyNames(pkg), modules: map[string]*module{}, requires: map[string]string{},
	}
	s.divide()
	var tasks []sdkgen.Task
	for _, m := range s.sorted() {
		tasks = append(tasks, m.tasks()...)
	}
	if err := sdkgen.Run(ctx, append(tasks, s.configFiles), sink); err != nil {
		return err
	}
	return s.writeMetadata(sink)
}

// writeMetadata writes what all modules share, and what other programs than
// the SDK's read.
func (s *sdk) writeMetadata(sink sdkgen.Sink) error {
	plugin, err := sdkgen.PluginOf(s.pkg).JSON()
	if err != nil {
		return err
	}
	root := s.module(nil).dir()
	return sdkgen.Each([]sdkgen.File{
		{Path: path.Join(root, "_utilities.py"), Data: s.utilitiesFile()},
		{Path: path.Join(root, "pulumi-plugin.json"), Data: plugin},
		{Path: path.Join(root, "py.typed"), Data: nil},
		{Path: "README.md", Data: []byte(s.readme())},
		{Path: "pyproject.toml", Data: s.project()},
	}, sink)
}

// tasks write a module's resources, functions and types.
func (m *module) tasks() []sdkgen.Task {
	tasks := append(sdkgen.Tasks(m.Resources, m.resourceFile), sdkgen.Tasks(m.Functions, m.functionFile)...)
	if len(m.Enums) > 0 {
		tasks = append(tasks, func() []sdkgen.File { return []sdkgen.File{m.enumsFile()} })
	}
	tasks = append(tasks, m.typeTasks(inputsModule, (*file).inputsOf)...)
	tasks = append(tasks, m.typeTasks(outputsModule, (*file).outputsOf)...)
	return append(tasks, func() []sdkgen.File {
		return []sdkgen.File{{Path: path.Join(m.dir(), "__init__.py"), Data: m.initFile()}}
	})
}

// resourceFile is the file of a resource.
func (m *module) resourceFile(r *pschema.Resource) sdkgen.File {
	f := m.file(fileOf(sdkgen.ClassName(r)) + ".py")
	f.writeResource(r)
	return f.done()
}

// functionFile is the file of a function.
func (m *module) functionFile(fn *pschema.Function) sdkgen.File {
	f := m.file(snake(sdkgen.MemberName(fn.Token)) + ".py")
	f.writeFunction(fn)
	return f.done()
}

// enumsFile has the module's enums.
func (m *module) enumsFile() sdkgen.File {
	f := m.file(enumsModule + ".py")
	f.imports["from enum import Enum"] = true
	f.all(m.enumNames())
	for _, t := range m.Enums {
		f.enumClass(t)
	}
	return f.done()
}

// inputsOf writes the arguments of objects.
func (f *file) inputsOf(objects []*pschema.Object) {
	for _, t := range objects {
		name := pascal(sdkgen.MemberName(t.Token))
		f.dictClass(name+"ArgsDict", t.Description, t.Properties())
		f.inputClass(name+"Args", t.Description, t.Properties(), true)
	}
}

// outputsOf writes what comes of objects.
func (f *file) outputsOf(objects []*pschema.Object) {
	for _, t := range objects {
		f.outputClass(pascal(sdkgen.MemberName(t.Token)), t.Description, t.Properties())
	}
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
	text := "# " + s.info.PackageName + "\n\n"
	if s.pkg.Header.Description != "" {
		text += s.pkg.Header.Description + "\n\n"
	}
	return text + "A Pulumi SDK, generated from the schema of package " + s.pkg.Name() + ".\n\n```python\nimport " +
		s.info.PackageName + " as " + snake(s.pkg.Name()) + "\n```\n"
}
