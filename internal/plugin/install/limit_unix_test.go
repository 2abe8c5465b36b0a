//go:build unix

package install_test

import (
	"os/signal"
	"syscall"
)

// limitFiles makes writes fail that would make a file larger than limit
// bytes, as a full disk does.
func limitFiles(limit uint64) error {
	signal.Ignore(syscall.SIGXFSZ)
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit})
}
