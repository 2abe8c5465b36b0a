package tfprovider

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/formation-iac/formation/internal/base/diag"
)

// supervisor keeps one process running for many concurrent calls.
//
// When the process dies, every call in flight dies with it, and only one of
// them is to blame. So each is tried once more, alone: the gate is held
// shared by ordinary calls and exclusively by such a second try. The
// culprit ends its process again and fails; the others succeed.
//
// Lists stay outside of the gate, because their callers make other calls
// between two events. A second try that had a list beside it is therefore
// repeated: it may have died of the list.
type supervisor struct {
	config Config
	// prepare readies a new process for calls: its schema, its configuration.
	prepare func(context.Context, *session) diag.List

	gate *semaphore.Weighted
	turn *semaphore.Weighted // of whoever starts or ends a process

	closing context.Context // ends when nothing new may begin; its cause says why
	end     context.CancelCauseFunc

	ending sync.WaitGroup // of processes that others took the place of

	mu      sync.Mutex // guards the fields below
	current *session
	running int
	held    int // what lives in the current process between calls
}

// everyone is the weight that no other holder of a semaphore stands beside.
const everyone = math.MaxInt64

func newSupervisor(config Config, prepare func(context.Context, *session) diag.List) *supervisor {
	config.Renewal = config.Renewal.withDefaults()
	v := &supervisor{
		config: config, prepare: prepare,
		gate: semaphore.NewWeighted(everyone), turn: semaphore.NewWeighted(1),
	}
	v.closing, v.end = context.WithCancelCause(context.Background())
	return v
}

// rpc is one call against one process. It returns the transport's error.
type rpc func(ctx context.Context, s *session) error

// attempt is what became of one call against one process.
type attempt struct {
	session *session  // nil where there is no process to call
	diags   diag.List // of starting it
	err     error     // the transport's
	crashed bool      // the process ended meanwhile
	company bool      // a list ran beside
}

// do makes one call. A retriable call that dies of a crash of the process
// is tried once more, alone.
func (v *supervisor) do(ctx context.Context, name string, retriable bool, call rpc) diag.List {
	if err := v.gate.Acquire(ctx, 1); err != nil {
		return diag.List{interrupted(v.config.Name, context.Cause(ctx))}
	}
	a := v.once(ctx, false, call)
	v.gate.Release(1)
	if a.crashed && retriable {
		return append(a.diags, v.doAlone(ctx, name, false, call)...)
	}
	v.renewGrown(ctx, a.session)
	return append(a.diags, v.explain(ctx, name, a)...)
}

// maxAlone bounds how often a second try is repeated for having had company.
const maxAlone = 4

// doAlone makes one call while no other runs.
func (v *supervisor) doAlone(ctx context.Context, name string, list bool, call rpc) diag.List {
	if err := v.gate.Acquire(ctx, everyone); err != nil {
		return diag.List{interrupted(v.config.Name, context.Cause(ctx))}
	}
	defer v.gate.Release(everyone)
	a := v.once(ctx, list, call)
	for n := 1; n < maxAlone && a.crashed && a.company; n++ {
		a = v.once(ctx, list, call)
	}
	return append(a.diags, v.explain(ctx, name, a)...)
}

func (v *supervisor) once(ctx context.Context, list bool, call rpc) attempt {
	s, diags := v.acquire(ctx)
	if s == nil {
		return attempt{diags: diags}
	}
	defer v.release()
	a := attempt{session: s, diags: diags}
	a.company, a.err = s.accompanied(ctx, list, call)
	a.crashed = s.died(ctx, a.err)
	return a
}

// acquire returns the running process, starting one where there is none.
// Callers wait for each other's start, and for nothing when their ctx ends.
func (v *supervisor) acquire(ctx context.Context) (*session, diag.List) {
	if v.turn.Acquire(ctx, 1) != nil {
		return nil, diag.List{interrupted(v.config.Name, context.Cause(ctx))}
	}
	defer v.turn.Release(1)
	s, _ := v.live()
	var diags diag.List
	switch {
	case v.closing.Err() != nil:
		return nil, diag.List{v.refusal()}
	case s == nil || s.over():
		if s != nil {
			s.end()
		}
		s, diags = v.renew(ctx)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.current = s; s != nil {
		v.running++
	}
	return s, diags
}

// renew starts a process and readies it, unless ctx or the supervisor ends.
func (v *supervisor) renew(ctx context.Context) (*session, diag.List) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(v.closing, cancel)()
	s, diags := start(ctx, v.config)
	if s != nil {
		diags = append(diags, v.prepare(ctx, s)...)
		if !diags.HasErrors() {
			s.size.Store(residentMemory(s.pid))
			return s, diags
		}
		s.kill() // it has nothing to lose yet
		s.end()
	}
	if v.closing.Err() != nil {
		return nil, diag.List{v.refusal()}
	}
	return nil, diags
}

// shut lets nothing new begin.
func (v *supervisor) shut() { v.end(context.Canceled) }

// refusal is why nothing new may begin.
func (v *supervisor) refusal() *diag.Diagnostic {
	if errors.Is(context.Cause(v.closing), errSchemaChanged) {
		return schemaChanged(v.config.Name)
	}
	return closed(v.config.Name)
}

func (v *supervisor) release() {
	v.mu.Lock()
	v.running--
	v.mu.Unlock()
}

// explain turns a transport error into what the user should know.
func (v *supervisor) explain(ctx context.Context, name string, a attempt) diag.List {
	switch {
	case a.err == nil:
		return nil
	case v.closing.Err() != nil:
		return diag.List{v.refusal()}
	case ctx.Err() != nil:
		return diag.List{interrupted(v.config.Name, context.Cause(ctx))}
	case status.Code(a.err) == codes.Unimplemented:
		return diag.List{unsupported(v.config.Name, name)}
	case a.crashed:
		return diag.List{crashed(v.config.Name, name, a.session.stderr.String())}
	default:
		return diag.List{failedCall(v.config.Name, name, a.err)}
	}
}

// live returns the running process, or nil.
func (v *supervisor) live() (s *session, busy bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.current, v.running > 0
}

// idle waits until no call runs or ctx ends.
func (v *supervisor) idle(ctx context.Context) {
	const step = 5 * time.Millisecond
	for _, busy := v.live(); busy && ctx.Err() == nil; _, busy = v.live() {
		time.Sleep(step)
	}
}

// close ends the process. Later calls are refused, and starts given up.
func (v *supervisor) close() {
	v.shut()
	if v.turn.Acquire(context.Background(), 1) != nil {
		return // never: nothing ends that context
	}
	defer v.turn.Release(1)
	v.mu.Lock()
	s := v.current
	v.current = nil
	v.mu.Unlock()
	if s != nil {
		s.end()
	}
	v.ending.Wait()
}
