package golang

import (
	"context"
	"fmt"
	"path"
	"strings"
	"sync"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// sdk is the SDK of one package.
type sdk struct {
	pkg    *pschema.Package
	info   info
	naming *naming
	// properties are the names of all properties, as the schema has them.
	properties map[string]bool

	buffers sdkgen.Buffers

	mu      sync.Mutex
	modules map[string]*module
	dirs    map[string]bool // of modules
	// requires are the Go modules of other packages that were referred to, and
	// their versions.
	requires map[string]string
	// foreigns are the SDKs of those packages.
	foreigns map[*pschema.Package]*sdk

	// placed are the modules of tokens that are not where their names say, as
	// [sdk.spread] decides.
	placed    map[string]*module
	maxPieces int
}

func newSDK(pkg *pschema.Package, info info) *sdk {
	s := &sdk{pkg: pkg, info: info, modules: map[string]*module{}, dirs: map[string]bool{}, requires: map[string]string{}, foreigns: map[*pschema.Package]*sdk{}, placed: map[string]*module{}}
	s.naming = newNaming(s)
	return s
}

// Write writes the Go module of a package's SDK, its files in no order.
func Write(ctx context.Context, pkg *pschema.Package, sink sdkgen.Sink) error {
	return write(ctx, pkg, maxPieces, sink)
}

func write(ctx context.Context, pkg *pschema.Package, maxPieces int, sink sdkgen.Sink) error {
	info, err := readInfo(pkg)
	if err != nil {
		return fmt.Errorf("language.go of the schema: %w", err)
	}
	s := newSDK(pkg, info)
	s.maxPieces = maxPieces
	s.properties = sdkgen.PropertyNames(pkg)
	s.divide()
	var members, last, facades []sdkgen.Task
	for _, m := range s.sorted() {
		members = append(members, m.tasks()...)
	}
	if err := sdkgen.Run(ctx, append(members, s.shared), sink); err != nil {
		return err
	}
	if circle := s.importCycle(); circle != nil {
		return fmt.Errorf("the modules %s refer to each other, which Go packages cannot; language.go.moduleToPackage of the schema can put them into one",
			strings.Join(circle, ", "))
	}
	// Collections are written last: any module asks for them.
	s.completeFamilies()
	for _, m := range s.sorted() {
		last, facades = append(last, m.lastFiles), append(facades, m.facade)
	}
	if err := sdkgen.Run(ctx, last, sink); err != nil {
		return err
	}
	s.sortDeclarations()
	if err := sdkgen.Run(ctx, facades, sink); err != nil {
		return err
	}
	return s.writeMetadata(sink)
}

// writeMetadata writes what other programs than the compiler read.
func (s *sdk) writeMetadata(sink sdkgen.Sink) error {
	plugin, err := sdkgen.PluginOf(s.pkg).JSON()
	if err != nil {
		return err
	}
	return sdkgen.Each([]sdkgen.File{
		{Path: path.Join(s.info.rootDir(), "pulumi-plugin.json"), Data: plugin},
		{Path: "go.mod", Data: []byte(s.goMod())},
	}, sink)
}

// shared are the files that the SDK has once.
func (s *sdk) shared() []sdkgen.File {
	internal := path.Join(s.info.rootDir(), "internal")
	files := []sdkgen.File{{Path: path.Join(internal, "pulumiUtilities.go"), Data: []byte(s.helperFile())}}
	if s.parameterized() {
		files = append(files, sdkgen.File{Path: path.Join(internal, "pulumiReference.go"), Data: []byte(s.referenceFile())})
	}
	if variables := s.pkg.Config(); len(variables) > 0 {
		config := &module{sdk: s, name: "config", dir: path.Join(s.info.rootDir(), "config"), families: map[string]family{}}
		config.importPath = path.Join(s.info.ImportBasePath, "config")
		f := config.file()
		f.writeConfig(variables)
		files = append(files, f.done("config.go"))
	}
	return files
}

// tasks write a module's files, but for its collections.
func (m *module) tasks() []sdkgen.Task {
	tasks := append(sdkgen.Tasks(m.Resources, m.resourceFile), sdkgen.Tasks(m.Functions, m.functionFile)...)
	for i := 0; i < len(m.Objects); i += perFile {
		tasks = append(tasks, func() []sdkgen.File { return []sdkgen.File{m.objectsFile(i)} })
	}
	return append(tasks, m.ownFiles)
}

// resourceFile is the file of a resource.
func (m *module) resourceFile(r *pschema.Resource) sdkgen.File {
	f := m.file()
	outputs := f.writeResource(r)
	name := m.sdk.resourceName(r.Token)
	f.registerResource(name, outputs)
	return f.done(fileName(name))
}

// functionFile is the file of a function.
func (m *module) functionFile(fn *pschema.Function) sdkgen.File {
	f := m.file()
	f.register(nil, f.writeFunction(fn))
	return f.done(fileName(m.functionName(fn)))
}

// ownFiles are those of which a module has one at most.
func (m *module) ownFiles() []sdkgen.File {
	var files []sdkgen.File
	if len(m.Resources) > 0 {
		f := m.file()
		f.writeInit()
		files = append(files, f.done("init.go"))
	}
	if len(m.Enums) > 0 {
		files = append(files, m.enumsFile())
	}
	return files
}

func (m *module) path(name string) string { return path.Join(m.dir, name) }

// fileName keeps a name from being read as a constraint or a test.
func fileName(name string) string {
	name = camel(name)
	if strings.HasPrefix(name, "pulumi") || name == "init" || name == "doc" {
		name += "_"
	}
	return name + ".go"
}

// documentation is the file that says what the Go package is.
func (m *module) documentation() []byte {
	f := m.file()
	text := "Package " + m.name + " is the SDK of the Pulumi package " + m.sdk.pkg.Name() + "."
	if m.key != "" {
		text = "Package " + m.name + " has " + m.what() + " of the Pulumi package " + m.sdk.pkg.Name() + "."
	} else if description := f.shown(m.sdk.pkg.Header.Description); description != "" {
		text += "\n\n" + description
	}
	return []byte(header + "\n" + f.commentOf(text+m.parts()) + "package " + m.name + "\n")
}

// perFile is how many types go into one file, so that editors stay usable.
const perFile = 200

// enumsFile has the module's enums.
func (m *module) enumsFile() sdkgen.File {
	f := m.file()
	var inputs []string
	for _, t := range m.Enums {
		f.writeEnum(t)
		name := m.sdk.typeName(t.Token)
		inputs = append(inputs, name, name+"Ptr")
	}
	f.registerEnums(m.Enums)
	f.register(nil, outputs(inputs))
	return f.done("pulumiEnums.go")
}

// objectsFile has perFile of the module's objects, from the one at an index.
func (m *module) objectsFile(from int) sdkgen.File {
	f := m.file()
	var names []string
	for _, t := range m.Objects[from:min(from+perFile, len(m.Objects))] {
		f.writeObject(t)
		names = append(names, m.sdk.typeName(t.Token))
	}
	f.register(argsOf(names), outputs(names))
	if from == 0 {
		return f.done("pulumiTypes.go")
	}
	return f.done(fmt.Sprintf("pulumiTypes%d.go", from/perFile))
}

// lastFiles are those that are known when all that was asked for is: whether
// there is a Go package at all, and its collections.
func (m *module) lastFiles() []sdkgen.File {
	if m.isEmpty() {
		return nil
	}
	files := []sdkgen.File{{Path: m.path("doc.go"), Data: m.documentation()}}
	if len(m.ordered) > 0 {
		files = append(files, m.collectionsFile())
	}
	return files
}

// collectionsFile has the arrays, maps and pointers that were asked for.
func (m *module) collectionsFile() sdkgen.File {
	f := m.file()
	var names []string
	concrete := map[string]string{}
	for _, fam := range m.ordered {
		f.writeFamily(fam)
		names = append(names, fam.name)
		concrete[fam.name] = fam.name + "{}"
		if fam.kind == ptrFamily {
			concrete[fam.name] = strings.TrimSuffix(fam.name, "Ptr") + "Args{}"
		}
	}
	f.register(concrete, outputs(names))
	return f.done("pulumiCollections.go")
}

func argsOf(names []string) map[string]string {
	out := map[string]string{}
	for _, name := range names {
		out[name] = name + "Args{}"
	}
	return out
}

func outputs(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = name + "Output"
	}
	return out
}
