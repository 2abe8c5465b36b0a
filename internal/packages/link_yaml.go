package packages

import (
	"os"
	"path"
	"path/filepath"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/wholefile"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// linkYAML writes the lock file that is the SDK of programs in YAML.
func (p *Packages) linkYAML(m *project.Manifest, pkg *Package, added Added) (Added, diag.List) {
	lock := lockOf(pkg)
	file, err := lock.File()
	if err != nil {
		return added, diag.List{cannotWrite(m.Dir(), err)}
	}
	data, err := lock.Encode()
	if err == nil {
		err = wholefile.Replace(filepath.Join(m.Dir(), filepath.FromSlash(file)), data, 0o644)
	}
	if err != nil {
		return added, diag.List{cannotWrite(file, err)}
	}
	added.SDK, added.Import = file, "Its types begin with "+pkg.Bound.Name()+":"
	return added, dropOtherLocks(filepath.Join(m.Dir(), filepath.FromSlash(file)))
}

// dropOtherLocks removes lock files of the same package beside the one that is
// new: a program reads all of them, and would meet the package twice.
func dropOtherLocks(fresh string) diag.List {
	locks, diags := project.Locks(filepath.Dir(fresh))
	name := filepath.Base(filepath.Dir(fresh))
	for _, lock := range locks {
		file, err := lock.File()
		if err != nil || path.Base(path.Dir(file)) != name || filepath.Clean(lock.Path) == filepath.Clean(fresh) {
			continue
		}
		if err := os.Remove(lock.Path); err != nil {
			diags = append(diags, cannotWrite(lock.Path, err))
		}
	}
	return diags
}

func lockOf(pkg *Package) project.Lock {
	h := pkg.Bound.Header
	lock := project.Lock{Name: pkg.Bound.Name(), Version: pkg.Bound.Version(), DownloadURL: h.PluginDownloadURL}
	if h.Parameterization != nil {
		lock.Name, lock.Version = h.Parameterization.BaseProvider.Name, h.Parameterization.BaseProvider.Version
		lock.Parameterization = &project.Parameter{Name: pkg.Bound.Name(), Version: pkg.Bound.Version(), Value: h.Parameterization.Parameter}
	}
	if made := h.ExtensionParameterization; made != nil {
		lock.Name, lock.Version = made.BaseProvider.Name, made.BaseProvider.Version
		lock.Extension = &project.Parameter{Name: pkg.Bound.Name(), Version: pkg.Bound.Version(), Value: made.Parameter}
	}
	return lock
}
