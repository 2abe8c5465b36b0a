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
	main, state, fresh, diags := i.present(ctx, n.plugin, i.filler(n), reinstall)
	n.diags, n.fresh = diags, fresh
	if diags.HasErrors() {
		return
	}
	n.path, n.ready = main.path(), state == plugin.Installed
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
		if isBundled(n.plugin) {
			return diag.List{bundled(n.plugin)}
		}
		return i.opts.Sources.Fetch(ctx, n.plugin, room)
	}
}

// present makes a plugin present or better. It takes the plugin's lock for as
// long as it must.
func (i *Installer) present(ctx context.Context, p plugin.Concrete, fill filler, reinstall bool) (main content, state plugin.State, fresh bool, diags diag.List) {
	if !reinstall {
		if main, state := i.look(p); state == plugin.Installed {
			return main, state, false, nil
		}
	}
	release, err := i.lock(ctx, p)
	if err != nil {
		return content{}, plugin.NotPresent, false, diag.List{cannotLock(i.opts.Cache, p, err)}
	}
	defer release()
	if main, state := i.look(p); !reinstall && state != plugin.NotPresent {
		return main, state, false, nil // somebody else was faster
	}
	main, state, diags = i.unpack(ctx, p, fill)
	return main, state, true, diags
}

func (i *Installer) lock(ctx context.Context, p plugin.Concrete) (release func(), err error) {
	release, err = filelock.Acquire(ctx, i.opts.Cache.Lock(p), "another process installs the "+p.String())
	if err == nil {
		i.step("locked")
	}
	return release, err
}

// look tells whether a plugin is installed, or present with all of its files.
// What is neither counts as not present.
func (i *Installer) look(p plugin.Concrete) (content, plugin.State) {
	state, err := i.opts.Cache.State(p)
	if err != nil || state == plugin.NotPresent {
		return content{}, plugin.NotPresent
	}
	if state == plugin.Present {
		if !readMarker(i.opts.Cache, p).whole {
			return content{}, plugin.NotPresent
		}
	}
	main, err := findMain(p.Kind, p.Name, i.opts.Cache.RunDir(p))
	if err != nil {
		return content{}, plugin.NotPresent
	}
	return main, state
}

// unpack puts a plugin's files in the place of what is in its directory. The
// caller holds the lock. Until all have come the directory stays as it is.
func (i *Installer) unpack(ctx context.Context, p plugin.Concrete, fill filler) (content, plugin.State, diag.List) {
	stage := i.opts.Cache.Staging(p)
	defer os.RemoveAll(stage) // what stays, the next installation removes
	if err := errors.Join(os.RemoveAll(stage), os.Mkdir(stage, 0o700)); err != nil {
		return content{}, plugin.NotPresent, diag.List{unwritableCache(i.opts.Cache, p, err)}
	}
	i.step("staged")
	diags := fill(ctx, source.Room{Dir: stage, Download: i.opts.Cache.Download(p)})
	i.step("filled")
	if diags.HasErrors() {
		return content{}, plugin.NotPresent, diags
	}
	staged, err := findMain(p.Kind, p.Name, filepath.Join(stage, filepath.FromSlash(p.Subdir())))
	if err != nil {
		return content{}, plugin.NotPresent, append(diags, noPluginInside(p, err))
	}
	main, state, err := i.swap(p, stage, staged.executable)
	if err != nil {
		return content{}, plugin.NotPresent, append(diags, unwritableCache(i.opts.Cache, p, err))
	}
	return main, state, diags
}

// swap moves a whole plugin into its directory. The marker stands while there
// is nothing whole in it. An executable is installed with that; executable is
// "" where there is none.
func (i *Installer) swap(p plugin.Concrete, stage, executable string) (content, plugin.State, error) {
	if err := makeExecutable(executable); err != nil {
		return content{}, plugin.NotPresent, err
	}
	if err := i.mark(p, marker{server: p.Server}); err != nil {
		return content{}, plugin.NotPresent, err
	}
	i.step("marked")
	if err := os.RemoveAll(i.opts.Cache.Dir(p)); err != nil {
		return content{}, plugin.NotPresent, err
	}
	i.step("emptied")
	if err := os.Rename(stage, i.opts.Cache.Dir(p)); err != nil {
		return content{}, plugin.NotPresent, err
	}
	i.step("moved")
	state := plugin.Installed
	err := error(nil)
	if executable == "" {
		state, err = plugin.Present, i.mark(p, marker{server: p.Server, whole: true})
		i.step("whole")
	} else {
		err = i.unmark(p)
	}
	if err != nil {
		return content{}, plugin.NotPresent, err
	}
	main, err := findMain(p.Kind, p.Name, i.opts.Cache.RunDir(p))
	return main, state, err
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
