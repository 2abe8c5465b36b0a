package host

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/formation-iac/formation/internal/base/parallel"
)

// Options says what plugins have around them.
type Options struct {
	Finder Finder
	// Env is the environment that plugins inherit, the user's: credentials
	// live there.
	Env Environment
	// WorkDir is where the user is. Converters and tools run there.
	WorkDir string
	// ProjectDir is the directory of the project, in which the other plugins
	// run; "" stands for WorkDir.
	ProjectDir string
	Project    ProjectInfo
	// Broker is the address that serves schemas, mappings and packages to
	// plugins; or "".
	Broker string
	// Verbosity asks plugins to log, from 1 to 11; 0 asks for nothing.
	Verbosity int
	Listener  Listener
	// StartTimeout bounds the time until a plugin tells its port; 0 means a
	// minute, and ten for plugins that a language plugin may have to build.
	StartTimeout time.Duration
	// Grace is how long a plugin gets to end when it is asked to; 0 means 5 s.
	Grace time.Duration
}

func (o Options) grace() time.Duration {
	if o.Grace == 0 {
		return 5 * time.Second
	}
	return o.Grace
}

func (o Options) startTimeout(f Found) time.Duration {
	switch {
	case o.StartTimeout != 0:
		return o.StartTimeout
	case f.manifest != "":
		return 10 * time.Minute
	default:
		return time.Minute
	}
}

func (o Options) projectDir() string {
	if o.ProjectDir == "" {
		return o.WorkDir
	}
	return o.ProjectDir
}

// Host starts plugins and ends them. Its methods may be called concurrently.
type Host struct {
	opts   Options
	engine *engine
	log    *rpcLog // of calls; or nil

	mu        sync.Mutex
	instances map[*Instance]bool
	closed    bool
}

// New makes a host, with an engine that plugins may talk to. Close ends both.
// Where PULUMI_DEBUG_GRPC names a file, all calls of plugins are logged to it.
func New(ctx context.Context, opts Options) (*Host, error) {
	log, err := openRPCLog(opts.Env.Lookup(rpcLogVariable))
	if err != nil {
		return nil, err
	}
	engine, err := serveEngine(ctx, opts.Listener)
	if err != nil {
		return nil, errors.Join(err, log.close())
	}
	return &Host{opts: opts, engine: engine, log: log, instances: map[*Instance]bool{}}, nil
}

// Finder is what the host finds plugins by.
func (h *Host) Finder() Finder { return h.opts.Finder }

// Close ends all plugins that still run, at once, and then the engine. Calls
// in flight fail.
func (h *Host) Close() error {
	h.mu.Lock()
	h.closed = true
	var all []*Instance
	for i := range h.instances {
		all = append(all, i)
	}
	h.mu.Unlock()
	ends := parallel.Map(context.Background(), len(all), all, func(_ context.Context, i *Instance) error { return i.Close() })
	h.engine.stop()
	return errors.Join(append(ends, h.log.close())...)
}

// adopt notes an instance, unless the host is closed.
func (h *Host) adopt(i *Instance) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.closed {
		h.instances[i] = true
	}
	return !h.closed
}

func (h *Host) forget(i *Instance) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.instances, i)
}
