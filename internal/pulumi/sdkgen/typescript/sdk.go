package sdkts

import (
	"context"
	"path"
	"strings"
	"sync"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// Options say what an SDK is for.
type Options struct {
	// Local SDKs are linked into one program: npm compiles them when it
	// installs them.
	Local bool
	// Dependencies are where SDKs of other packages are, by the package's
	// name, in the notation of package.json. Others come from npm.
	Dependencies map[string]string
}

// sdk is the SDK of one package.
type sdk struct {
	pkg          *pschema.Package
	info         info
	opts         Options
	usage        sdkgen.Usage
	defaults     *sdkgen.Defaults
	replacements *sdkgen.Replacements
	modules      map[string]*module
	buffers      sdkgen.Buffers

	mu        sync.Mutex
	externals map[*pschema.Package]external
}

// external is the SDK of another package.
type external struct {
	alias, npm string
	info       info
}

// external remembers that the SDK of another package is needed.
func (s *sdk) external(pkg *pschema.Package) external {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, ok := s.externals[pkg]; ok {
		return known
	}
	// What it says that cannot be read is its own SDK's affair.
	info, _ := readInfo(pkg)
	found := external{alias: "pulumi" + sdkgen.Pascal(pkg.Name()), npm: npmName(pkg, info), info: info}
	s.externals[pkg] = found
	return found
}

// module is the module of a token's member, in the path that the SDK gives it.
func (i info) module(pkg *pschema.Package, token string) string {
	module := pkg.Module(token)
	if other, ok := i.ModuleToPackage[module]; ok {
		return other
	}
	return module
}

// Write writes the npm package of a package's SDK, its files in no order. The
// package should be bound without errors; what has errors is written as far as
// it is known.
func Write(ctx context.Context, pkg *pschema.Package, opts Options, sink sdkgen.Sink) error {
	info, err := readInfo(pkg)
	if err != nil {
		return badInfo(err)
	}
	s := &sdk{
		pkg: pkg, info: info, opts: opts,
		usage: sdkgen.UsageOf(pkg), defaults: sdkgen.NewDefaults(pkg), replacements: sdkgen.NewReplacements(),
		modules: map[string]*module{}, externals: map[*pschema.Package]external{},
	}
	if err := s.divide(); err != nil {
		return err
	}
	if err := sdkgen.Run(ctx, s.tasks(), sink); err != nil {
		return err
	}
	return sdkgen.Each(s.metadata(), sink)
}

func (s *sdk) tasks() []sdkgen.Task {
	var tasks []sdkgen.Task
	for _, m := range s.sorted() {
		tasks = append(tasks, m.tasks()...)
	}
	tasks = append(tasks, s.typeTasks()...)
	return append(tasks, func() []sdkgen.File {
		files := s.enumFiles()
		if variables := s.pkg.Config(); len(variables) > 0 && s.info.Compatibility != kubernetes20 {
			files = append(files, s.configFile(variables))
		}
		return append(files, s.utilitiesFile())
	})
}

// done is a file as it goes out.
func (f *file) done() sdkgen.File { return f.sdk.buffers.File(f.path, f.head(), f.body) }

// objectName is the name of an object's interface in a form.
func (s *sdk) objectName(of *pschema.Object, form form) string {
	name := typeName(of.Token)
	if form == inputForm && s.hasArgs(of) {
		name += "Args"
	}
	return name
}

// hasArgs reports whether the interface that takes outputs has Args behind
// its name. In packages with bare inputs it is told apart only from a plain
// one of the same object.
func (s *sdk) hasArgs(of *pschema.Object) bool {
	if of.Package != s.pkg {
		return !s.external(of.Package).info.bareInputs()
	}
	return !s.info.bareInputs() || s.usage.Call[of]
}

// docName is what a reference in a description shows.
func (s *sdk) docName(ref sdkgen.DocRef) string {
	name := typeName(ref.Token)
	if ref.Section == "functions" && ref.Property == "" {
		name = camel(name)
	}
	return ref.In(name, ref.Property)
}

// parameterized reports whether calls name the package that they are for,
// because its plugin has others too.
func (s *sdk) parameterized() bool {
	return s.pkg.Header.Parameterization != nil || s.pkg.Header.ExtensionParameterization != nil
}

// packageArgument is what such calls have at their end.
func (f *file) packageArgument() string {
	if !f.sdk.parameterized() {
		return ""
	}
	return ", " + f.utilities() + ".getPackage()"
}

// pathTo joins parts of a path of the SDK.
func pathTo(parts ...string) string { return strings.TrimPrefix(path.Join(parts...), "/") }
