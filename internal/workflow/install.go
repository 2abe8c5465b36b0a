package workflow

import (
	"context"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/packages"
	"github.com/formation-iac/formation/internal/plugin/install"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// InstallRequest asks for everything that the project needs.
type InstallRequest struct {
	// StatePath is a file with an exported stack, which it needs as well; or "".
	StatePath string
	// NoDependencies leaves out what the language installs, NoPlugins what the
	// program and the stack need beyond the project's packages.
	NoDependencies, NoPlugins bool
	Reinstall                 bool
	LanguageVersionTools      bool
}

// Install installs everything that the project needs.
func (p *Plugins) Install(ctx context.Context, req InstallRequest) ([]install.Installed, diag.List) {
	if p.Project == nil {
		return nil, diag.List{noProject(p.env.WorkDir)}
	}
	var state []project.ProviderState
	var diags diag.List
	if req.StatePath != "" {
		if state, diags = project.LoadDeployment(req.StatePath); diags.HasErrors() {
			return nil, diags
		}
	}
	installed, more := p.Installer.InstallProject(ctx, install.ProjectRequest{
		Project: p.Project, State: state, Reinstall: req.Reinstall,
		NoDependencies: req.NoDependencies, NoPlugins: req.NoPlugins,
	})
	return installed, append(diags, more...)
}

// InstallPlugins installs the plugins that the project needs.
func (p *Plugins) InstallPlugins(ctx context.Context, reinstall bool) ([]install.Installed, diag.List) {
	wanted, diags := p.ProjectPlugins(ctx)
	if diags.HasErrors() {
		return nil, diags
	}
	installed, more := p.Installer.Install(ctx, install.Request{
		Descriptors: wanted, Project: p.Project, Reinstall: reinstall, Ambient: true,
	})
	diags = append(diags, more...)
	installed, more = p.Installer.Keep(ctx, installed)
	return installed, append(diags, more...)
}

// AddPackage adds a package to the project, or writes its SDK for a language
// where there is none.
func (p *Plugins) AddPackage(ctx context.Context, s packages.Source, language string) (packages.Added, diag.List) {
	var added packages.Added
	var diags diag.List
	if language == "" {
		added, diags = p.Packages.Add(ctx, s)
	} else {
		added, diags = p.Packages.AddTo(ctx, s, language)
	}
	if diags.HasErrors() || added.Plugin == nil {
		return added, diags
	}
	_, more := p.Installer.Keep(ctx, []install.Installed{*added.Plugin})
	for _, d := range more {
		d.Severity = diag.Warning // the package is there
	}
	return added, append(diags, more...)
}
