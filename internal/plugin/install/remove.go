package install

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/blang/semver/v4"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/fetch"
	"github.com/formation-iac/formation/internal/plugin"
)

// Filter selects plugins in the cache. Its zero value selects all.
type Filter struct {
	// Kind and Name are "" for all. Name is a [plugin.Concrete.CacheName].
	Kind plugin.Kind
	Name string
	// Range says which versions; nil for all.
	Range semver.Range
}

// ParseRange reads a range of versions such as ">=1.0.0 <2.0.0", or one
// version.
func ParseRange(text string) (semver.Range, diag.List) {
	r, err := semver.ParseRange(text)
	if err != nil {
		return nil, diag.List{invalidRange(text)}
	}
	return r, nil
}

// Match lists the plugins that a filter selects, installed or not.
func (i *Installer) Match(f Filter) ([]plugin.Entry, diag.List) {
	entries, err := i.opts.Cache.Entries()
	if err != nil {
		return nil, diag.List{unreadableCache(i.opts.Cache.Root, err)}
	}
	var out []plugin.Entry
	for _, e := range entries {
		if (f.Kind == "" || e.Kind == f.Kind) && (f.Name == "" || e.Name == f.Name) && (f.Range == nil || f.Range(e.Version)) {
			out = append(out, e)
		}
	}
	return out, nil
}

// Remove removes plugins from the cache, with all that belongs to them, and
// returns those that are gone.
func (i *Installer) Remove(ctx context.Context, entries []plugin.Entry) ([]plugin.Entry, diag.List) {
	var removed []plugin.Entry
	var diags diag.List
	for _, e := range entries {
		if ctx.Err() != nil {
			return removed, stopped(diags)
		}
		if d := i.remove(ctx, e); d != nil {
			diags = append(diags, d)
			continue
		}
		removed = append(removed, e)
	}
	return removed, diags
}

// remove takes the directory away at once, so that nobody takes for installed
// what is going. That needs no room on the disk: who has none removes plugins.
func (i *Installer) remove(ctx context.Context, e plugin.Entry) *diag.Diagnostic {
	p := plugin.Concrete{Kind: e.Kind, Name: e.Name, Version: e.Version}
	release, err := i.lock(ctx, p)
	if err != nil {
		return cannotRemove(e, err)
	}
	defer release()
	stage := i.opts.Cache.Staging(p)
	if err = os.RemoveAll(stage); err == nil {
		err = os.Rename(e.Dir, stage)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return cannotRemove(e, err)
	}
	i.step("moved")
	if err := os.RemoveAll(stage); err != nil {
		return cannotClear(e, stage, err)
	}
	fetch.Download{Path: i.opts.Cache.Download(p)}.Discard()
	_ = os.Remove(i.opts.Cache.LastUsed(p))
	if err := i.unmark(p); err != nil {
		return cannotClear(e, i.opts.Cache.Partial(p), err)
	}
	// Who waits for the lock notices that its file is gone.
	_ = os.Remove(i.opts.Cache.Lock(p))
	return nil
}
