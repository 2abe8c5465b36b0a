package host

import (
	"path/filepath"

	"github.com/formation-iac/formation/internal/plugin"
)

// shipped looks for a plugin beside the programs that may ship it: under its
// own name, or as a stand-in for that of others.
func (f Finder) shipped(kind plugin.Kind, w Wanted, standsIn bool) (found Found, ok bool) {
	found = Found{Kind: kind, Name: w.Name, Origin: Shipped}
	for _, s := range plugin.ShippedWithPulumi() {
		if !standsIn && s.Is(kind, w.Name) {
			found.Path, ok = f.beside(s)
			return found, ok
		}
	}
	for _, s := range plugin.ShippedWithFormation() {
		if s.Is(kind, w.Name) && s.StandsIn(kind, w.Name) == standsIn {
			if found.Path, ok = f.beside(s); ok {
				found.CalledBy = f.calledBy(kind, w, found.Path)
			}
			return found, ok
		}
	}
	return found, false
}

// beside looks for a program beside those that may ship it, among them the
// pulumi program on the PATH.
func (f Finder) beside(s plugin.Shipped) (path string, ok bool) {
	programs := f.Programs
	if pulumi, ok := f.onPath("pulumi"); ok {
		programs = append(programs[:len(programs):len(programs)], pulumi)
	}
	for _, program := range programs {
		if program, err := filepath.EvalSymlinks(program); err == nil {
			if path, ok := executableIn(filepath.Dir(program), s.Program); ok {
				return path, true
			}
		}
	}
	return "", false
}

// calledBy is the path that the plugin which is wanted would have: in the
// cache for the one version that will do, else beside the program.
func (f Finder) calledBy(kind plugin.Kind, w Wanted, path string) string {
	dir := filepath.Dir(path)
	if v, ok := w.Constraint.Version(); ok && w.Constraint.IsExact() {
		dir = f.Cache.Dir(plugin.Concrete{Kind: kind, Name: w.Name, Version: v})
	}
	return filepath.Join(dir, plugin.Executable(kind, w.Name)+filepath.Ext(path))
}
