package tfprovider

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/status"

	"github.com/formation-iac/formation/internal/base/lastwords"
)

// session is one process and its connection, from handshake to end.
type session struct {
	client  *goplugin.Client // nil where the process is not ours
	conn    *grpc.ClientConn
	dialect dialect
	stderr  *lastwords.Tail
	socket  socketDir
	// kill ends a process of ours at once.
	kill context.CancelFunc
	// pid is that of a process of ours, size its memory in bytes when it was
	// ready, and served the calls since then.
	pid    int
	size   atomic.Int64
	served atomic.Int64
	// inquiry is under way where the process is to confirm a schema, or nil.
	inquiry *inquiry

	// lost is set when the connection is gone though no process was seen to
	// end.
	lost    atomic.Bool
	streams streams
}

// over reports whether the session can answer no more.
func (s *session) over() bool {
	return s.lost.Load() || s.client != nil && s.client.Exited()
}

// endGrace is how long a process gets to end when it is asked to, on top of
// the two seconds that go-plugin gives.
const endGrace = 3 * time.Second

// end closes the connection and ends a process of ours. It returns when the
// process is gone, and its socket.
func (s *session) end() {
	defer s.socket.remove()
	defer s.kill()
	if s.client == nil {
		_ = s.conn.Close() // fails only where it is closed already
		return
	}
	timer := time.AfterFunc(endGrace, s.kill)
	defer timer.Stop()
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.client.Kill()
	}()
	select {
	case <-done:
	case <-time.After(2 * endGrace): // a child of the process holds its pipes
	}
}

// died reports whether a call's error came of the end of the process. The
// transport breaks a moment before the process is reaped, so an unavailable
// peer gets a short grace to be seen dead.
func (s *session) died(ctx context.Context, err error) bool {
	if err == nil || ctx.Err() != nil {
		return false
	}
	if status.Code(err) != codes.Unavailable {
		return s.over()
	}
	const grace, settled, step = 2 * time.Second, 100 * time.Millisecond, 5 * time.Millisecond
	for waited := time.Duration(0); waited < grace && !s.over(); waited += step {
		if waited >= settled && s.conn.GetState() == connectivity.Ready {
			return false // the provider itself says that something is unavailable
		}
		time.Sleep(step)
	}
	if !s.over() {
		s.lost.Store(true)
		return s.client == nil // of another's process the connection is all we see
	}
	return true
}

// invoke makes a unary call with messages in their encoded form.
func (s *session) invoke(ctx context.Context, method string, request []byte) ([]byte, error) {
	var out []byte
	err := s.conn.Invoke(ctx, method, request, &out, grpc.ForceCodecV2(rawCodec{}))
	return out, err
}

// accompanied makes a call and reports whether a list ran beside it. The
// caller of a list may leave it by a panic.
func (s *session) accompanied(ctx context.Context, list bool, call rpc) (company bool, err error) {
	mark := s.streams.enter(list)
	defer func() { company = s.streams.leave(mark) }()
	return false, call(ctx, s)
}

// streams counts the lists of a session: they are the calls that the gate
// does not keep apart from others.
type streams struct {
	mu           sync.Mutex
	open, opened int
}

// streamMark is what there was when a call began.
type streamMark struct {
	list         bool
	beside, seen int
}

// enter begins a call, which may itself be a list.
func (c *streams) enter(list bool) streamMark {
	c.mu.Lock()
	defer c.mu.Unlock()
	mark := streamMark{list: list, beside: c.open}
	if list {
		c.open++
		c.opened++
	}
	mark.seen = c.opened
	return mark
}

// leave ends a call and reports whether a list ran beside it.
func (c *streams) leave(mark streamMark) (company bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if mark.list {
		c.open--
	}
	return mark.beside > 0 || c.opened != mark.seen
}

// errStopped says that the caller of a list wants no more events.
var errStopped = errors.New("stopped")
