package packages

import (
	"context"
	"path/filepath"
	"strings"
	"sync"

	"github.com/blang/semver/v4"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// foreignLink has the language's own plugin link the SDK that it wrote.
func (p *Packages) foreignLink(ctx context.Context, m *project.Manifest, pkg *Package, l *linking) diag.List {
	language, diags := p.opts.Host.Language(ctx, l.Runtime)
	if language == nil {
		return diags
	}
	defer language.Close()
	options, err := structpb.NewStruct(m.Runtime.Options)
	if err != nil {
		return append(diags, cannotLink(m.Path, err))
	}
	dependency := dependencyOf(pkg)
	p.told.keep(dependency, pkg.Schema)
	answer, err := language.Client.Link(ctx, &pulumirpc.LinkRequest{
		// Pulumi says of both directories that they are the project's.
		Info:         &pulumirpc.ProgramInfo{RootDirectory: m.Dir(), ProgramDirectory: m.Dir(), EntryPoint: ".", Options: options},
		LoaderTarget: p.opts.Loader,
		Packages:     []*pulumirpc.LinkRequest_LinkDependency{{Package: dependency, Path: filepath.FromSlash(l.SDK)}},
	})
	if err != nil {
		return append(diags, fromLanguage(l.Runtime, err.Error()))
	}
	l.Import = strings.TrimSpace(answer.GetImportInstructions())
	return diags
}

// dependencyOf is a package as language plugins hear of it: the plugin, and
// what makes it the package.
func dependencyOf(pkg *Package) *pulumirpc.PackageDependency {
	h := pkg.Bound.Header
	out := &pulumirpc.PackageDependency{
		Name: h.Name, Kind: string(plugin.Resource), Version: pkg.Bound.Version(), Server: h.PluginDownloadURL,
	}
	if made := h.Parameterization; made != nil {
		out.Name, out.Version = made.BaseProvider.Name, made.BaseProvider.Version
		out.Parameterization = &pulumirpc.PackageParameterization{Name: h.Name, Version: pkg.Bound.Version(), Value: made.Parameter}
	}
	if made := h.ExtensionParameterization; made != nil {
		out.Name, out.Version = made.BaseProvider.Name, made.BaseProvider.Version
		out.Extension = &pulumirpc.PackageParameterization{Name: h.Name, Version: pkg.Bound.Version(), Value: made.Parameter}
	}
	return out
}

// told are the schemas of packages that language plugins were told of. They
// ask for these by the plugin's name, which leads nowhere for a schema that
// stands in a file, and for a plugin that only its path leads to. A request has
// no place for an extension: after they were told of one, the name means it.
type told struct {
	mu      sync.Mutex
	schemas map[string]string
}

func (t *told) keep(d *pulumirpc.PackageDependency, schema string) {
	var value *plugin.Parameter
	if p := d.GetParameterization(); p != nil {
		value = &plugin.Parameter{Name: p.GetName(), Value: p.GetValue()}
		value.Version, _ = semver.Parse(p.GetVersion()) // a plugin's, which was read before
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.schemas == nil {
		t.schemas = map[string]string{}
	}
	t.schemas[toldKey(d.GetName(), d.GetVersion(), value)] = schema
}

// of is the schema for what a language plugin asks; or "".
func (t *told) of(d plugin.Descriptor) string {
	version, _ := d.Constraint.Version()
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.schemas[toldKey(d.Source, version.String(), d.Parameterization.Value)]
}

func toldKey(name, version string, value *plugin.Parameter) string {
	return name + " " + version + " " + plugin.Parameterization{Value: value}.Key()
}
