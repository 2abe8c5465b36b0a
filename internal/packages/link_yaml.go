package packages

import (
	"path"
	"path/filepath"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// linkYAML writes the lock file that is the SDK of programs in YAML.
func (p *Packages) linkYAML(m *project.Manifest, pkg *Package, l *linking) diag.List {
	lock := lockOf(pkg)
	file, err := lock.File()
	if err != nil {
		return diag.List{cannotWrite(m.Dir(), err)}
	}
	path := filepath.Join(m.Dir(), filepath.FromSlash(file))
	if err := l.edit(path, func([]byte) ([]byte, error) { return lock.Encode() }); err != nil {
		return diag.List{cannotWrite(path, err)}
	}
	l.SDK, l.Import = file, "Its types begin with "+pkg.Bound.Name()+":"
	var diags diag.List
	l.obsolete, diags = otherLocks(path)
	return diags
}

// otherLocks are lock files of the same package beside the one that is to be:
// a program reads all of them, and would meet the package twice.
func otherLocks(fresh string) ([]string, diag.List) {
	locks, diags := project.Locks(filepath.Dir(fresh))
	name := filepath.Base(filepath.Dir(fresh))
	var others []string
	for _, lock := range locks {
		file, err := lock.File()
		if err == nil && path.Base(path.Dir(file)) == name && filepath.Clean(lock.Path) != filepath.Clean(fresh) {
			others = append(others, lock.Path)
		}
	}
	return others, diags
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
