package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/host"
	"github.com/formation-iac/formation/internal/plugin/install"
	"github.com/formation-iac/formation/internal/workflow"
)

func (a *app) pluginRemoveCommand() *cobra.Command {
	var all, yes bool
	cmd := &cobra.Command{
		Use:     "rm [KIND [NAME [RANGE]]]",
		Aliases: []string{"remove", "delete"},
		Short:   "Remove plugins from the cache",
		Long: `Remove plugins from the cache: all of a kind, all versions of one, or those in
a range of versions. Who needs one again installs it again.

On a terminal it asks first; elsewhere it wants --yes.`,
		Example: `  formation plugin rm resource random '<4.0.0' --yes
  formation plugin rm converter
  formation plugin rm --all`,
		Args: between(0, 3, "KIND, NAME and RANGE at most"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && !all {
				return &usageError{command: cmd.CommandPath(), err: errors.New("name a KIND, or pass --all for all plugins")}
			}
			filter, err := a.filter(cmd, args)
			if err != nil {
				return err
			}
			return a.removePlugins(cmd.Context(), filter, yes || a.skipsConfirmations())
		},
	}
	cmd.Flags().BoolVarP(&all, "all", "a", false, "remove all plugins that the arguments select")
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	return cmd
}

// skipsConfirmations reports whether the user wants never to be asked, as the
// pulumi program takes it.
func (a *app) skipsConfirmations() bool {
	return plugin.Switched(a.environment().Lookup, "PULUMI_SKIP_CONFIRMATIONS")
}

func (a *app) filter(cmd *cobra.Command, args []string) (install.Filter, error) {
	var filter install.Filter
	var err error
	if len(args) > 0 {
		if filter.Kind, err = parseKind(cmd, args[0]); err != nil {
			return filter, err
		}
	}
	if len(args) > 1 {
		filter.Name = args[1]
	}
	if len(args) > 2 {
		var diags diag.List
		if filter.Range, diags = install.ParseRange(args[2]); diags.HasErrors() {
			a.say(diags, nil)
			return filter, done(exitUsage)
		}
	}
	return filter, nil
}

func (a *app) removePlugins(ctx context.Context, filter install.Filter, yes bool) error {
	cache, diags := workflow.OpenPluginCache(host.Environment(a.process.Env))
	if diags.HasErrors() {
		a.say(diags, nil)
		return done(exitFailed)
	}
	entries, diags := cache.Match(filter)
	if diags.HasErrors() {
		a.say(diags, nil)
		return done(exitFailed)
	}
	if len(entries) > 0 && !yes {
		if ok, asked := a.confirmed(entries); !ok {
			if !asked {
				a.say(diag.List{notConfirmed(len(entries))}, nil)
				return done(exitUsage)
			}
			a.print("Nothing was removed.\n")
			return nil
		}
	}
	removed, diags := cache.Remove(ctx, entries)
	a.told(ctx, diags)
	if err := a.printRemoved(removed, diags); err != nil {
		return err
	}
	if diags.HasErrors() {
		return done(exitFailed)
	}
	return nil
}

// confirmed asks whether plugins are to be removed. asked is false where there
// is nobody to ask.
func (a *app) confirmed(entries []plugin.Entry) (ok, asked bool) {
	in, ok := a.process.Stdin.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) || !isTerminal(a.process.Stderr) {
		return false, false
	}
	var b strings.Builder
	fmt.Fprintf(&b, "To be removed from the cache:\n")
	for _, e := range entries {
		fmt.Fprintf(&b, "  %s %s %s\n", e.Kind, e.Name, e.Version)
	}
	fmt.Fprint(a.process.Stderr, b.String()+"Remove them? [y/N] ")
	answer, err := bufio.NewReader(in).ReadString('\n')
	if err != nil {
		return false, true
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes", true
}

func (a *app) printRemoved(removed []plugin.Entry, diags diag.List) error {
	if a.json {
		list := []pluginJSON{}
		for _, e := range removed {
			list = append(list, pluginJSON{Name: e.Name, Kind: string(e.Kind), Version: e.Version.String(), State: plugin.NotPresent.String()})
		}
		return a.writeJSON(struct {
			Diagnostics diag.List    `json:"diagnostics"`
			Removed     []pluginJSON `json:"removed"`
		}{orEmpty(diags), list})
	}
	for _, e := range removed {
		a.print(fmt.Sprintf("removed: %s %s %s\n", e.Kind, e.Name, e.Version))
	}
	if len(removed) == 0 && !diags.HasErrors() {
		a.print("There is no such plugin in the cache.\n")
	}
	return nil
}
