package workflow

import (
	"context"

	"github.com/formation-iac/formation/internal/base/diag"
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
