package cli

import (
	"context"
	"time"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/install"
	"github.com/formation-iac/formation/internal/workflow"
)

// listNeeded lists the plugins that the project here needs; listed are those in
// the cache.
func (a *app) listNeeded(ctx context.Context, listed []install.Listed) error {
	var needed []install.Needed
	diags := a.withPlugins(ctx, nil, func(ctx context.Context, p *workflow.Plugins) (diags diag.List) {
		needed, diags = p.Needed(ctx, listed)
		return diags
	})
	if a.json { // the list has no room for them
		a.say(diags, nil)
	}
	if diags.HasErrors() {
		return done(exitFailed)
	}
	if a.json {
		return a.writeJSON(neededJSON(needed))
	}
	a.print(neededText(needed, time.Now()))
	return nil
}

func neededJSON(needed []install.Needed) []pluginJSON {
	out := []pluginJSON{}
	for _, n := range needed {
		if n.Cached != nil {
			out = append(out, cachedJSON(*n.Cached))
			continue
		}
		state := plugin.NotPresent
		if n.Path != "" {
			state = plugin.Installed
		}
		out = append(out, pluginJSON{Name: n.Name, Kind: string(n.Kind), Version: n.Version, State: state.String(), Mend: n.Get, Path: n.Path})
	}
	return out
}

func neededText(needed []install.Needed, now time.Time) string {
	list := newPluginTable(now)
	for _, n := range needed {
		switch {
		case n.Cached != nil:
			list.add(*n.Cached)
		case n.Path != "":
			list.rows = append(list.rows, []string{n.Name, string(n.Kind), n.Version, "n/a", "n/a", "n/a", "in " + n.Path})
		default:
			list.rows = append(list.rows, []string{n.Name, string(n.Kind), n.Version, "n/a", "n/a", "never", plugin.NotPresent.String()})
			if n.Get != "" {
				list.get += "  " + n.Get + "\n"
			}
		}
	}
	return list.text("TOTAL size in the cache") + list.remedies()
}
