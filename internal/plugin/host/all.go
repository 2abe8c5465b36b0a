package host

import (
	"maps"
	"slices"

	"github.com/blang/semver/v4"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
)

// All returns the plugins of a kind that can be listed, by name: those that
// are attached, the project's, and the newest of each that is installed. A
// project's plugin, or one on the PATH, stands before an installed one. What
// cannot be used is left out and reported.
func (f Finder) All(kind plugin.Kind) ([]Found, diag.List) {
	entries, err := f.Cache.Entries()
	if err != nil {
		return nil, unreadableCache(err)
	}
	newest := newestOf(kind, entries)
	names := slices.Collect(maps.Keys(newest))
	names = append(names, f.attachedNames(kind)...)
	for _, p := range f.Project {
		if p.Kind == kind {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	var all []Found
	var diags diag.List
	for _, name := range slices.Compact(names) {
		found, more := f.first(kind, name, newest)
		if diags = append(diags, more...); !more.HasErrors() {
			all = append(all, found)
		}
	}
	return all, diags
}

// first is what Find would return for any version of a plugin; the newest
// installed versions are known.
func (f Finder) first(kind plugin.Kind, name string, newest map[string]plugin.Entry) (Found, diag.List) {
	for _, find := range []func(plugin.Kind, Wanted) (Found, bool, diag.List){f.attached, f.inProject, f.ambient} {
		if found, ok, diags := find(kind, Wanted{Name: name}); ok || diags.HasErrors() {
			return found, diags
		}
	}
	return openEntry(newest[name], name, "")
}

func newestOf(kind plugin.Kind, entries []plugin.Entry) map[string]plugin.Entry {
	byName := map[string][]plugin.Entry{}
	for _, e := range entries {
		if e.Kind == kind && e.State == plugin.Installed {
			byName[e.Name] = append(byName[e.Name], e)
		}
	}
	newest := map[string]plugin.Entry{}
	for name, versions := range byName {
		all := make([]semver.Version, len(versions))
		for i, e := range versions {
			all[i] = e.Version
		}
		v, _ := plugin.Newest(all)
		newest[name] = versions[slices.IndexFunc(all, v.EQ)]
	}
	return newest
}
