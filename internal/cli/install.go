package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin/install"
	"github.com/formation-iac/formation/internal/workflow"
)

func (a *app) installCommand() *cobra.Command {
	var req workflow.InstallRequest
	parallel := 4
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Install everything that the project here needs",
		Long: `Install everything that the project here needs, in this order: the packages that
Pulumi.yaml names, with their SDKs generated and linked; what the program's
language depends on; and the plugins that the program needs besides, those that
the project has in directories made ready. In a plugin, or in a policy pack, the
same is done for that.

Where no language plugin is installed, npm, pip or go install what the language
depends on.

Exit codes: 0 all is installed; 1 failed; 3 the language's dependencies are left
to you.`,
		Example: `  formation install
  formation install --no-dependencies
  formation install --state stack.json    # also what an exported stack needs`,
		Args: exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.install(cmd.Context(), req, parallel) },
	}
	flags := cmd.Flags()
	flags.IntVar(&parallel, "parallel", 4, "plugins to install at one time; below 1 all of them")
	flags.BoolVar(&req.Reinstall, "reinstall", false, "install anew what is installed")
	flags.BoolVar(&req.NoPlugins, "no-plugins", false, "leave out plugins that only the program and the stack need")
	flags.BoolVar(&req.NoDependencies, "no-dependencies", false, "leave out what the language depends on")
	flags.BoolVar(&req.LanguageVersionTools, "use-language-version-tools", false, "have the language installed first, by its version manager")
	flags.StringVar(&req.StatePath, "state", "", "`FILE` with an exported stack, whose providers are installed as well")
	return cmd
}

func (a *app) install(ctx context.Context, req workflow.InstallRequest, parallel int) error {
	var installed []install.Installed
	adjust := func(env *workflow.PluginEnvironment) {
		env.Parallel, env.LanguageVersionTools = atOnce(parallel), req.LanguageVersionTools
	}
	diags := a.withPlugins(ctx, adjust, func(ctx context.Context, p *workflow.Plugins) (diags diag.List) {
		installed, diags = p.Install(ctx, req)
		return diags
	})
	if err := a.printInstalled(installed, diags); err != nil {
		return err
	}
	if !a.json {
		a.print(fmt.Sprintf("Everything is installed that the project needs (packages and plugins: %d).\n", len(distinct(installed))))
	}
	return nil
}
