package tfprovider

import (
	"context"
	"errors"

	"github.com/formation-iac/formation/internal/base/diag"
)

// KeptSchema says what a schema counts for that an earlier process of the same
// binary gave. The binary alone does not make it: with SDKv2 an attribute is
// required until a variable of the environment has a default for it, and some
// providers let a variable say what is sensitive.
type KeptSchema int

const (
	// KeptTrusted takes a kept schema for that of the process, which is asked
	// nothing.
	KeptTrusted KeptSchema = iota
	// KeptConfirmed goes by a kept schema, while the process is asked beside
	// other work whether it is its own; see [Provider.Confirm].
	KeptConfirmed
	// KeptHere trusts what a process gave in the very environment that it would
	// have now, and asks first in any other.
	KeptHere
	// KeptIgnored asks the process first.
	KeptIgnored
)

// inquiry asks a process for its schema while others call it. Err is of the
// call that is named by rpc, and may be read once done is closed.
type inquiry struct {
	done chan struct{}
	rpc  string
	err  error
}

var errSchemaChanged = errors.New("the schema is another one than what was kept")

// toConfirm is the kept schema that no process has confirmed yet, or nil. It is
// confirmed once: of a provider whose processes differ in one environment, none
// is more right than another.
func (c *client) toConfirm() *schemaIndex {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.unconfirmed
}

// prepareConfirmation has a fresh process asked about a kept schema. Only one
// that relies on being asked is waited for.
func (c *client) prepareConfirmation(ctx context.Context, s *session, kept *schemaIndex) diag.List {
	s.inquiry = &inquiry{done: make(chan struct{})}
	go c.inquire(context.WithoutCancel(ctx), s, kept) // until the session ends
	if kept.capabilities.GetProviderSchemaOptional {
		return nil
	}
	rpc, err := s.inquiry.wait(ctx)
	return c.unprepared(ctx, s, rpc, err)
}

// inquire compares the schema of a process with a kept one. What it took of
// the process's memory is no growth.
func (c *client) inquire(ctx context.Context, s *session, kept *schemaIndex) {
	defer close(s.inquiry.done)
	var answer cachedSchema
	answer, s.inquiry.rpc, s.inquiry.err = askSchema(ctx, s)
	if s.inquiry.err != nil {
		return
	}
	s.size.Store(residentMemory(s.pid))
	answer, _ = c.withoutBadIdentities(answer)
	index, err := newSchemaIndex(s.dialect, answer.response, answer.identities)
	if err != nil || !index.same(kept) {
		s.inquiry.err = c.disown()
		return
	}
	c.mu.Lock()
	c.unconfirmed = nil
	c.mu.Unlock()
}

// disown lets nothing new begin that would go by a schema that is wrong.
func (c *client) disown() error {
	c.supervisor.end(errSchemaChanged)
	return errSchemaChanged
}

func (i *inquiry) wait(ctx context.Context) (rpc string, err error) {
	select {
	case <-i.done:
		return i.rpc, i.err
	case <-ctx.Done():
		return "GetProviderSchema", context.Cause(ctx)
	}
}

// Confirm implements [Provider].
func (c *client) Confirm(ctx context.Context) diag.List {
	if c.toConfirm() == nil {
		return nil
	}
	return c.supervisor.do(ctx, "GetProviderSchema", true, func(ctx context.Context, s *session) error {
		if c.toConfirm() == nil {
			return nil
		}
		_, err := s.inquiry.wait(ctx)
		return err
	})
}
