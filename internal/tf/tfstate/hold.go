package tfstate

import (
	"errors"
	"io/fs"
	"os"

	"github.com/formation-iac/formation/internal/base/diag"
)

// Hold keeps tofu and terraform from working on the state file at path until
// release is called, or says who works on it. Where there is no file there is
// nothing to hold. The hold ends with the process. Source: OpenTofu 1.12.6,
// states/statemgr.Filesystem.Lock, whose lock it is.
func Hold(path string) (release func(), diags diag.List) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil { // absent, or not to be written: whoever writes says so
		return func() {}, nil
	}
	err = lockFile(file)
	if errors.Is(err, errors.ErrUnsupported) {
		err = foretold(path)
	}
	if err != nil {
		_ = file.Close()
		return nil, diag.List{locked(lockPath(path), holder(lockPath(path)))}
	}
	return func() { _ = file.Close() }, nil
}

// foretold goes by what a client writes beside a state that it locks. One that
// was killed leaves it there.
func foretold(path string) error {
	if _, err := os.Lstat(lockPath(path)); err == nil {
		return fs.ErrExist
	}
	return nil
}
