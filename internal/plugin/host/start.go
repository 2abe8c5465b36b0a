package host

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/pulumi/pserve"
)

// contract is what plugins of one kind expect and are expected to do.
type contract struct {
	// args are the arguments after the flags.
	args []string
	env  []string
	dir  string
	// greet makes sure that the plugin answers.
	greet func(context.Context, *grpc.ClientConn) error
	// attach follows greet where the plugin was not started by us; or nil.
	attach func(context.Context, *grpc.ClientConn) error
	// farewell asks the plugin to end; or nil.
	farewell func(context.Context, *grpc.ClientConn) error
}

// Why a start fails.
var (
	errNotAPort = errors.New("not a port")
	errSilent   = errors.New("silent")
	errDeaf     = errors.New("deaf")
)

// start starts what was found, and waits until it answers. ctx ending gives
// the start up; the plugin outlives ctx.
func (h *Host) start(ctx context.Context, found Found, c contract) (*Instance, diag.List) {
	if found.Origin == Attached {
		return h.reach(ctx, found, c)
	}
	return h.open(ctx, found, c)
}

// reach attaches to a plugin that runs already.
func (h *Host) reach(ctx context.Context, found Found, c contract) (*Instance, diag.List) {
	i := &Instance{host: h, found: found}
	err := i.connect(ctx, found.port, c.greet, c.attach)
	if err == nil && !h.adopt(i) {
		err = errHostClosed
	}
	if err != nil {
		_ = i.Close()
		return nil, diag.List{notReached(found, err)}
	}
	return i, nil
}

// open starts what was found.
func (h *Host) open(ctx context.Context, found Found, c contract) (*Instance, diag.List) {
	h.opts.Finder.markUsed(found)
	proc, diags := h.launch(ctx, found, c)
	if diags.HasErrors() {
		return nil, diags
	}
	i, first := newInstance(h, found, proc)
	i.farewell = c.farewell
	err := i.begin(ctx, first, c.greet)
	if err == nil && !h.adopt(i) {
		err = errHostClosed
	}
	if err != nil {
		fate := i.fate(err)
		i.abandon()
		if ctx.Err() != nil {
			return nil, append(diags, interrupted(found, context.Cause(ctx)))
		}
		return nil, append(diags, i.notStarted(err, fate))
	}
	return i, diags
}

// fateTime is how long a process that has closed its stdout, or its
// connection, gets to be seen dead.
const fateTime = time.Second

// fate says how the process ended, where that may be why err came about. It is
// "" where it runs on.
func (i *Instance) fate(err error) string {
	broken := errors.Is(err, io.EOF) || isUnavailable(err)
	if !i.isGone() && !(broken && i.within(fateTime)) {
		return ""
	}
	if fate := i.proc.fate(); fate != "" {
		return fate
	}
	return "exit status 0"
}

// launch starts a process, by itself or through a language plugin.
func (h *Host) launch(ctx context.Context, found Found, c contract) (process, diag.List) {
	cmd := command{path: found.Path, name: found.CalledBy, args: append(h.flags(), c.args...), env: h.opts.Env.renamed(found.mappings).with(c.env...), dir: c.dir}
	if found.manifest != "" {
		guest, diags := h.runByLanguage(ctx, found, cmd)
		return guest, diags
	}
	proc, err := spawn(cmd)
	if err != nil {
		return nil, diag.List{notRunnable(found, cmd, err)}
	}
	return proc, nil
}

// flags are the optional arguments that every plugin takes.
func (h *Host) flags() []string {
	if h.opts.Verbosity == 0 {
		return nil
	}
	return []string{"--logtostderr", fmt.Sprintf("-v=%d", h.opts.Verbosity)}
}

// portLine is the first line of a plugin's stdout, with its end.
type portLine struct {
	text string
	err  error
}

// port reads the line. Sequences by which .NET reports progress to terminals
// that it takes for such are dropped.
func (l portLine) port() (int, error) {
	if l.err != nil && !errors.Is(l.err, bufio.ErrBufferFull) {
		return 0, l.err
	}
	text := strings.NewReplacer("\x1b]9;4;3;\x1b\\", "", "\x1b]9;4;0;\x1b\\", "").Replace(l.text)
	port, err := parsePort(text)
	if err != nil {
		return 0, &notAPluginError{line: printable(l.text)}
	}
	return port, nil
}

// notAPluginError means that a process begins with a line that is no port.
type notAPluginError struct{ line string }

func (e *notAPluginError) Error() string { return fmt.Sprintf("it starts with %q", clip(e.line)) }

// begin waits for the port, connects and greets.
func (i *Instance) begin(ctx context.Context, first <-chan portLine, greet func(context.Context, *grpc.ClientConn) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, i.host.opts.startTimeout(i.found), errSilent)
	defer cancel()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case line := <-first:
		port, err := line.port()
		if err != nil {
			return err
		}
		return i.connect(ctx, port, greet, nil)
	}
}

// Limits of connections.
const (
	connectTime = 10 * time.Second // until the plugin has answered first
	maxMessage  = 400 << 20        // of an answer, in bytes
	window      = 4 << 20          // of what is under way, in bytes; fixed, so that no pings go with it
)

// connect dials a plugin on this machine and makes sure that it answers.
func (i *Instance) connect(ctx context.Context, port int, calls ...func(context.Context, *grpc.ClientConn) error) error {
	i.address = fmt.Sprintf("127.0.0.1:%d", port)
	conn, err := grpc.NewClient("passthrough:///"+i.address, append(i.host.log.trace(i.found),
		grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithNoProxy(),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxMessage), grpc.ForceCodecV2(pserve.ClientCodec())),
		grpc.WithInitialWindowSize(window), grpc.WithInitialConnWindowSize(window),
		grpc.WithUnaryInterceptor(i.unary), grpc.WithStreamInterceptor(i.stream))...)
	if err != nil {
		return err
	}
	i.conn = conn
	ctx, cancel := i.whileRunning(ctx, connectTime)
	defer cancel()
	for _, call := range calls {
		if call == nil {
			continue
		}
		if err := call(ctx, conn); err != nil {
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return errDeaf
			}
			return err
		}
	}
	return nil
}

// abandon ends a plugin that is of no use. It has nothing to lose yet.
func (i *Instance) abandon() {
	i.closing.Store(true)
	if i.conn != nil {
		_ = i.conn.Close()
	}
	i.proc.kill()
	i.within(killTime)
}
