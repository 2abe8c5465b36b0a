package packages

import (
	"context"
	"path/filepath"
	"strings"

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
	dependency := &pulumirpc.PackageDependency{Name: pkg.Bound.Name(), Kind: string(plugin.Resource), Version: pkg.Bound.Version()}
	if made := pkg.Bound.Header.Parameterization; made != nil {
		dependency.Name, dependency.Version = made.BaseProvider.Name, made.BaseProvider.Version
		dependency.Parameterization = &pulumirpc.PackageParameterization{Name: pkg.Bound.Name(), Version: pkg.Bound.Version(), Value: made.Parameter}
	}
	answer, err := language.Client.Link(ctx, &pulumirpc.LinkRequest{
		Info: &pulumirpc.ProgramInfo{
			RootDirectory: m.Dir(), ProgramDirectory: m.ProgramDir(), EntryPoint: ".", Options: options,
		},
		LoaderTarget: p.opts.Loader,
		Packages:     []*pulumirpc.LinkRequest_LinkDependency{{Package: dependency, Path: filepath.FromSlash(l.SDK)}},
	})
	if err != nil {
		return append(diags, fromLanguage(l.Runtime, err.Error()))
	}
	l.Import = strings.TrimSpace(answer.GetImportInstructions())
	return diags
}
