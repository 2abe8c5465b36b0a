package tfprovider

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"

	goplugin "github.com/hashicorp/go-plugin"
)

// socketDir is the directory that a process of ours makes its socket in; ""
// leaves it to the process. A provider removes its socket where it ends as it
// should. One that is killed, or crashes, does not.
type socketDir string

// longestTemp is how long, in bytes, the path of a temporary directory may be
// for the socket to have a directory of its own there: the systems bound the
// path of a socket, the tightest to 103 bytes, and "/tf" and "/plugin" with ten
// digits each come after it.
const longestTemp = 103 - len("/tf0123456789/plugin0123456789")

// makeSocketDir makes the directory where a process with this environment has
// its temporary files. Without unix sockets, or where the path would be too
// long for them, there is none.
func makeSocketDir(env []string) (socketDir, error) {
	temp := tempDir(env)
	if runtime.GOOS == "windows" || len(temp) > longestTemp {
		return "", nil
	}
	dir, err := os.MkdirTemp(temp, "tf")
	if err != nil {
		return "", unusableTempError{temp, err}
	}
	return socketDir(dir), nil
}

// tempDir is where a process with this environment has its temporary files, on
// systems with unix sockets. What comes later in the environment holds.
func tempDir(env []string) string {
	dir := "/tmp"
	for _, entry := range env {
		if value, ok := strings.CutPrefix(entry, "TMPDIR="); ok && value != "" {
			dir = value
		}
	}
	return dir
}

// env tells the process of the directory.
func (d socketDir) env() []string {
	if d == "" {
		return nil
	}
	return []string{goplugin.EnvUnixSocketDir + "=" + string(d)}
}

// remove removes what is left of the directory. A connection outlives it.
func (d socketDir) remove() {
	if d != "" {
		_ = os.RemoveAll(string(d))
	}
}

// unusableTempError says that a process would have no place for its socket. It
// does not unwrap: the cause would be taken for one of the executable.
type unusableTempError struct {
	dir string
	err error
}

// Error has no random name in it.
func (e unusableTempError) Error() string {
	cause := e.err
	if path, ok := errors.AsType[*fs.PathError](e.err); ok {
		cause = path.Err
	}
	return fmt.Sprintf("Nothing can be made in the directory for temporary files, %s: %s. Set TMPDIR to a directory that exists and can be written to", e.dir, cause)
}
