package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/blang/semver/v4"
	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/host"
	"github.com/formation-iac/formation/internal/plugin/install"
	"github.com/formation-iac/formation/internal/plugin/source"
	"github.com/formation-iac/formation/internal/workflow"
)

func (a *app) pluginListCommand() *cobra.Command {
	var project bool
	cmd := &cobra.Command{
		Use:     "ls",
		Aliases: []string{"list"},
		Short:   "List the plugins in the cache",
		Long: `List the plugins in the cache, the newest version of each first.

A plugin whose installation did not end is present, and not installed: it is
listed with the command that mends it. Where nobody knows where it came from,
that is to remove it: what needs it knows, and installs it again.`,
		Example: `  formation plugin ls
  formation plugin ls --project --json`,
		Args: exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.listPlugins(cmd.Context(), project) },
	}
	cmd.Flags().BoolVarP(&project, "project", "p", false, "list only those that the project here uses")
	cmd.Flags().BoolVarP(&a.json, "json", "j", false, "write the list as JSON to standard output")
	return cmd
}

func (a *app) listPlugins(ctx context.Context, project bool) error {
	listed, diags := a.cachedPlugins(ctx)
	if project && !diags.HasErrors() {
		diags = a.withPlugins(ctx, nil, func(ctx context.Context, p *workflow.Plugins) (more diag.List) {
			listed, more = ofProject(ctx, p, listed)
			return more
		})
		if a.json { // the list has no room for them
			a.say(diags, nil)
		}
	}
	if diags.HasErrors() {
		return done(exitFailed)
	}
	if a.json {
		return a.writeJSON(pluginsJSON(listed))
	}
	a.print(pluginsText(listed, time.Now()))
	return nil
}

func (a *app) cachedPlugins(ctx context.Context) ([]install.Listed, diag.List) {
	cache, diags := workflow.OpenPluginCache(host.Environment(a.process.Env))
	if !diags.HasErrors() {
		var listed []install.Listed
		listed, diags = cache.List(ctx)
		if !diags.HasErrors() {
			return listed, diags
		}
	}
	a.say(diags, nil)
	return nil, diags
}

// ofProject leaves out what the project does not use.
func ofProject(ctx context.Context, p *workflow.Plugins, listed []install.Listed) ([]install.Listed, diag.List) {
	wanted, diags := p.ProjectPlugins(ctx)
	if diags.HasErrors() {
		return nil, diags
	}
	used := map[string]bool{} // by directory
	for _, d := range wanted {
		if l, ok := taken(d, listed); ok {
			used[l.Dir] = true
		}
	}
	return slices.DeleteFunc(listed, func(l install.Listed) bool { return !used[l.Dir] }), diags
}

// taken is the plugin in the cache that a descriptor leads to, so far as can
// be told without asking anybody.
func taken(d plugin.Descriptor, listed []install.Listed) (install.Listed, bool) {
	id, _, err := source.Guess(d)
	if err != nil || id.Path != "" {
		return install.Listed{}, false
	}
	named := func(l install.Listed) bool { return l.Kind == d.Kind && l.Name == id.Plugin.CacheName() }
	var versions []semver.Version
	for _, l := range listed {
		if named(l) {
			versions = append(versions, l.Version)
		}
	}
	v, ok := d.Constraint.Select(versions)
	if !ok {
		return install.Listed{}, false
	}
	at := slices.IndexFunc(listed, func(l install.Listed) bool { return named(l) && l.Version.EQ(v) })
	return listed[max(at, 0)], at >= 0
}

// pluginJSON is a plugin in the list for machines: the members of the pulumi
// program's list, and the last two.
type pluginJSON struct {
	Name         string `json:"name"`
	Kind         string `json:"kind"`
	Version      string `json:"version"`
	Size         uint64 `json:"size"`
	InstallTime  string `json:"installTime,omitempty"`
	LastUsedTime string `json:"lastUsedTime,omitempty"`
	State        string `json:"state"`
	Mend         string `json:"mend,omitempty"`
}

func pluginsJSON(listed []install.Listed) []pluginJSON {
	out := []pluginJSON{}
	for _, l := range listed {
		out = append(out, pluginJSON{
			Name: l.Name, Kind: string(l.Kind), Version: l.Version.String(), Size: l.Size,
			InstallTime: timeJSON(l.Installed), LastUsedTime: timeJSON(l.LastUsed),
			State: l.State.String(), Mend: l.Mend,
		})
	}
	return out
}

func timeJSON(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// pluginsText is the list for people.
func pluginsText(listed []install.Listed, now time.Time) string {
	rows := [][]string{{"NAME", "KIND", "VERSION", "SIZE", "INSTALLED", "LAST USED", "STATE"}}
	var total uint64
	var mend, stray string
	for _, l := range listed {
		rows = append(rows, []string{
			l.Name, string(l.Kind), l.Version.String(), sizeText(l.Size),
			timeText(l.Installed, now, "n/a"), timeText(l.LastUsed, now, "never"), l.State.String(),
		})
		total += l.Size
		switch {
		case l.Stray:
			stray += "  " + l.Mend + "\n"
		case l.Mend != "":
			mend += "  " + l.Mend + "\n"
		}
	}
	text := table(rows) + fmt.Sprintf("\nTOTAL plugin cache size: %s\n", humanize.Bytes(total))
	if mend != "" {
		text += "\nPresent, but not installed; to mend that:\n" + mend
	}
	if stray != "" {
		text += "\nPresent, but not installed, and nothing here says where they came from. Remove them, and what\n" +
			"needs them installs them again, or install them with --server and the URL that you know:\n" + stray
	}
	return text
}

func sizeText(size uint64) string {
	if size == 0 {
		return "n/a"
	}
	return humanize.Bytes(size)
}

func timeText(t, now time.Time, never string) string {
	if t.IsZero() {
		return never
	}
	return humanize.RelTime(t, now, "ago", "from now")
}

// table sets rows in columns two spaces apart.
func table(rows [][]string) string {
	widths := map[int]int{}
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			fmt.Fprintf(&line, "%-*s  ", widths[i], cell)
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}
