package tfregistry

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// findBinary returns the path of the executable in an unpacked package: the
// first file by name that is terraform-provider-TYPE, alone or continued by
// "_" or ".". An empty typ takes any type. ok is false where there is none.
func findBinary(dir, typ string) (path string, ok bool) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", false
	}
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		info, err := os.Stat(path)
		if err == nil && info.Mode().IsRegular() && isBinaryName(entry.Name(), typ) {
			return path, true
		}
	}
	return "", false
}

func isBinaryName(name, typ string) bool {
	rest, ok := strings.CutPrefix(name, binaryPrefix+typ)
	if !ok || strings.HasSuffix(name, ".zip") {
		return false
	}
	return typ == "" || rest == "" || rest[0] == '_' || rest[0] == '.'
}

// localBinary checks that path is a provider executable, or a directory that
// holds one, and returns the path of the executable.
func localBinary(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", localMissing(path, err)
	}
	if info.IsDir() {
		binary, ok := findBinary(path, "")
		if !ok {
			return "", noBinaryInDir(path, "")
		}
		path = binary
		if info, err = os.Stat(path); err != nil {
			return "", localMissing(path, err)
		}
	}
	if !info.Mode().IsRegular() || !isBinaryName(filepath.Base(path), "") {
		return "", notAProviderBinary(path)
	}
	if !executable(info.Mode()) {
		return "", notExecutable(path)
	}
	return path, nil
}

func executable(mode fs.FileMode) bool {
	return runtime.GOOS == "windows" || mode&0o111 != 0
}
