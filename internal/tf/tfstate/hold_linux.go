package tfstate

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// lockFile takes a lock that belongs to this open file, and meets those that
// belong to processes, such as Terraform's. It does not wait.
func lockFile(f *os.File) error {
	return unix.FcntlFlock(f.Fd(), unix.F_OFD_SETLK, &unix.Flock_t{Type: unix.F_WRLCK, Whence: io.SeekStart})
}
