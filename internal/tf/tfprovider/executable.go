package tfprovider

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// errDirectory says that a path leads to no file.
var errDirectory = errors.New("a directory")

// checkExecutable looks at a path before it is run: what the system says of
// directories is about permissions, and would mislead.
func checkExecutable(path string) error {
	found, err := exec.LookPath(path)
	if err == nil {
		return nil
	}
	if info, statErr := os.Stat(path); statErr == nil && info.IsDir() {
		return errDirectory
	}
	if found == "" && errors.Is(err, exec.ErrNotFound) {
		return os.ErrNotExist
	}
	return err
}

// notRunnable says in plain words why the system would not run a file, or "".
func notRunnable(path string, err error) string {
	switch {
	case errors.Is(err, errDirectory):
		return path + " is a directory. Name the provider's executable in it."
	case errors.Is(err, os.ErrNotExist):
		return "There is no file " + path + ". Correct the path, or name the provider as NAMESPACE/TYPE to have it installed."
	case errors.Is(err, os.ErrPermission):
		return path + " is not executable. If it is a provider, allow that: chmod +x " + path
	case errors.Is(err, syscall.ENOEXEC):
		return path + " is not a program for this machine: it is no executable at all, or one for another system or processor. Name the provider's executable, built for this one."
	default:
		return ""
	}
}
