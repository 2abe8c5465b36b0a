package install

import (
	"cmp"
	"context"
	"os"
	"slices"
	"time"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/parallel"
	"github.com/formation-iac/formation/internal/plugin"
)

// Listed is a plugin in the cache.
type Listed struct {
	plugin.Entry
	// Size is that of all files in bytes.
	Size uint64
	// Installed is when its directory was put there, LastUsed when it was
	// last started, as far as the system knows.
	Installed, LastUsed time.Time
	// Mend is a command that ends the state of being present but not
	// installed; else "". It installs the plugin, or removes it where Stray.
	Mend string
	// Stray says that nobody knows where the plugin came from but what needs
	// it, and installs it again.
	Stray bool
}

// List lists the plugins in the cache by name, kind and version, newest first.
// Directories are measured side by side, and what large ones came to is
// remembered until they change or are used; see sizes.
func (i *Installer) List(ctx context.Context) ([]Listed, diag.List) {
	entries, err := i.opts.Cache.Entries()
	if err != nil {
		return nil, diag.List{unreadableCache(i.opts.Cache.Root, err)}
	}
	slices.SortFunc(entries, func(a, b plugin.Entry) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Kind, b.Kind), b.Version.Compare(a.Version), cmp.Compare(b.Version.String(), a.Version.String()))
	})
	sizes := loadSizes(i.opts.Cache)
	listed := parallel.Map(ctx, 8, entries, func(_ context.Context, e plugin.Entry) Listed { return describe(i.opts.Cache, sizes, e) })
	if ctx.Err() != nil {
		return nil, stopped(nil)
	}
	sizes.save()
	return listed, nil
}

func describe(cache plugin.Cache, sizes *sizes, e plugin.Entry) Listed {
	out := Listed{Entry: e}
	p := plugin.Concrete{Kind: e.Kind, Name: e.Name, Version: e.Version}
	if info, err := os.Stat(e.Dir); err == nil {
		// Before the directory is measured, which counts as an access.
		out.Installed, out.LastUsed = changeTime(info), accessTime(info)
	}
	if info, err := os.Stat(cache.LastUsed(p)); err == nil {
		out.LastUsed = info.ModTime()
	}
	out.Size = sizes.of(e, out.Installed)
	if e.State == plugin.Present {
		out.Mend, out.Stray = mend(cache, p)
	}
	return out
}
