package cli

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/host"
	"github.com/formation-iac/formation/internal/plugin/install"
	"github.com/formation-iac/formation/internal/plugin/source"
	"github.com/formation-iac/formation/internal/workflow"
)

func (a *app) pluginRunCommand() *cobra.Command {
	var kindText string
	cmd := &cobra.Command{
		Use:   "run NAME[@VERSION]|PATH [-- ARG...]",
		Short: "Run a plugin with arguments, such as a tool",
		Long: `Run a plugin's program with arguments, until it ends; its exit code becomes
this command's. One that is not installed is installed first.

PULUMI_RPC_TARGET tells it where to ask for schemas and mappings.`,
		Example: `  formation plugin run hello -- world
  formation plugin run hello@1.2.3 -- --loud
  formation plugin run ./pulumi-tool-hello`,
		Args: func(cmd *cobra.Command, args []string) error {
			return between(1, 1, "a NAME or PATH")(cmd, args[:min(1, len(args))]) // what follows is the plugin's
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			kind, err := parseKind(cmd, kindText)
			if err != nil {
				return err
			}
			name, args := args[0], args[1:]
			if len(args) > 0 && args[0] == "--" {
				args = args[1:]
			}
			return a.runPlugin(cmd.Context(), kind, name, args)
		},
	}
	cmd.Flags().SetInterspersed(false)
	cmd.Flags().StringVar(&kindText, "kind", "tool", "the plugin's kind")
	return cmd
}

func (a *app) runPlugin(ctx context.Context, kind plugin.Kind, name string, args []string) error {
	code := exitFailed
	quiet := func(env *workflow.PluginEnvironment) { env.Listener = host.Listener{} }
	diags := a.withPlugins(ctx, quiet, func(ctx context.Context, p *workflow.Plugins) diag.List {
		wanted, diags := findOrInstall(ctx, p, kind, name)
		if diags.HasErrors() {
			return diags
		}
		a.stdout.begun = true
		var more diag.List
		code, more = p.Host.Run(ctx, kind, wanted, args, host.Streams{In: a.process.Stdin, Out: a.process.Stdout, Err: a.process.Stderr})
		return append(diags, more...)
	})
	if a.json { // the output is the plugin's own
		a.say(diags, nil)
	}
	if diags.HasErrors() && code == exitDone {
		code = exitFailed
	}
	return done(code)
}

// findOrInstall finds a plugin, and installs it where it is nowhere.
func findOrInstall(ctx context.Context, p *workflow.Plugins, kind plugin.Kind, name string) (host.Wanted, diag.List) {
	d, diags := source.Describe(name, source.Wish{Kind: kind, Exact: strings.Contains(name, "@")})
	if diags.HasErrors() {
		return host.Wanted{}, diags
	}
	ref, err := source.Parse(d.Source)
	if err == nil && ref.Path != "" {
		path, err := filepath.Abs(ref.Path)
		return host.Wanted{Path: path}, diag.FromError("CL0005", "Cannot find "+ref.Path, err)
	}
	wanted := host.Wanted{Name: d.Source, Constraint: d.Constraint}
	if ref.Git == nil {
		if _, diags := p.Host.Finder().Find(kind, wanted); !diags.HasErrors() {
			return wanted, nil
		}
	}
	installed, diags := p.Installer.Install(ctx, install.Request{
		Descriptors: []plugin.Descriptor{d}, Project: p.Project, Ambient: true, Automatic: true,
	})
	if diags.HasErrors() || len(installed) == 0 {
		return host.Wanted{}, diags
	}
	return host.Wanted{Path: installed[0].Path}, diags
}
