package install

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/blang/semver/v4"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/wholefile"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/source"
)

// ProgramDir is the directory of the running program, links followed.
func ProgramDir() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	path, err = filepath.EvalSymlinks(path)
	return filepath.Dir(path), err
}

// OwnPlugins are the plugins that formation comes with, under all of their
// names, as a cache has them at a version.
func OwnPlugins(version semver.Version) []plugin.Concrete {
	var out []plugin.Concrete
	for _, s := range plugin.ShippedWithFormation() {
		for _, name := range s.Names {
			out = append(out, plugin.Concrete{Kind: s.Kind, Name: name, Version: version})
		}
	}
	return out
}

// ShipRequest asks for plugins of ours to be put into the cache, where other
// programs find them as well.
type ShipRequest struct {
	// Dir is where the programs are that are the plugins.
	Dir string
	// Plugins are what these are to be: a program takes itself for the plugin
	// and for the version that it stands for.
	Plugins []plugin.Concrete
	// Reinstall lets ours take the place of plugins of others.
	Reinstall bool
}

// Ship puts plugins that formation comes with into the cache. It is
// idempotent: ours are replaced where they have changed since. A plugin of
// others, of the same name and version, is left alone and is an error.
func (i *Installer) Ship(ctx context.Context, req ShipRequest) ([]Installed, diag.List) {
	var out []Installed
	var diags diag.List
	missing := map[string]bool{}
	for _, p := range req.Plugins {
		program, err := shippedAs(req.Dir, p)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if !missing[program] {
				diags = append(diags, notShipped(filepath.Base(program), req.Dir))
			}
			missing[program] = true
			continue
		case err != nil:
			diags = append(diags, diag.FromError(codeInternal, "Cannot install the "+p.String(), err)...)
			continue
		}
		got, others, more := i.shipOne(ctx, program, p, req.Reinstall)
		if others {
			more = diag.List{othersInPlace(p)}
		}
		diags = append(diags, more...)
		if !more.HasErrors() {
			out = append(out, got)
		}
	}
	return out, diags
}

// shippedAs is the program that can be a plugin. Its error is a diagnostic, or
// an fs.ErrNotExist.
func shippedAs(dir string, p plugin.Concrete) (program string, err error) {
	for _, s := range plugin.ShippedWithFormation() {
		if s.Is(p.Kind, p.Name) {
			program = filepath.Join(dir, s.Program+plugin.ExecutableExtensions()[0])
			_, err := os.Stat(program)
			return program, err
		}
	}
	return "", notOurs(p)
}

// shipOne puts a program into the cache as a plugin. It reports whether a
// plugin of others is in the place, which it leaves alone unless reinstall.
func (i *Installer) shipOne(ctx context.Context, program string, p plugin.Concrete, reinstall bool) (got Installed, others bool, diags diag.List) {
	got = Installed{Resolution: Resolution{Plugin: p, State: plugin.Installed}}
	if main, reached := i.look(p); reached == installed && sameContent(main.executable, program) {
		got.Path = main.executable
		return got, false, nil
	}
	// While somebody replaces what is there, none can tell whose it is.
	release, err := i.lock(ctx, p)
	if err != nil {
		return Installed{}, false, diag.List{cannotLock(i.opts.Cache, "the "+p.String(), err)}
	}
	defer release()
	main, reached := i.look(p)
	switch {
	case reached == installed && sameContent(main.executable, program): // by somebody faster
		got.Path = main.executable
		return got, false, nil
	case reached == installed && !reinstall && !isOurs(i.opts.Cache, p):
		return Installed{}, true, nil
	}
	main, _, diags = i.unpack(ctx, p, i.shipper(program, p))
	got.Path, got.Fresh = main.executable, true
	return got, false, diags
}

// shipper fills a room with a program that is a plugin.
func (i *Installer) shipper(program string, p plugin.Concrete) filler {
	return func(_ context.Context, room source.Room) diag.List {
		err := errors.Join(
			linkOrCopy(program, filepath.Join(room.Dir, p.Executable()+plugin.ExecutableExtensions()[0])),
			os.WriteFile(filepath.Join(room.Dir, oursFile), nil, 0o600))
		if err != nil {
			return diag.List{unwritableCache(i.opts.Cache, p, err)}
		}
		return nil
	}
}

// oursFile marks a directory in the cache whose plugin came with formation.
// Others pass over it.
const oursFile = ".formation"

func isOurs(cache plugin.Cache, p plugin.Concrete) bool {
	_, err := os.Stat(filepath.Join(cache.Dir(p), oursFile))
	return err == nil
}

// linkOrCopy makes a second name for a file, or a copy where the file system
// or the distance does not allow that.
func linkOrCopy(from, to string) error {
	if os.Link(from, to) == nil {
		return nil
	}
	return copyFile(from, to)
}

func sameContent(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	if err != nil || x.Size() != y.Size() {
		return false
	}
	if os.SameFile(x, y) {
		return true
	}
	sumA, errA := wholefile.SHA256(a)
	sumB, errB := wholefile.SHA256(b)
	return errA == nil && errB == nil && sumA == sumB
}

// Own says of the plugins that formation comes with where their programs are,
// and at which version.
type Own struct {
	Dir     string
	Version semver.Version
}

// Keep puts plugins of ours that were found beside this program into the
// cache, where the pulumi program finds what it runs a project with: at the
// version that was asked for, or else at this one, which SDKs name then. It
// returns all that was found, those as they are in the cache. Stand-ins for
// plugins of others are left alone, and so is what others have in our place.
func (i *Installer) Keep(ctx context.Context, found []Installed) ([]Installed, diag.List) {
	out := slices.Clone(found)
	var diags diag.List
	for n, f := range found {
		p, program, ok := i.toKeep(f)
		if !ok || ctx.Err() != nil {
			continue
		}
		kept, others, more := i.shipOne(ctx, program, p, false)
		if diags = append(diags, more...); others || more.HasErrors() {
			continue
		}
		out[n].Path, out[n].Fresh = kept.Path, kept.Fresh
		out[n].Local, out[n].AsIs, out[n].Plugin, out[n].State = "", false, kept.Plugin, kept.State
	}
	return out, diags
}

// toKeep is the plugin that [Installer.Keep] puts into the cache for what was
// found, and the program that it is; ok is false where it puts none.
func (i *Installer) toKeep(f Installed) (p plugin.Concrete, program string, ok bool) {
	p = plugin.Concrete{Kind: f.Descriptor.Kind, Name: f.Descriptor.Source, Version: i.opts.Own.Version}
	if v, named := f.Descriptor.Constraint.Version(); named {
		p.Version = v
	}
	if !f.AsIs || i.opts.Own.Dir == "" || !isOwn(p) {
		return p, "", false
	}
	program, err := shippedAs(i.opts.Own.Dir, p)
	if err != nil || !sameContent(f.Path, program) {
		return p, "", false
	}
	ours := isOurs(i.opts.Cache, p) // first: who replaces ours has them installed in the end
	_, reached := i.look(p)
	return p, program, ours || reached != installed
}
