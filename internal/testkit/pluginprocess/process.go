// Package pluginprocess runs Pulumi resource plugins as processes, as the
// engine does: an address on the command line, a port line back, gRPC, and
// Cancel and an interrupt in the end.
package pluginprocess

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/formation-iac/formation/internal/testkit/monitor"
)

// Options say how a plugin is started. The zero value is usable.
type Options struct {
	// Name is what the program is called by; "" means by its path.
	Name string
	// Args precede the engine's address.
	Args []string
	// Env is added to this process's environment.
	Env []string
	// Dir is the working directory; "" is a directory of the test.
	Dir string
	// Detached starts it without an engine.
	Detached bool
	// Dial is added to the options of the connection.
	Dial []grpc.DialOption
}

// Process is a running plugin, and a client of it.
type Process struct {
	pulumirpc.ResourceProviderClient
	// Engine is what the plugin talks back to.
	Engine *monitor.Monitor

	cmd    *exec.Cmd
	conn   *grpc.ClientConn
	stderr *text
	ended  chan struct{} // closed when the process is reaped
	err    error         // how it ended
}

// maxMessage is the engine's limit, in bytes.
const maxMessage = 400 << 20

// patience bounds what a plugin may take to begin and to end.
const patience = 30 * time.Second

// Start runs the plugin at path until the test ends, in an orderly way.
func Start(t testing.TB, path string, opts Options) *Process {
	t.Helper()
	p := &Process{Engine: monitor.Start(t, nil), stderr: &text{}, ended: make(chan struct{})}
	args := opts.Args
	if !opts.Detached {
		args = append(args[:len(args):len(args)], p.Engine.Target())
	}
	p.cmd = exec.CommandContext(context.WithoutCancel(t.Context()), path, args...)
	if opts.Name != "" {
		p.cmd.Args[0] = opts.Name
	}
	p.cmd.Env = append(os.Environ(), opts.Env...)
	p.cmd.Dir = opts.Dir
	if p.cmd.Dir == "" {
		p.cmd.Dir = t.TempDir()
	}
	p.cmd.Stderr = p.stderr
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.End(); err != nil {
			t.Errorf("the plugin did not end well: %v\n%s", err, p.Stderr())
		}
	})
	port, err := bufio.NewReader(stdout).ReadString('\n')
	go p.reap(stdout)
	if err != nil {
		<-p.ended
		t.Fatalf("no port line: %v\n%s", err, p.Stderr())
	}
	dial := append(opts.Dial[:len(opts.Dial):len(opts.Dial)],
		grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxMessage)))
	p.conn, err = grpc.NewClient("127.0.0.1:"+strings.TrimSpace(port), dial...)
	if err != nil {
		t.Fatal(err)
	}
	p.ResourceProviderClient = pulumirpc.NewResourceProviderClient(p.conn)
	return p
}

func (p *Process) reap(stdout io.Reader) {
	_, _ = io.Copy(io.Discard, stdout)
	p.err = p.cmd.Wait()
	close(p.ended)
}

// Stderr is what the process wrote there so far.
func (p *Process) Stderr() string { return p.stderr.String() }

// Pid is the process's ID.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Ended is closed when the process has ended.
func (p *Process) Ended() <-chan struct{} { return p.ended }

// Kill ends the process at once.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill()
	<-p.ended
	p.err = nil // it was told to
}

// errStuck says that a plugin had to be killed.
var errStuck = errors.New("it was interrupted and did not end")

// End ends the process as the engine does. Where it has ended already, End
// says how. It may be called again.
func (p *Process) End() error {
	select {
	case <-p.ended:
		return p.err
	default:
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if p.conn != nil {
		_, _ = p.Cancel(ctx, &emptypb.Empty{}) // advisory
		_ = p.conn.Close()
	}
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	select {
	case <-p.ended:
		return p.err
	case <-ctx.Done():
		p.Kill()
		return errStuck
	}
}

// text is a buffer that may be written and read at the same time.
type text struct {
	mu sync.Mutex
	b  strings.Builder
}

// Write implements io.Writer.
func (s *text) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

// String is what was written so far.
func (s *text) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
