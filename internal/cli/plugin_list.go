package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin/host"
	"github.com/formation-iac/formation/internal/plugin/install"
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
that is to remove it: what needs it knows, and installs it again.

With --project the list has what the project here needs, wherever it is: in the
cache, elsewhere on this machine, or nowhere yet.`,
		Example: `  formation plugin ls
  formation plugin ls --project --json`,
		Args: exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.listPlugins(cmd.Context(), project) },
	}
	cmd.Flags().BoolVarP(&project, "project", "p", false, "list those that the project here needs, missing ones too")
	cmd.Flags().BoolVarP(&a.json, "json", "j", false, "write the list as JSON to standard output")
	return cmd
}

func (a *app) listPlugins(ctx context.Context, project bool) error {
	listed, diags := a.cachedPlugins(ctx)
	if diags.HasErrors() {
		return done(exitFailed)
	}
	if project {
		return a.listNeeded(ctx, listed)
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

// pluginJSON is a plugin in the list for machines: the members of the pulumi
// program's list, and the last three.
type pluginJSON struct {
	Name         string `json:"name"`
	Kind         string `json:"kind"`
	Version      string `json:"version"`
	Size         uint64 `json:"size"`
	InstallTime  string `json:"installTime,omitempty"`
	LastUsedTime string `json:"lastUsedTime,omitempty"`
	State        string `json:"state"`
	// Mend is a command that installs it, or removes what cannot be.
	Mend string `json:"mend,omitempty"`
	// Path is where a plugin is that is not in the cache.
	Path string `json:"path,omitempty"`
}

func pluginsJSON(listed []install.Listed) []pluginJSON {
	out := []pluginJSON{}
	for _, l := range listed {
		out = append(out, cachedJSON(l))
	}
	return out
}

func cachedJSON(l install.Listed) pluginJSON {
	return pluginJSON{
		Name: l.Name, Kind: string(l.Kind), Version: l.Version.String(), Size: l.Size,
		InstallTime: timeJSON(l.Installed), LastUsedTime: timeJSON(l.LastUsed),
		State: l.State.String(), Mend: l.Mend,
	}
}

func timeJSON(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// pluginsText is the list for people.
func pluginsText(listed []install.Listed, now time.Time) string {
	list := newPluginTable(now)
	for _, l := range listed {
		list.add(l)
	}
	return list.text("TOTAL plugin cache size") + list.remedies()
}

// pluginTable is a list for people on its way.
type pluginTable struct {
	now   time.Time
	rows  [][]string
	total uint64
	// mend, stray and get are commands, one on a line.
	mend, stray, get string
}

func newPluginTable(now time.Time) *pluginTable {
	return &pluginTable{now: now, rows: [][]string{{"NAME", "KIND", "VERSION", "SIZE", "INSTALLED", "LAST USED", "STATE"}}}
}

// add adds a plugin in the cache.
func (t *pluginTable) add(l install.Listed) {
	t.rows = append(t.rows, []string{
		l.Name, string(l.Kind), l.Version.String(), sizeText(l.Size),
		timeText(l.Installed, t.now, "n/a"), timeText(l.LastUsed, t.now, "never"), l.State.String(),
	})
	t.total += l.Size
	switch {
	case l.Stray:
		t.stray += "  " + l.Mend + "\n"
	case l.Mend != "":
		t.mend += "  " + l.Mend + "\n"
	}
}

func (t *pluginTable) text(total string) string {
	return table(t.rows) + fmt.Sprintf("\n%s: %s\n", total, humanize.Bytes(t.total))
}

// remedies say what to do about plugins that are not installed.
func (t *pluginTable) remedies() string {
	var b strings.Builder
	if t.mend != "" {
		b.WriteString("\nPresent, but not installed; to mend that:\n" + t.mend)
	}
	if t.stray != "" {
		b.WriteString("\nPresent, but not installed, and nothing here says where they came from. Remove them, and what\n" +
			"needs them installs them again, or install them with --server and the URL that you know:\n" + t.stray)
	}
	if t.get != "" {
		b.WriteString("\nNot present. `formation install` installs all that the project needs; one by one:\n" + t.get)
	}
	return b.String()
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
