package host

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"

	"github.com/formation-iac/formation/internal/base/lastwords"
	"github.com/formation-iac/formation/internal/plugin"
)

// Instance is a plugin that runs. Its methods may be called concurrently.
type Instance struct {
	host  *Host
	found Found
	proc  process // nil for a plugin that was attached to
	conn  *grpc.ClientConn
	// address is that of conn.
	address string
	// farewell asks the plugin by a call to end; or nil.
	farewell func(context.Context, *grpc.ClientConn) error

	words   lastwords.Tail
	readers sync.WaitGroup
	// gone is closed when the process has ended and its output is read. It is
	// nil for a plugin that was attached to.
	gone chan struct{}

	closing  atomic.Bool
	closes   sync.Once
	closeErr error
}

// newInstance begins to read what a process writes. The first line of its
// stdout is sent on, the others are told to the listener.
func newInstance(h *Host, found Found, proc process) (i *Instance, firstLine <-chan portLine) {
	i = &Instance{host: h, found: found, proc: proc, gone: make(chan struct{})}
	lines := make(chan portLine, 1)
	i.readers.Go(func() {
		eachLine(newLineReader(proc.stderr()), func(line string) { i.hear(true, line) })
	})
	i.readers.Go(func() {
		stdout := newLineReader(proc.stdout())
		line, err := stdout.ReadSlice('\n')
		lines <- portLine{string(line), err}
		eachLine(stdout, func(line string) { i.hear(false, line) })
	})
	go func() {
		<-proc.ended()
		proc.release(&i.readers)
		close(i.gone)
	}()
	return i, lines
}

// hear keeps a line for when the process ends, and hands it on. Some plugins
// write their errors to stdout.
func (i *Instance) hear(stderr bool, line string) {
	fmt.Fprintln(&i.words, line)
	if take := i.host.opts.Listener.Line; take != nil {
		take(Line{Kind: i.found.Kind, Name: i.found.Name, Stderr: stderr, Text: line})
	}
}

// Found is what was started.
func (i *Instance) Found() Found { return i.found }

// Address is where the plugin listens: "127.0.0.1:port".
func (i *Instance) Address() string { return i.address }

// String names the plugin: "resource plugin random".
func (i *Instance) String() string { return title(i.found.Kind, i.found.Name) }

func title(kind plugin.Kind, name string) string { return fmt.Sprintf("%s plugin %s", kind, name) }

// How long a plugin's steps to its end may take.
const (
	farewellTime = 2 * time.Second // for the call that asks it to end
	killTime     = 5 * time.Second // for the system to end it
)

// Close ends the plugin: by a call, by a signal, and if need be by force. It
// returns when nothing of it is left; an error means that something is. One
// that was attached to goes on without us.
func (i *Instance) Close() error {
	i.closes.Do(func() {
		i.closing.Store(true)
		defer i.host.forget(i)
		i.sayFarewell()
		if i.proc != nil {
			i.closeErr = i.end(i.host.opts.grace())
		}
	})
	return i.closeErr
}

func (i *Instance) sayFarewell() {
	if i.conn == nil {
		return // it was never reached
	}
	defer i.conn.Close()
	if i.farewell != nil && !i.isGone() {
		ctx, cancel := i.whileRunning(context.Background(), min(farewellTime, i.host.opts.grace()))
		defer cancel()
		_ = i.farewell(ctx, i.conn) // one that does not answer is ended all the same
	}
}

// end ends the process, politely for as long as grace.
func (i *Instance) end(grace time.Duration) error {
	if !i.isGone() && grace > 0 {
		i.proc.interrupt()
	}
	if i.within(grace) {
		return nil
	}
	i.proc.kill()
	if i.within(killTime) {
		return nil
	}
	return fmt.Errorf("the process of %s did not end", i)
}

// within waits for the end of the process, and reports whether it came.
func (i *Instance) within(patience time.Duration) bool {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-i.gone:
		return true
	case <-timer.C:
		return i.isGone()
	}
}

func (i *Instance) isGone() bool {
	select {
	case <-i.gone:
		return true
	default:
		return false
	}
}

// whileRunning bounds a context by a time and by the life of the process.
func (i *Instance) whileRunning(ctx context.Context, patience time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	go func() {
		select {
		case <-i.gone:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}
