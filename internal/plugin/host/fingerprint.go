package host

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/formation-iac/formation/internal/base/fileguard"
)

// Fingerprint changes whenever the plugin does: it is a digest of its names and
// of what the system knows of its files (path, size, modification time,
// inode), so that no content has to be read. Of an executable, that file alone
// counts; of a directory, all files but dependencies that were installed into
// it. It is hexadecimal.
func (f Found) Fingerprint() (string, error) {
	path, err := filepath.EvalSymlinks(f.Path)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s %q %q\n", f.Kind, f.Name, f.CalledBy)
	err = filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !entry.IsDir():
			return addFile(h, name)
		case name != path && isInstalled(entry.Name()):
			return fs.SkipDir
		default:
			return nil
		}
	})
	return hex.EncodeToString(h.Sum(nil)), err
}

func addFile(h hash.Hash, name string) error {
	info, err := os.Lstat(name)
	if err == nil {
		fileguard.Add(h, name, info)
	}
	return err
}

// isInstalled reports whether a directory of that name holds what a package
// manager or a version control put there.
func isInstalled(name string) bool {
	switch name {
	case "node_modules", "venv", "__pycache__", "vendor":
		return true
	default:
		return strings.HasPrefix(name, ".")
	}
}
