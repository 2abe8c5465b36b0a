package project

import (
	"os"
	"path/filepath"
)

// extensions of a manifest, in the order in which the pulumi program tries
// them.
func extensions() []string { return []string{".json", ".yaml", ".yml"} }

// Find returns the manifest of a kind in dir or the nearest directory above
// it. ok is false where there is none. Directories that cannot be read hold
// none.
func Find(dir string, kind Kind) (path string, ok bool) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", false // there is no working directory any more
	}
	for {
		if path, ok = In(dir, kind); ok {
			return path, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}

// In returns the manifest of a kind in dir itself.
func In(dir string, kind Kind) (path string, ok bool) {
	for _, extension := range extensions() {
		path = filepath.Join(dir, kind.stem()+extension)
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return path, true
		}
	}
	return "", false
}
