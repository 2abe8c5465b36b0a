package host

import (
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"github.com/formation-iac/formation/internal/base/offspring"
)

// process is a plugin's process, or what stands for it.
type process interface {
	// stdout and stderr end when the process does.
	stdout() io.Reader
	stderr() io.Reader
	// ended is closed when the process has ended.
	ended() <-chan struct{}
	// fate says how it ended; it is "" for an end without failure.
	fate() string
	// interrupt asks the process to end, kill ends it. Both include what it
	// started itself, as far as it is known, and return at once.
	interrupt()
	kill()
	// release waits, after the end, until readers have read what is left of
	// stdout and stderr, and frees what the process held.
	release(readers *sync.WaitGroup)
}

// command is what to run.
type command struct {
	path string
	// name is what the process is told that it is called; "" stands for path.
	name string
	args []string
	env  Environment
	dir  string
}

// child is a process of our own.
type child struct {
	cmd      *exec.Cmd
	out, err *os.File // our ends of its streams
	in       *os.File // kept open: some plugins end with their stdin
	over     chan struct{}
	failure  error
}

// spawn starts a process in a process group of its own. It is told to end when
// this program does, however that comes (on Linux).
func spawn(c command) (*child, error) {
	//nolint:noctx // it outlives the call that starts it, and is ended in order
	cmd := exec.Command(c.path, c.args...)
	cmd.Env, cmd.Dir, cmd.SysProcAttr = c.env, c.dir, offspring.Group()
	if c.name != "" {
		cmd.Args[0] = c.name
	}
	p := &child{cmd: cmd, over: make(chan struct{})}
	theirs, err := p.connect()
	defer closeAll(theirs)
	if err != nil {
		return nil, err
	}
	started := make(chan error)
	go p.run(started)
	if err := <-started; err != nil {
		closeAll([]*os.File{p.in, p.out, p.err})
		return nil, err
	}
	return p, nil
}

// connect makes the three streams, and returns the process's ends of them.
func (p *child) connect() ([]*os.File, error) {
	var files []*os.File
	for range 3 {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(files)
			return nil, err
		}
		files = append(files, r, w)
	}
	p.in, p.out, p.err = files[1], files[2], files[4]
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = files[0], files[3], files[5]
	return []*os.File{files[0], files[3], files[5]}, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}

// run starts the process and waits for it, both on one thread: Linux takes the
// end of the thread that started a process for the end of its parent.
func (p *child) run(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	p.failure = p.cmd.Wait()
	offspring.Kill(p.cmd.Process) // nothing that it started stays behind
	close(p.over)
}

func (p *child) stdout() io.Reader      { return p.out }
func (p *child) stderr() io.Reader      { return p.err }
func (p *child) ended() <-chan struct{} { return p.over }
func (p *child) interrupt()             { offspring.Interrupt(p.cmd.Process) }
func (p *child) kill()                  { offspring.Kill(p.cmd.Process) }

func (p *child) fate() string {
	if p.failure == nil {
		return ""
	}
	return p.failure.Error()
}

// drainTime is how long output may come after the end of a process: one that
// it started, and that left its group, may hold the streams open.
const drainTime = 500 * time.Millisecond

func (p *child) release(readers *sync.WaitGroup) {
	_ = p.in.Close()
	for _, f := range []*os.File{p.out, p.err} {
		if err := f.SetReadDeadline(time.Now().Add(drainTime)); err != nil {
			_ = f.Close() // the system knows no deadlines: what is left is lost
		}
	}
	readers.Wait()
	closeAll([]*os.File{p.out, p.err})
}
