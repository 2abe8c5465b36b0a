package workflow

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/host"
	"github.com/formation-iac/formation/internal/plugin/source"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// languages asks language plugins to do what installations need of them. Where
// there is none, it does what can be done without.
type languages struct {
	host *host.Host
	env  PluginEnvironment
}

// RequiredPackages implements install.Language.
func (l languages) RequiredPackages(ctx context.Context, m *project.Manifest) (plugin.Requirements, diag.List) {
	language, diags := l.host.Language(ctx, m.Runtime.Name)
	if missing(diags) {
		return lockedPackages(m)
	}
	if language == nil {
		return plugin.Requirements{}, diags
	}
	defer language.Close()
	info, err := programInfo(m)
	if err != nil {
		return plugin.Requirements{}, append(diags, requirementsFailed(m.Runtime.Name, err))
	}
	answer, err := language.Client.GetRequiredPackages(ctx, &pulumirpc.GetRequiredPackagesRequest{Info: info})
	if err != nil {
		return plugin.Requirements{}, append(diags, requirementsFailed(m.Runtime.Name, err))
	}
	out, more := requirements(answer)
	return out, append(diags, more...)
}

// missing reports whether a language plugin is not there at all.
func missing(diags diag.List) bool {
	for _, d := range diags {
		if d.Code == host.CodeNotFound {
			return true
		}
	}
	return false
}

func requirements(answer *pulumirpc.GetRequiredPackagesResponse) (plugin.Requirements, diag.List) {
	var out plugin.Requirements
	var diags diag.List
	for _, dependency := range answer.GetPackages() {
		d, more := describeDependency(dependency)
		if diags = append(diags, more...); !more.HasErrors() {
			out.Plugins = append(out.Plugins, d)
		}
	}
	for _, spec := range answer.GetSpecs() {
		d, more := source.Describe(spec.GetSource(), source.Wish{
			Kind: plugin.Resource, Version: spec.GetVersion(), Exact: spec.GetVersion() != "", Server: spec.GetServer(),
			Checksums: spec.GetChecksums(), Parameters: spec.GetParameters(),
		})
		if diags = append(diags, more...); !more.HasErrors() {
			out.Packages = append(out.Packages, d)
		}
	}
	return out, diags
}

// describeDependency reads a message PackageDependency.
func describeDependency(p *pulumirpc.PackageDependency) (plugin.Descriptor, diag.List) {
	kind, ok := plugin.ParseKind(p.GetKind())
	if !ok {
		kind = plugin.Resource
	}
	name, server := p.GetName(), p.GetServer()
	if plugin.IsGitServer(server) {
		name, server = server, ""
	}
	d, diags := source.Describe(name, source.Wish{
		Kind: kind, Version: p.GetVersion(), Exact: p.GetVersion() != "", Server: server, Checksums: p.GetChecksums(),
	})
	if made := p.GetParameterization(); made != nil {
		v, err := plugin.ParseVersion(made.GetVersion())
		if err != nil {
			return d, append(diags, diag.FromError("WF0069", "Invalid version of package "+made.GetName(), err)...)
		}
		d.Parameterization.Value = &plugin.Parameter{Name: made.GetName(), Version: v, Value: made.GetValue()}
	}
	return d, diags
}

// lockedPackages are the packages that a program has lock files of: all that
// can be told of programs in YAML, and nothing of others.
func lockedPackages(m *project.Manifest) (plugin.Requirements, diag.List) {
	if m.Runtime.Name != "yaml" {
		return plugin.Requirements{}, diag.List{requirementsUnknown(m.Runtime.Name)}
	}
	var out plugin.Requirements
	locks, diags := project.Locks(filepath.Join(m.Dir(), "sdks"))
	for _, lock := range locks {
		d, more := describeDependency(&pulumirpc.PackageDependency{Name: lock.Name, Version: lock.Version, Server: lock.DownloadURL})
		if diags = append(diags, more...); !more.HasErrors() {
			out.Plugins = append(out.Plugins, d)
		}
	}
	return out, diags
}

// programInfo is a program as language plugins are told about it.
func programInfo(m *project.Manifest) (*pulumirpc.ProgramInfo, error) {
	options, err := structpb.NewStruct(m.Runtime.Options)
	if err != nil {
		return nil, err
	}
	entry := "."
	if path := m.Abs(m.Main); m.Main != "" && filepath.Clean(path) != filepath.Clean(m.ProgramDir()) {
		entry = filepath.Base(path)
	}
	return &pulumirpc.ProgramInfo{
		RootDirectory: m.Dir(), ProgramDirectory: m.ProgramDir(), EntryPoint: entry, Options: options,
	}, nil
}

// InstallDependencies implements install.Language.
func (l languages) InstallDependencies(ctx context.Context, m *project.Manifest) diag.List {
	language, diags := l.host.Language(ctx, m.Runtime.Name)
	if missing(diags) {
		return l.unaided(ctx, m)
	}
	if language == nil {
		return diags
	}
	defer language.Close()
	plugin := "pulumi-language-" + m.Runtime.Name
	info, err := programInfo(m)
	if err != nil {
		return append(diags, dependenciesFailed(plugin, err, ""))
	}
	words := &lastWords{heard: l.heard(m)}
	stream, err := language.Client.InstallDependencies(ctx, &pulumirpc.InstallDependenciesRequest{
		Directory: m.ProgramDir(), //nolint:staticcheck // deprecated, and all that language plugins of old look at
		Info:      info, IsPlugin: m.Kind == project.Plugin,
		UseLanguageVersionTools: l.env.LanguageVersionTools,
	})
	for err == nil {
		var said *pulumirpc.InstallDependenciesResponse
		if said, err = stream.Recv(); err == nil {
			words.add(said.GetStdout(), said.GetStderr())
		}
	}
	if errors.Is(err, io.EOF) {
		return diags
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return append(diags, dependenciesFailed(plugin, err, words.String()))
}

// heard takes what comes from the installation of dependencies.
func (l languages) heard(m *project.Manifest) func(string) {
	if l.env.Listener.Line == nil {
		return func(string) {}
	}
	return func(text string) {
		l.env.Listener.Line(host.Line{Kind: plugin.Language, Name: m.Runtime.Name, Text: text})
	}
}

// exists reports whether the program has a file.
func exists(m *project.Manifest, name string) bool {
	_, err := os.Stat(filepath.Join(m.ProgramDir(), name))
	return err == nil
}
