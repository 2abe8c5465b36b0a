package golang

import (
	"context"
	"fmt"
	"go/format"
	"path"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// sdk is the SDK of one package.
type sdk struct {
	pkg     *pschema.Package
	info    info
	modules map[string]*module
	// requires are the Go modules of other packages that were referred to, and
	// their versions.
	requires map[string]string
}

// Generate writes the Go module of a package's SDK.
func Generate(ctx context.Context, pkg *pschema.Package) ([]sdkgen.File, error) {
	info, err := readInfo(pkg)
	if err != nil {
		return nil, fmt.Errorf("language.go of the schema: %w", err)
	}
	s := &sdk{pkg: pkg, info: info, modules: map[string]*module{}, requires: map[string]string{}}
	s.divide()
	var files []sdkgen.File
	for _, m := range s.sorted() {
		files = append(files, m.files()...)
	}
	// Collections are written last: other modules ask for them too.
	for _, m := range s.sorted() {
		files = append(files, m.collections()...)
	}
	files = append(files, s.shared()...)
	if err := formatAll(ctx, files); err != nil {
		return nil, err
	}
	plugin, err := sdkgen.PluginOf(pkg).JSON()
	if err != nil {
		return nil, err
	}
	return append(files,
		sdkgen.File{Path: path.Join(s.info.rootDir(), "pulumi-plugin.json"), Data: plugin},
		sdkgen.File{Path: "go.mod", Data: []byte(s.goMod())}), nil
}

// formatAll formats all files, as many at once as there are processors.
func formatAll(ctx context.Context, files []sdkgen.File) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers())
	for i := range files {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			data, err := format.Source(files[i].Data)
			if err != nil {
				return fmt.Errorf("%s does not parse: %w", files[i].Path, err)
			}
			files[i].Data = data
			return nil
		})
	}
	return group.Wait()
}

// shared are the files that the SDK has once.
func (s *sdk) shared() []sdkgen.File {
	internal := path.Join(s.info.rootDir(), "internal")
	files := []sdkgen.File{{Path: path.Join(internal, "pulumiUtilities.go"), Data: []byte(s.helperFile())}}
	if s.parameterized() {
		files = append(files, sdkgen.File{Path: path.Join(internal, "pulumiReference.go"), Data: []byte(s.referenceFile())})
	}
	if variables := s.pkg.Config(); len(variables) > 0 {
		config := &module{sdk: s, dir: path.Join(s.info.rootDir(), "config"), families: map[string]family{}}
		config.importPath = path.Join(s.info.ImportBasePath, "config")
		f := config.file()
		f.writeConfig(variables)
		files = append(files, sdkgen.File{Path: path.Join(config.dir, "config.go"), Data: f.source("config")})
	}
	return files
}

// files are a module's resources and functions, one file each.
func (m *module) files() []sdkgen.File {
	var files []sdkgen.File
	for _, r := range m.Resources {
		f := m.file()
		outputs := f.writeResource(r)
		f.registerResource(sdkgen.ClassName(r), outputs)
		files = append(files, sdkgen.File{Path: m.path(fileName(sdkgen.ClassName(r))), Data: f.source(m.name)})
	}
	for _, fn := range m.Functions {
		f := m.file()
		f.register(nil, f.writeFunction(fn))
		files = append(files, sdkgen.File{Path: m.path(fileName(m.functionName(fn))), Data: f.source(m.name)})
	}
	if len(m.Resources) > 0 {
		f := m.file()
		f.writeInit()
		files = append(files, sdkgen.File{Path: m.path("init.go"), Data: f.source(m.name)})
	}
	return append(append(files, m.types()...), sdkgen.File{Path: m.path("doc.go"), Data: []byte(m.documentation())})
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

func (m *module) documentation() string {
	text := header + "\n"
	for line := range strings.SplitSeq(strings.TrimSpace(m.sdk.pkg.Header.Description), "\n") {
		text += strings.TrimRight("// "+line, " ") + "\n"
	}
	return text + "package " + m.name + "\n"
}

// perFile is how many types go into one file, so that editors stay usable.
const perFile = 200

// types are the files of a module's enums and objects.
func (m *module) types() []sdkgen.File {
	var files []sdkgen.File
	if len(m.Enums) > 0 {
		f := m.file()
		var inputs []string
		for _, t := range m.Enums {
			f.writeEnum(t)
			name := pascal(sdkgen.MemberName(t.Token))
			inputs = append(inputs, name, name+"Ptr")
		}
		f.registerEnums(m.Enums)
		f.register(nil, outputs(inputs))
		files = append(files, sdkgen.File{Path: m.path("pulumiEnums.go"), Data: f.source(m.name)})
	}
	for i := 0; i < len(m.Objects); i += perFile {
		f := m.file()
		var names []string
		for _, t := range m.Objects[i:min(i+perFile, len(m.Objects))] {
			f.writeObject(t)
			names = append(names, pascal(sdkgen.MemberName(t.Token)))
		}
		f.register(argsOf(names), outputs(names))
		name := "pulumiTypes.go"
		if i > 0 {
			name = fmt.Sprintf("pulumiTypes%d.go", i/perFile)
		}
		files = append(files, sdkgen.File{Path: m.path(name), Data: f.source(m.name)})
	}
	return files
}

// collections is the file of the arrays, maps and pointers that were asked
// for.
func (m *module) collections() []sdkgen.File {
	if len(m.families) == 0 {
		return nil
	}
	f := m.file()
	names := f.writeFamilies()
	concrete := map[string]string{}
	for _, name := range names {
		concrete[name] = name + "{}"
		if fam := m.families[name]; fam.kind == ptrFamily {
			concrete[name] = strings.TrimSuffix(name, "Ptr") + "Args{}"
		}
	}
	f.register(concrete, outputs(names))
	return []sdkgen.File{{Path: m.path("pulumiCollections.go"), Data: f.source(m.name)}}
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
