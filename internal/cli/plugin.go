package cli

import (
	"context"
	"os"
	"strings"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"github.com/spf13/cobra"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/host"
	"github.com/formation-iac/formation/internal/workflow"
)

func (a *app) pluginCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plugin",
		Short: "Install, list, remove and run Pulumi plugins",
		Long: `Install, list, remove and run Pulumi plugins.

The cache of plugins is the one that the pulumi program has, PULUMI_HOME/plugins
or ~/.pulumi/plugins; both may work in it at the same time.`,
	}
	return group(cmd, a.pluginInstallCommand(), a.pluginListCommand(), a.pluginRemoveCommand(), a.pluginRunCommand())
}

// withPlugins runs work that needs plugins, and says what came of it. All
// plugins have ended before anything is printed.
func (a *app) withPlugins(ctx context.Context, adjust func(*workflow.PluginEnvironment), work func(context.Context, *workflow.Plugins) diag.List) diag.List {
	env, diags := a.pluginEnvironment()
	if diags.HasErrors() {
		return a.told(ctx, diags)
	}
	if adjust != nil {
		adjust(&env)
	}
	watched, unwatch := a.watched(ctx)
	p, diags := workflow.OpenPlugins(watched, env)
	if !diags.HasErrors() {
		diags = append(diags, work(watched, p)...)
		diags = append(diags, p.Close()...)
	}
	unwatch()
	return a.told(ctx, diags)
}

// told says diagnostics, unless they are part of a JSON document that comes.
// Of one that was interrupted, that is all there is to say.
func (a *app) told(ctx context.Context, diags diag.List) diag.List {
	if ctx.Err() != nil && diags.HasErrors() {
		diags = diag.List{interrupted()}
	}
	if !a.json {
		a.say(diags, nil)
	}
	return diags
}

// pluginEnvironment is what plugins get of the process.
func (a *app) pluginEnvironment() (workflow.PluginEnvironment, diag.List) {
	env := workflow.PluginEnvironment{Vars: host.Environment(a.process.Env), Offline: a.offline}
	var err error
	if env.WorkDir, err = os.Getwd(); err != nil {
		return env, diag.FromError("CL0005", "Cannot tell the current directory", err)
	}
	if env.Program, err = os.Executable(); err != nil {
		return env, diag.FromError("CL0005", "Cannot tell where this program is", err)
	}
	env.Listener.Log = a.heardLog
	if a.verbose {
		env.Listener.Line = a.heardLine
	}
	return env, nil
}

func (a *app) heardLine(l host.Line) {
	a.heard(l.Name, l.Text)
}

// heardLog shows what a plugin tells its engine: warnings and errors always,
// for a plugin has nobody else to tell.
func (a *app) heardLog(l host.Log) {
	if a.verbose || l.Severity >= pulumirpc.LogSeverity_WARNING && !l.Ephemeral {
		a.heard(strings.ToLower(l.Severity.String()), l.Text)
	}
}

// heard writes what a plugin said, a line at a time.
func (a *app) heard(who, text string) {
	for line := range strings.Lines(strings.TrimRight(text, "\n") + "\n") {
		_, _ = a.process.Stderr.Write([]byte(who + ": " + line))
	}
}

// parseKind reads a plugin's kind.
func parseKind(cmd *cobra.Command, text string) (plugin.Kind, error) {
	kind, ok := plugin.ParseKind(text)
	if ok {
		return kind, nil
	}
	var kinds []string
	for _, k := range plugin.Kinds() {
		kinds = append(kinds, string(k))
	}
	return "", &usageError{command: cmd.CommandPath(), err: unknownKind(text, kinds)}
}
