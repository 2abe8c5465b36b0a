package install

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

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

// Ship puts the plugins that formation comes with from a directory, that of
// the program, into the cache at a version, so that others find them as well.
// It is idempotent; a plugin that has changed since is replaced.
func (i *Installer) Ship(ctx context.Context, dir string, version semver.Version) ([]Installed, diag.List) {
	var out []Installed
	var diags diag.List
	for _, s := range plugin.ShippedWithFormation() {
		program := filepath.Join(dir, s.Program+plugin.ExecutableExtensions()[0])
		if _, err := os.Stat(program); errors.Is(err, fs.ErrNotExist) {
			diags = append(diags, notShipped(filepath.Base(program), dir))
			continue
		}
		for _, name := range s.Names {
			got, more := i.shipOne(ctx, program, plugin.Concrete{Kind: s.Kind, Name: name, Version: version})
			diags = append(diags, more...)
			if !more.HasErrors() {
				out = append(out, got)
			}
		}
	}
	return out, diags
}

func (i *Installer) shipOne(ctx context.Context, program string, p plugin.Concrete) (Installed, diag.List) {
	fill := func(_ context.Context, room source.Room) diag.List {
		if err := linkOrCopy(program, filepath.Join(room.Dir, p.Executable()+plugin.ExecutableExtensions()[0])); err != nil {
			return diag.List{unwritableCache(i.opts.Cache, p, err)}
		}
		return nil
	}
	main, reached := i.look(p)
	main, _, fresh, diags := i.present(ctx, p, fill, reached == installed && !sameContent(main.executable, program))
	if diags.HasErrors() {
		return Installed{}, diags
	}
	return Installed{Resolution: Resolution{Plugin: p, State: plugin.Installed}, Path: main.executable, Fresh: fresh}, diags
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
