package host

import (
	"os"
	"path/filepath"
	"runtime"

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
