package fakeplugin

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"time"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// stay is how long a process stays that has nothing to do. No test takes as
// long, and none leaves a process for good.
const stay = time.Minute

// Run runs the plugin to its end and returns its exit code.
func (p *Plugin) Run() int {
	p.noteStart()
	switch p.mode {
	case Exit:
		fmt.Fprintln(p.Stderr, "fake: the moon is in the wrong phase")
		return 3
	case Silent, linger:
		time.Sleep(stay)
	case Garbage:
		fmt.Fprintln(p.Stdout, "hello, this is \x1b[31mno\x1b[0m port")
		time.Sleep(stay)
	case BadPort:
		fmt.Fprintln(p.Stdout, "70000")
		time.Sleep(stay)
	case HalfLine:
		fmt.Fprint(p.Stdout, "12")
	case Endless:
		p.flood(p.Stdout, strings.Repeat("9", 4096))
	case ClosedStdout:
		_ = p.Stdout.Close()
		time.Sleep(stay)
	case DeadPort:
		fmt.Fprintln(p.Stdout, deadPort())
		time.Sleep(stay)
	default:
		return p.work()
	}
	return 0
}

// noteStart adds a line to FAKE_STARTS.
func (p *Plugin) noteStart() {
	file := os.Getenv("FAKE_STARTS")
	if file == "" || p.mode == linger {
		return
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	fmt.Fprintln(f, p.Name)
}

// deadPort is a port that was free a moment ago.
func deadPort() int {
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it is closed at once
	if err != nil {
		return 1
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func (p *Plugin) flood(f *os.File, text string) {
	for {
		if _, err := fmt.Fprint(f, text); err != nil {
			return
		}
	}
}

// work is what a plugin does that is one.
func (p *Plugin) work() int {
	if p.Kind == "tool" {
		return p.tool()
	}
	if p.mode == Fork || p.mode == Detach {
		p.leaveChild()
	}
	return p.serve()
}

// leaveChild starts a process that shares the streams of this one.
func (p *Plugin) leaveChild() {
	executable, err := os.Executable()
	if err != nil {
		return
	}
	child := exec.Command(executable) //nolint:noctx // it outlives this process
	child.Args = []string{os.Args[0]}
	child.Env = append(os.Environ(), "FAKE_MODE="+string(linger))
	child.Stdout, child.Stderr = p.Stdout, p.Stderr
	if p.mode == Detach {
		child.SysProcAttr = ownSession()
	}
	if err := child.Start(); err != nil {
		fmt.Fprintln(p.Stderr, "fake:", err)
	}
}

// serve serves the service of the plugin's kind, until it is told to end.
func (p *Plugin) serve() int {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	if p.mode == Stubborn {
		signal.Ignore(os.Interrupt)
	} else {
		ctx, stop = signal.NotifyContext(ctx, os.Interrupt)
		defer stop()
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(p.Stderr, "fake:", err)
		return 1
	}
	server := grpc.NewServer(grpc.UnaryInterceptor(p.misbehave))
	p.register(server)
	fmt.Fprintln(p.Stdout, listener.Addr().(*net.TCPAddr).Port)
	switch p.mode {
	case LatePanic:
		panic("fake: asked to panic")
	case Chatty:
		go p.flood(p.Stderr, strings.Repeat("chatter ", 10)+"\n")
		go p.flood(p.Stdout, strings.Repeat("no end of the line ", 1000))
	}
	go func() {
		<-ctx.Done()
		if p.mode == Patient {
			server.GracefulStop()
		}
		server.Stop()
	}()
	_ = server.Serve(listener) // ends with ctx
	return 0
}

func (p *Plugin) register(server *grpc.Server) {
	switch p.Kind {
	case "resource":
		pulumirpc.RegisterResourceProviderServer(server, &resourceServer{plugin: p})
	case "language":
		pulumirpc.RegisterLanguageRuntimeServer(server, &languageServer{plugin: p})
	case "converter":
		pulumirpc.RegisterConverterServer(server, &converterServer{})
	case "analyzer":
		pulumirpc.RegisterAnalyzerServer(server, &analyzerServer{plugin: p})
	}
}

// misbehave does in a call what the mode says.
func (p *Plugin) misbehave(ctx context.Context, req any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
	method := info.FullMethod[strings.LastIndexByte(info.FullMethod, '/')+1:]
	switch {
	case p.mode == NoHandshake && method == "Handshake":
		return nil, status.Error(codes.Unimplemented, "asked to have no handshake")
	case p.mode == Stubborn && method == "Cancel":
		time.Sleep(stay)
	case method != p.call:
	case p.mode == Crash:
		go func() { panic("fake: asked to panic in " + method) }()
		<-ctx.Done()
	case p.mode == ExitInCall:
		fmt.Fprintf(p.Stderr, "fake: asked to exit in %s\n", method)
		os.Exit(4)
	case p.mode == ExitAloud:
		fmt.Fprintf(p.Stdout, "fake: asked to exit in %s\n", method)
		os.Exit(4)
	case p.mode == Hang:
		<-ctx.Done()
	case p.mode == Unavailable:
		return nil, status.Error(codes.Unavailable, "fake: the cloud is unavailable")
	}
	return handle(ctx, req)
}
