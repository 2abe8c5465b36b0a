package host

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/formation-iac/formation/internal/plugin"
)

// executableIn looks for an executable in dir; name is without the extension
// that Windows wants.
func executableIn(dir, name string) (path string, ok bool) {
	for _, extension := range plugin.ExecutableExtensions() {
		path = filepath.Join(dir, name+extension)
		info, err := os.Stat(path)
		if err == nil && !info.IsDir() && (info.Mode()&0o111 != 0 || runtime.GOOS == "windows") {
			return path, true
		}
	}
	return "", false
}

// onPath looks for an executable in the directories of PATH. Relative ones are
// passed over: they lead to files that the user may not know.
func (f Finder) onPath(name string) (path string, ok bool) {
	for _, dir := range filepath.SplitList(f.Env.Lookup("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if path, ok = executableIn(dir, name); ok {
			return path, true
		}
	}
	return "", false
}

// shipped looks for a plugin beside the programs that may ship it.
func (f Finder) shipped(kind plugin.Kind, name string) (path string, ok bool) {
	programs := f.Programs
	if pulumi, ok := f.onPath("pulumi"); ok {
		programs = append(programs[:len(programs):len(programs)], pulumi)
	}
	for _, s := range slices.Concat(plugin.ShippedWithPulumi(), plugin.ShippedWithFormation()) {
		if !s.Is(kind, name) {
			continue
		}
		for _, program := range programs {
			if program, err := filepath.EvalSymlinks(program); err == nil {
				if path, ok := executableIn(filepath.Dir(program), s.Program); ok {
					return path, true
				}
			}
		}
	}
	return "", false
}
