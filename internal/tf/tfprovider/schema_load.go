package tfprovider

import (
	"context"
	"fmt"

	"github.com/zclconf/go-cty/cty"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfschema"
	"github.com/formation-iac/formation/internal/tf/wire"
)

// Schema implements [Provider]. It starts no process where the schema of
// this binary was kept by an earlier run, unless it is to be asked.
func (c *client) Schema(ctx context.Context) (*tfschema.Catalog, diag.List) {
	if catalog, _ := c.known(); catalog != nil {
		return catalog, nil
	}
	// Any call has the schema loaded by prepare; this one does nothing else.
	diags := c.supervisor.do(ctx, "GetProviderSchema", true, func(context.Context, *session) error { return nil })
	catalog, _ := c.known()
	return catalog, diags
}

// known returns the catalog if it is loaded or can be from the cache, and
// the protocol that it is written in.
func (c *client) known() (*tfschema.Catalog, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.catalog == nil && c.cacheFile != "" && c.kept != KeptIgnored {
		index, cached := indexIn(c.cacheFile)
		if index == nil || c.kept == KeptHere && cached.environment != digestEnvironment(c.env) {
			return nil, 0
		}
		c.catalog, c.protocol = tfschema.NewCatalog(index), cached.protocol
		if c.kept == KeptConfirmed {
			c.unconfirmed = index
		}
	}
	return c.catalog, c.protocol
}

// indexIn reads a cache file. One that is missing, broken, blank, or of another
// format gives nil: the provider is asked then, and the file replaced.
func indexIn(file string) (*schemaIndex, cachedSchema) {
	cached, err := loadCachedSchema(file)
	if err != nil {
		return nil, cachedSchema{}
	}
	d, ok := dialects()[cached.protocol]
	if !ok {
		return nil, cachedSchema{}
	}
	index, err := newSchemaIndex(d, cached.response, cached.identities)
	if err != nil || index.blank() {
		return nil, cachedSchema{}
	}
	return index, cached
}

// prepareSchema loads the schema from a fresh process. One whose schema is
// known is asked only where it relies on being asked, and its answer is
// dropped unread, unless it is to confirm what was kept.
func (c *client) prepareSchema(ctx context.Context, s *session) diag.List {
	catalog, protocol := c.known()
	kept, same := c.toConfirm(), protocol == s.dialect.version
	switch {
	case kept != nil && !same:
		return c.unprepared(ctx, s, "GetProviderSchema", c.disown())
	case kept != nil:
		return c.prepareConfirmation(ctx, s, kept)
	case catalog != nil && same && catalog.Capabilities().GetProviderSchemaOptional:
		return nil
	case catalog != nil && same:
		_, err := s.invoke(ctx, s.dialect.methods.GetProviderSchema, nil)
		return c.unprepared(ctx, s, "GetProviderSchema", err)
	}
	fetched, diags := c.fetchSchema(ctx, s)
	if diags.HasErrors() {
		return diags
	}
	index, err := newSchemaIndex(s.dialect, fetched.response, fetched.identities)
	if err != nil {
		return append(diags, malformed(c.name, "GetProviderSchema", err))
	}
	if diags = append(diags, c.said(index.diagnostics, cty.DynamicPseudoType)...); diags.HasErrors() {
		return diags
	}
	c.mu.Lock()
	c.catalog, c.protocol = tfschema.NewCatalog(index), s.dialect.version
	c.mu.Unlock()
	return append(diags, c.keep(fetched, index)...)
}

// keep writes the cache file, unless it says the same already, or the answer
// says nothing. The environment matters only to who goes by it: a large file is
// not written for that alone.
func (c *client) keep(fetched cachedSchema, index *schemaIndex) diag.List {
	if c.cacheFile == "" || index.blank() {
		return nil
	}
	fetched.environment = digestEnvironment(c.env)
	kept, cached := indexIn(c.cacheFile)
	here := c.kept != KeptHere || cached.environment == fetched.environment
	if kept != nil && here && cached.protocol == fetched.protocol && kept.same(index) {
		return nil
	}
	if err := fetched.save(c.cacheFile); err != nil {
		return diag.List{cacheUnwritable(c.cacheFile, err)}
	}
	return nil
}

func (c *client) fetchSchema(ctx context.Context, s *session) (cachedSchema, diag.List) {
	fetched, rpc, err := askSchema(ctx, s)
	if err != nil {
		return cachedSchema{}, c.unprepared(ctx, s, rpc, err)
	}
	return c.withoutBadIdentities(fetched)
}

// askSchema makes the two calls that a schema takes. An error is the
// transport's, of the call that is named.
func askSchema(ctx context.Context, s *session) (answer cachedSchema, rpc string, err error) {
	response, err := s.invoke(ctx, s.dialect.methods.GetProviderSchema, nil)
	if err != nil {
		return cachedSchema{}, "GetProviderSchema", err
	}
	identities, err := s.invoke(ctx, s.dialect.methods.GetResourceIdentitySchemas, nil)
	if status.Code(err) == codes.Unimplemented {
		identities, err = nil, nil
	}
	return cachedSchema{protocol: s.dialect.version, response: response, identities: identities}, "GetResourceIdentitySchemas", err
}

// withoutBadIdentities leaves identities out that come with errors: they are a
// convenience, to go on without.
func (c *client) withoutBadIdentities(answer cachedSchema) (cachedSchema, diag.List) {
	diags := c.identityDiagnostics(answer.identities)
	if diags.HasErrors() {
		answer.identities = nil
		for _, d := range diags {
			d.Severity = diag.Warning
		}
	}
	return answer, diags
}

func (c *client) identityDiagnostics(identities []byte) diag.List {
	var said []*wire.Diagnostic
	err := eachField(identities, func(number protowire.Number, value []byte) error {
		if number != 2 { // diagnostics
			return nil
		}
		var d wire.Diagnostic
		said = append(said, &d)
		return proto.Unmarshal(value, &d)
	})
	if err != nil {
		return diag.List{malformed(c.name, "GetResourceIdentitySchemas", err)}
	}
	return c.said(said, cty.DynamicPseudoType)
}

// rawCodec sends and takes messages as the bytes that they are on the wire.
type rawCodec struct{}

// Marshal implements encoding.CodecV2.
func (rawCodec) Marshal(v any) (mem.BufferSlice, error) {
	data, ok := v.([]byte)
	if !ok {
		return nil, fmt.Errorf("cannot send %T", v)
	}
	return mem.BufferSlice{mem.SliceBuffer(data)}, nil
}

// Unmarshal implements encoding.CodecV2.
func (rawCodec) Unmarshal(data mem.BufferSlice, v any) error {
	into, ok := v.(*[]byte)
	if !ok {
		return fmt.Errorf("cannot receive into %T", v)
	}
	*into = data.Materialize()
	return nil
}

// Name implements encoding.CodecV2. The bytes are protobuf all the same.
func (rawCodec) Name() string { return "proto" }
