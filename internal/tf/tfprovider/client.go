package tfprovider

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/zclconf/go-cty/cty"
	"google.golang.org/protobuf/proto"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfschema"
	"github.com/formation-iac/formation/internal/tf/wire"
)

// clientVersion is the Terraform release whose protocol this client speaks;
// providers see it in ConfigureProvider and in their user agents.
const clientVersion = "1.14.0"

// client is a [Provider] over a supervised process.
type client struct {
	name       string
	supervisor *supervisor
	recall     *recall

	mu        sync.Mutex
	catalog   *tfschema.Catalog
	protocol  int // that the catalog was written in
	cacheFile string
	kept      KeptSchema
	env       []string
	// unconfirmed is the kept schema that the process has yet to confirm.
	unconfirmed *schemaIndex
	configured  *wire.ConfigureProviderRequest
}

var _ Provider = (*client)(nil)

// Launch returns the provider that config names. The process starts with
// the first call that needs it; see [Provider.Schema] for one that may not.
func Launch(config Config) Provider {
	c := &client{name: config.Name, cacheFile: config.CacheFile, kept: config.Kept, env: config.Env}
	if config.Recall {
		c.recall = newRecall()
	}
	c.supervisor = newSupervisor(config, c.prepare)
	return c
}

// invoke makes one unary call. What resp holds is to be used only where the
// returned list has no errors.
func invoke(ctx context.Context, c *client, name string, method func(wire.Methods) string, retriable bool, req, resp proto.Message) diag.List {
	request, err := proto.Marshal(req)
	if err != nil {
		return diag.List{unsendable(c.name, "the request "+name, err)}
	}
	var answer []byte
	diags := c.supervisor.do(ctx, name, retriable, func(ctx context.Context, s *session) (err error) {
		answer, err = s.invoke(ctx, method(s.dialect.methods), request)
		return err
	})
	if diags.HasErrors() {
		return diags
	}
	if err := proto.Unmarshal(answer, resp); err != nil {
		proto.Reset(resp)
		return append(diags, malformed(c.name, name, err))
	}
	return diags
}

// Configure implements [Provider].
func (c *client) Configure(ctx context.Context, config cty.Value) diag.List {
	c.recall.forget()
	ty, diags := c.blockType(ctx, tfschema.KindProvider, "")
	if diags.HasErrors() {
		return diags
	}
	value, moreDiags := c.encode("the provider configuration", config, ty)
	if diags = append(diags, moreDiags...); diags.HasErrors() {
		return diags
	}
	req := &wire.ConfigureProviderRequest{
		TerraformVersion: clientVersion, Config: value, ClientCapabilities: capabilities(),
	}
	resp := &wire.Outcome{}
	diags = append(diags, invoke(ctx, c, "ConfigureProvider", func(m wire.Methods) string { return m.ConfigureProvider }, true, req, resp)...)
	diags = append(diags, c.said(resp.GetDiagnostics(), ty)...)
	if !diags.HasErrors() {
		c.mu.Lock()
		c.configured = req
		c.mu.Unlock()
	}
	return diags
}

// prepare readies a fresh process: its schema is asked for where it insists,
// and a configuration given to its predecessor is given again.
func (c *client) prepare(ctx context.Context, s *session) diag.List {
	diags := c.prepareSchema(ctx, s)
	c.mu.Lock()
	req := c.configured
	c.mu.Unlock()
	if diags.HasErrors() || req == nil {
		return diags
	}
	return append(diags, c.reconfigure(ctx, s, req)...)
}

// reconfigure repeats a configuration that was accepted before. Warnings
// were given then.
func (c *client) reconfigure(ctx context.Context, s *session, req *wire.ConfigureProviderRequest) diag.List {
	const rpc = "ConfigureProvider"
	request, err := proto.Marshal(req)
	if err != nil {
		return diag.List{unsendable(c.name, "the request "+rpc, err)}
	}
	answer, err := s.invoke(ctx, s.dialect.methods.ConfigureProvider, request)
	if err != nil {
		return c.unprepared(ctx, s, rpc, err)
	}
	resp := &wire.Outcome{}
	if err := proto.Unmarshal(answer, resp); err != nil {
		return diag.List{malformed(c.name, rpc, err)}
	}
	return c.said(resp.GetDiagnostics(), cty.DynamicPseudoType).Errors()
}

// unprepared explains why a fresh process could not be readied.
func (c *client) unprepared(ctx context.Context, s *session, rpc string, err error) diag.List {
	return c.supervisor.explain(ctx, rpc, attempt{session: s, err: err, crashed: s.died(ctx, err)})
}

// Stop implements [Provider].
func (c *client) Stop(ctx context.Context) error {
	s, _ := c.supervisor.live()
	if s == nil {
		return nil
	}
	resp := &wire.StopResponse{}
	if err := s.conn.Invoke(ctx, s.dialect.methods.StopProvider, &wire.Empty{}, resp); err != nil {
		return err
	}
	if resp.GetError() != "" {
		return errors.New(printable(resp.GetError()))
	}
	return nil
}

// stopGrace is how long a busy provider gets to wind down before its end.
const stopGrace = time.Second

// Close implements [Provider].
func (c *client) Close() error {
	c.supervisor.shut() // nothing new begins
	if _, busy := c.supervisor.live(); busy {
		ctx, cancel := context.WithTimeout(context.Background(), stopGrace)
		defer cancel()
		_ = c.Stop(ctx) // the process ends either way
		c.supervisor.idle(ctx)
	}
	c.supervisor.close()
	return nil
}

// capabilities are what a provider may rely on. Those that are not announced
// have it behave as towards an older client: an answer may not be put off
// (deferral_allowed), nor rest on what an earlier plan of the same change said
// (store_planned_private, of 6.11), nor have blocks that nobody wrote
// (computed_blocks_allowed, of 6.11).
func capabilities() *wire.ClientCapabilities {
	return &wire.ClientCapabilities{WriteOnlyAttributesAllowed: true}
}
