//go:build !linux

package tfstate

import (
	"errors"
	"os"
)

// lockFile is for systems where closing any file of a process would end the
// locks of all of them.
func lockFile(*os.File) error { return errors.ErrUnsupported }
