package tfprovider

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"slices"
	"time"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/lastwords"
	"github.com/formation-iac/formation/internal/base/offspring"
)

// Config says which provider to launch and how.
type Config struct {
	// Name stands for the provider in messages: its address, or its path.
	Name string
	// Path is the executable. Args are passed to it.
	Path string
	Args []string
	// Env is the whole environment of the process, as "key=value".
	// Providers inherit the user's: their credentials live there.
	Env []string
	// Stderr gets what the provider writes there. May be nil.
	Stderr io.Writer
	// CacheFile is where the schema of exactly this binary is kept between
	// runs; "" keeps none. Two binaries must never share one.
	CacheFile string
	// Kept says what the schema in CacheFile counts for.
	Kept KeptSchema
	// Reattach connects to a process that runs already, in place of Path.
	Reattach *Reattach
	// StartTimeout bounds the handshake; 0 means a minute.
	StartTimeout time.Duration
	// Renewal says when a process that has grown is replaced.
	Renewal Renewal
	// Recall has the process not asked twice, word for word, for what it has
	// answered with "fine": that a resource's configuration is valid, and that
	// a plan changes nothing. All else is asked again, answers with warnings
	// included, and everything once it is configured anew: what was said under
	// another configuration says nothing. It is for a work that ends with the
	// questions that it has asked before.
	Recall bool
}

func (c Config) startTimeout() time.Duration {
	if c.StartTimeout == 0 {
		return time.Minute
	}
	return c.StartTimeout
}

// errSilent is why a start ends that took longer than StartTimeout.
var errSilent = errors.New("it runs, and says nothing that a client could connect to")

// connPlugin hands the bare connection through go-plugin.
type connPlugin struct {
	goplugin.NetRPCUnsupportedPlugin
}

// GRPCClient implements goplugin.GRPCPlugin.
func (connPlugin) GRPCClient(_ context.Context, _ *goplugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return conn, nil
}

// GRPCServer implements goplugin.GRPCPlugin; a client never serves.
func (connPlugin) GRPCServer(*goplugin.GRPCBroker, *grpc.Server) error {
	return errors.New("a client of providers serves none")
}

// start launches the process, or reaches the one that runs, and waits until
// it can be called. Ctx ending gives it up; the process outlives ctx.
func start(ctx context.Context, config Config) (*session, diag.List) {
	ctx, cancel := context.WithTimeoutCause(ctx, config.startTimeout(), errSilent)
	defer cancel()
	connect := launch
	if config.Reattach != nil {
		connect = attach
	}
	s, err := connect(ctx, config)
	switch cause := context.Cause(ctx); {
	case err == nil:
		return s, nil
	case errors.Is(cause, errSilent):
		return nil, diag.List{startFailed(config, cause, s.stderr.String())}
	case cause != nil:
		return nil, diag.List{interrupted(config.Name, cause)}
	default:
		return nil, diag.List{startFailed(config, err, s.stderr.String())}
	}
}

// launch starts the process. Its session is never nil, and has ended where
// there is an error.
func launch(ctx context.Context, config Config) (*session, error) {
	life, kill := context.WithCancel(context.WithoutCancel(ctx))
	s := &session{kill: kill, stderr: &lastwords.Tail{Also: config.Stderr, Quotable: withoutChatter}}
	if err := checkExecutable(config.Path); err != nil {
		kill()
		return s, err
	}
	cmd := exec.CommandContext(life, config.Path, config.Args...)
	identity, entry, err := clientIdentity()
	if err != nil {
		kill()
		return s, err
	}
	s.socket, err = makeSocketDir(config.Env)
	if err != nil {
		kill()
		return s, err
	}
	cmd.Env, cmd.SysProcAttr = slices.Concat(config.Env, []string{entry}, s.socket.env()), offspring.Child()
	s.client = goplugin.NewClient(clientConfig(cmd, identity, config.startTimeout(), s.stderr))
	go expectCertificate()
	err = s.dial(ctx, life)
	if err != nil {
		kill() // there is nobody to ask politely
		s.end()
	}
	return s, err
}

func clientConfig(cmd *exec.Cmd, identity *tls.Config, timeout time.Duration, stderr io.Writer) *goplugin.ClientConfig {
	versions := map[int]goplugin.PluginSet{}
	for version := range dialects() {
		versions[version] = goplugin.PluginSet{"provider": connPlugin{}}
	}
	return &goplugin.ClientConfig{
		HandshakeConfig: goplugin.HandshakeConfig{
			MagicCookieKey:   "TF_PLUGIN_MAGIC_COOKIE",
			MagicCookieValue: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
		},
		Cmd:              cmd,
		SkipHostEnv:      true,
		TLSConfig:        identity,
		VersionedPlugins: versions,
		AllowedProtocols: []goplugin.Protocol{goplugin.ProtocolGRPC},
		StartTimeout:     2 * timeout, // ours ends the wait
		Logger:           hclog.NewNullLogger(),
		Stderr:           stderr,
		SyncStdout:       io.Discard,
		SyncStderr:       stderr,
		GRPCDialOptions:  dialOptions(),
	}
}

// maxMessage bounds one gRPC message, in bytes. The largest providers have
// schemas of tens of megabytes.
const maxMessage = 512 << 20

// window is how many bytes of a provider's answers may be under way, on one
// stream and on all of them. Where it is fixed, the transport does not send
// pings along with the answers to find a good one.
const window = 4 << 20

func dialOptions() []grpc.DialOption {
	return []grpc.DialOption{
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxMessage), grpc.MaxCallSendMsgSize(maxMessage)),
		grpc.WithInitialWindowSize(window), grpc.WithInitialConnWindowSize(window),
		grpc.WithDisableRetry(), // the supervisor decides what is tried again
		grpc.WithIdleTimeout(0), // a connection that was left could not be made again: see socketDir
	}
}

// dial starts the process and does the handshake, giving up when ctx ends.
// go-plugin holds its lock until the process has spoken, so giving up means
// ending the process. Its thread is kept until life ends: Linux takes the end of
// the thread that started a process for the end of its parent.
func (s *session) dial(ctx, life context.Context) error {
	done := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		done <- s.handshake()
		<-life.Done()
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (s *session) handshake() error {
	protocol, err := s.client.Client()
	if err != nil {
		return err
	}
	raw, err := protocol.Dispense("provider")
	if err != nil {
		return err
	}
	conn, ok := raw.(*grpc.ClientConn)
	if !ok {
		return fmt.Errorf("the plugin answers %T in place of a gRPC connection", raw)
	}
	s.conn, s.dialect = conn, dialects()[s.client.NegotiatedVersion()]
	if running := s.client.ReattachConfig(); running != nil {
		s.pid = running.Pid
	}
	if conn.GetState() == connectivity.Ready {
		s.socket.remove() // should we be killed, nobody else would
	}
	return nil
}
