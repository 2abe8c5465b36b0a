package install

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/filelock"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/source"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// filler puts a plugin's files into a room.
type filler func(ctx context.Context, room source.Room) diag.List

// bring makes a node's plugin present, unless it is. One that is an executable
// is installed then; of another the node has the manifest.
func (i *Installer) bring(ctx context.Context, n *node, reinstall bool) {
	main, reached, fresh, diags := i.present(ctx, n.plugin, i.filler(n), reinstall)
	n.diags, n.fresh = diags, fresh
	if diags.HasErrors() {
		return
	}
	n.path, n.ready = main.path(), reached == installed
	if !n.ready {
		manifest, diags := project.Load(main.manifest)
		n.manifest, n.diags = manifest, append(n.diags, diags...)
	}
}

// filler is where a node's files come from.
func (i *Installer) filler(n *node) filler {
	if n.fill != nil {
		return n.fill
	}
	return func(ctx context.Context, room source.Room) diag.List {
		if d := unpublished(n.plugin); d != nil {
			return diag.List{d}
		}
		return i.opts.Sources.Fetch(ctx, n.plugin, room)
	}
}

// present makes a plugin present or better. It takes the plugin's lock for as
// long as it must.
func (i *Installer) present(ctx context.Context, p plugin.Concrete, fill filler, reinstall bool) (main content, reached phase, fresh bool, diags diag.List) {
	if !reinstall {
		if main, reached := i.look(p); reached == installed {
			return main, reached, false, nil
		}
	}
	release, err := i.lock(ctx, p)
	if err != nil {
		return content{}, absent, false, diag.List{cannotLock(i.opts.Cache, "the "+p.String(), err)}
	}
	defer release()
	if main, reached := i.look(p); !reinstall && reached >= whole {
		return main, reached, reached != installed, nil // by an earlier run, or by somebody faster
	}
	main, reached, diags = i.unpack(ctx, p, fill)
	return main, reached, true, diags
}

func (i *Installer) lock(ctx context.Context, p plugin.Concrete) (release func(), err error) {
	release, err = filelock.Acquire(ctx, i.opts.Cache.Lock(p), "another process installs the "+p.String())
	if err == nil {
		i.step("locked")
	}
	return release, err
}

// look tells how far a plugin has come. What it runs from comes with it where
// that is whole or better.
func (i *Installer) look(p plugin.Concrete) (content, phase) {
	state, err := i.opts.Cache.State(p)
	if err != nil || state == plugin.NotPresent {
		return content{}, absent
	}
	reached := installed
	if state == plugin.Present {
		reached = readMarker(i.opts.Cache, p).phase
	}
	main, err := findMain(p.Kind, p.Name, i.opts.Cache.RunDir(p))
	if err != nil {
		return content{}, begun
	}
	return main, reached
}

// unpack puts a plugin's files in the place of what is in its directory. The
// caller holds the lock. Until all have come the directory stays as it is.
func (i *Installer) unpack(ctx context.Context, p plugin.Concrete, fill filler) (content, phase, diag.List) {
	stage := i.opts.Cache.Staging(p)
	defer os.RemoveAll(stage) // what stays, the next installation removes
	if err := errors.Join(os.RemoveAll(stage), os.Mkdir(stage, 0o700)); err != nil {
		return content{}, absent, diag.List{unwritableCache(i.opts.Cache, p, err)}
	}
	i.step("staged")
	diags := fill(ctx, source.Room{Dir: stage, Download: i.opts.Cache.Download(p)})
	i.step("filled")
	if diags.HasErrors() {
		return content{}, absent, diags
	}
	staged, err := findMain(p.Kind, p.Name, filepath.Join(stage, filepath.FromSlash(p.Subdir())))
	if err != nil {
		return content{}, absent, append(diags, noPluginInside(p, err))
	}
	main, reached, err := i.swap(p, stage, staged.executable)
	if err != nil {
		return content{}, absent, append(diags, unwritableCache(i.opts.Cache, p, err))
	}
	return main, reached, diags
}

// swap moves a whole plugin into its directory. The marker stands while there
// is nothing whole in it. An executable is installed with that; executable is
// "" where there is none.
func (i *Installer) swap(p plugin.Concrete, stage, executable string) (content, phase, error) {
	if err := makeExecutable(executable); err != nil {
		return content{}, absent, err
	}
	if err := i.mark(p, begun); err != nil {
		return content{}, absent, err
	}
	i.step("marked")
	if err := os.RemoveAll(i.opts.Cache.Dir(p)); err != nil {
		return content{}, absent, err
	}
	i.step("emptied")
	if err := os.Rename(stage, i.opts.Cache.Dir(p)); err != nil {
		return content{}, absent, err
	}
	i.step("moved")
	reached, err := installed, error(nil)
	if executable != "" {
		err = i.unmark(p)
	} else {
		reached, err = whole, i.mark(p, whole)
		i.step("whole")
	}
	if err != nil {
		return content{}, absent, err
	}
	main, err := findMain(p.Kind, p.Name, i.opts.Cache.RunDir(p))
	return main, reached, err
}

// sweep removes what killed processes left in the cache and nobody works on.
func (i *Installer) sweep() {
	for stage, lock := range i.opts.Cache.Stages() {
		if release, ok := filelock.TryAcquire(lock); ok {
			_ = os.RemoveAll(stage)
			release()
		}
	}
}
