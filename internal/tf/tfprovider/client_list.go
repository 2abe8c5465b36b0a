package tfprovider

import (
	"context"
	"errors"
	"io"
	"iter"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfschema"
	"github.com/formation-iac/formation/internal/tf/wire"
)

// ListResource implements [Provider]. Events reach the caller as the
// provider sends them, without any lock held. Where a crash breaks the
// stream the list is made again, alone, and goes on with what is new.
func (c *client) ListResource(ctx context.Context, r ListRequest) iter.Seq[ListEvent] {
	return func(yield func(ListEvent) bool) {
		l, diags := c.newLister(ctx, r)
		if diags.HasErrors() {
			yield(ListEvent{Diagnostics: diags})
			return
		}
		l.yield = yield
		a := c.supervisor.once(ctx, true, l.run)
		switch {
		case errors.Is(a.err, errStopped):
			return
		case a.crashed:
			l.again(ctx)
			return
		}
		if diags := append(a.diags, c.supervisor.explain(ctx, l.b.rpc, a)...); len(diags) > 0 {
			yield(ListEvent{Diagnostics: diags})
		}
	}
}

// lister makes one list.
type lister struct {
	c       *client
	b       *batch
	request []byte
	limit   int64
	yield   func(ListEvent) bool
	// sent counts the events that were handed on, by what they identify.
	sent  map[string]bool
	count int64
}

// unlimited stands for no limit. Providers of the framework take 0 as
// "none": ask for more than any account holds.
const unlimited = 1 << 53

func (c *client) newLister(ctx context.Context, r ListRequest) (*lister, diag.List) {
	config, _, diags := c.encodeBlock(ctx, tfschema.KindList, r.TypeName, r.Config)
	b := c.newBatch(ctx, "ListResource", r.TypeName)
	if diags = append(diags, b.diags...); diags.HasErrors() {
		return nil, diags
	}
	limit := r.Limit
	if limit == 0 {
		limit = unlimited
	}
	request, err := proto.Marshal(&wire.ListResourceRequest{
		TypeName: r.TypeName, Config: config, IncludeResourceObject: r.IncludeObject, Limit: limit,
	})
	if err != nil {
		return nil, diag.List{unsendable(c.name, "the request "+b.rpc, err)}
	}
	return &lister{c: c, b: b, request: request, limit: limit, sent: map[string]bool{}}, diags
}

// run streams one list. Ending it early ends the provider's work on it.
func (l *lister) run(ctx context.Context, s *session) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := s.conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, s.dialect.methods.ListResource,
		grpc.ForceCodecV2(rawCodec{}))
	if err != nil {
		return err
	}
	// EOF says that the stream is broken; receiving says why.
	if err := stream.SendMsg(l.request); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if err := stream.CloseSend(); err != nil {
		return err
	}
	for l.count < l.limit {
		var data []byte
		switch err := stream.RecvMsg(&data); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case !l.take(data):
			return errStopped
		}
	}
	return nil
}

// take hands on one event unless it was handed on before a crash. Events
// that identify nothing do not count towards the limit.
func (l *lister) take(data []byte) (more bool) {
	var event wire.ListResourceEvent
	if err := proto.Unmarshal(data, &event); err != nil {
		return l.yield(ListEvent{Diagnostics: diag.List{malformed(l.c.name, l.b.rpc, err)}})
	}
	if event.GetIdentity() != nil {
		key := identityKey(event.GetIdentity())
		if l.sent[key] {
			return true
		}
		l.sent[key] = true
		l.count++
	}
	return l.yield(l.event(&event))
}

// identityKey is an identity's encoding: the same provider writes the same
// identity in the same way.
func identityKey(identity *wire.ResourceIdentityData) string {
	v := identity.GetIdentityData()
	return string(v.GetMsgpack()) + "\x00" + string(v.GetJson())
}

// again runs the list while no other call does, and only then hands on its
// events: the caller may make calls of its own between two of them.
func (l *lister) again(ctx context.Context) {
	var events []ListEvent
	yield := l.yield
	l.yield = func(e ListEvent) bool { events = append(events, e); return true }
	if diags := l.c.supervisor.doAlone(ctx, l.b.rpc, true, l.run); len(diags) > 0 {
		events = append(events, ListEvent{Diagnostics: diags})
	}
	for _, e := range events {
		if !yield(e) {
			return
		}
	}
}

func (l *lister) event(e *wire.ListResourceEvent) ListEvent {
	out := ListEvent{DisplayName: printable(e.GetDisplayName()), Diagnostics: l.c.said(e.GetDiagnostic(), l.b.state)}
	identity, diags := l.c.decodeIdentity(l.b.rpc, e.GetIdentity(), l.b.identity)
	out.Identity, out.Diagnostics = identity, append(out.Diagnostics, diags...)
	if e.GetResourceObject() != nil {
		object, diags := l.c.decode(l.b.rpc, e.GetResourceObject(), l.b.state)
		out.Object, out.Diagnostics = object, append(out.Diagnostics, diags...)
	}
	return out
}
