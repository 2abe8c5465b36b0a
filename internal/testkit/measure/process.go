package measure

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// process is a program to run and measure.
type process struct {
	path string
	args []string
	dir  string
	env  []string // added to a clean environment
	// partly lets exit code 3 pass: done but for what the output names.
	partly bool
	// unheard has stdout read and dropped: to keep much of it would take longer
	// than to write it.
	unheard bool
	// unwatched has nobody look at the process while it runs. What takes all
	// processors would wait for whoever looks.
	unwatched bool
}

// usage is what a process took.
type usage struct {
	wall time.Duration
	// cpu is processor time, that of the process's children included.
	cpu time.Duration
	watched
	stdout, stderr []byte
}

// watched is what was seen of a process while it ran.
type watched struct {
	// memory is the largest resident size in bytes; childMemory is that of
	// its children, each on its own. They are 0 where the system does not say.
	memory, childMemory int64
}

// run runs the process to its end. What it says on stderr goes into the error.
func (p process) run(ctx context.Context) (usage, error) {
	cmd := exec.CommandContext(ctx, p.path, p.args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = p.dir, append(cleanEnv(), p.env...), 5*time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if p.unheard {
		cmd.Stdout = struct{ io.Writer }{io.Discard} // through a pipe, as to other programs
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return usage{}, err
	}
	seen := func() watched { return watched{} }
	if !p.unwatched {
		seen = watch(cmd.Process.Pid)
	}
	err := cmd.Wait()
	out := usage{wall: time.Since(began), watched: seen(), stdout: stdout.Bytes(), stderr: stderr.Bytes()}
	out.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if err != nil && !(p.partly && cmd.ProcessState.ExitCode() == 3) {
		return out, fmt.Errorf("%s %s: %w\n%s", filepath.Base(p.path), strings.Join(p.args, " "), err, tail(stderr.Bytes()))
	}
	return out, nil
}

// median runs the process n times and returns the run of median duration.
// Reset, where not nil, is called before each run.
func (p process) median(ctx context.Context, n int, reset func() error) (usage, error) {
	var runs []usage
	for range max(n, 1) {
		if reset != nil {
			if err := reset(); err != nil {
				return usage{}, err
			}
		}
		one, err := p.run(ctx)
		if err != nil {
			return usage{}, err
		}
		runs = append(runs, one)
	}
	return median(runs), nil
}

// median is the run of median duration.
func median(runs []usage) usage {
	slices.SortFunc(runs, func(a, b usage) int { return int(a.wall - b.wall) })
	return runs[len(runs)/2]
}

// cleanEnv is the environment without what changes how the tools behave.
func cleanEnv() []string {
	return slices.DeleteFunc(os.Environ(), func(entry string) bool {
		return strings.HasPrefix(entry, "TF_") || strings.HasPrefix(entry, "TOFU_") || strings.HasPrefix(entry, "ESTATE_")
	})
}

func tail(text []byte) []byte {
	const most = 2000
	return text[max(0, len(text)-most):]
}
