package host

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/offspring"
	"github.com/formation-iac/formation/internal/plugin"
)

// Streams are the standard streams of a tool. A stdin that is a terminal is
// the tool's while it runs. In may be nil.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Run runs a plugin to its end with a user's arguments, where the user is, and
// returns its exit code. Plugins of every kind can be run so; what makes sense
// is a tool. ctx ending asks it to end, and kills it when it does not.
func (h *Host) Run(ctx context.Context, kind plugin.Kind, w Wanted, args []string, streams Streams) (code int, diags diag.List) {
	found, diags := h.opts.Finder.Find(kind, w)
	if diags.HasErrors() {
		return 0, diags
	}
	h.opts.Finder.markUsed(found)
	cmd := command{path: found.Path, args: args, env: h.opts.Env.with(), dir: h.opts.WorkDir}
	if h.opts.Broker != "" {
		cmd.env = cmd.env.with("PULUMI_RPC_TARGET=" + h.opts.Broker)
	}
	if found.manifest != "" {
		code, more := h.runGuest(ctx, found, cmd, streams)
		return code, append(diags, more...)
	}
	code, err := h.runTool(ctx, cmd, streams)
	switch {
	case ctx.Err() != nil:
		diags = append(diags, interrupted(found, context.Cause(ctx)))
	case err != nil:
		diags = append(diags, notRunnable(found, cmd, err))
	}
	return code, diags
}

// runTool runs an executable with our own streams.
func (h *Host) runTool(ctx context.Context, c command, streams Streams) (int, error) {
	cmd := exec.CommandContext(ctx, c.path, c.args...)
	cmd.Env, cmd.Dir = c.env, c.dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr = streams.In, streams.Out, streams.Err
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = h.opts.grace()
	if !isTerminal(streams.In) { // a group of its own could not read from a terminal
		cmd.SysProcAttr = offspring.Group()
		cmd.Cancel = func() error {
			offspring.Interrupt(cmd.Process)
			return nil
		}
	}
	runtime.LockOSThread() // as for every child: see child.run
	defer runtime.UnlockOSThread()
	err := cmd.Run()
	if cmd.Process != nil && cmd.SysProcAttr != nil {
		offspring.Kill(cmd.Process)
	}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return exit.ExitCode(), nil
	case errors.Is(err, exec.ErrWaitDelay):
		return 0, nil // what it left behind held its output open
	}
	return 0, err
}

func isTerminal(r io.Reader) bool {
	f, ok := r.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// runGuest runs a directory through its language plugin, which passes no stdin
// on.
func (h *Host) runGuest(ctx context.Context, found Found, c command, streams Streams) (int, diag.List) {
	g, diags := h.runByLanguage(ctx, found, c)
	if diags.HasErrors() {
		return 0, diags
	}
	var readers sync.WaitGroup
	readers.Go(func() { passOn(streams.Out, g.out) })
	readers.Go(func() { passOn(streams.Err, g.err) })
	defer context.AfterFunc(ctx, func() { h.stop(g) })()
	<-g.ended()
	g.release(&readers)
	switch {
	case ctx.Err() != nil:
		diags = append(diags, interrupted(found, context.Cause(ctx)))
	case g.failure != "" && g.code == 0:
		diags = append(diags, guestFailed(found, g.failure))
	}
	return g.code, diags
}

// passOn copies what comes from a plugin. It reads to the end even where
// nobody takes it, or the plugin would wait for ever.
func passOn(to io.Writer, from io.Reader) {
	_, _ = io.Copy(to, from)
	_, _ = io.Copy(io.Discard, from)
}

// stop ends a process, politely for as long as the grace.
func (h *Host) stop(p process) {
	p.interrupt()
	select {
	case <-p.ended():
	case <-time.After(h.opts.grace()):
		p.kill()
	}
}
