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
// this binary was cached by an earlier run.
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
	if c.catalog == nil && c.cacheFile != "" {
		c.catalog, c.protocol = catalogIn(c.cacheFile)
	}
	return c.catalog, c.protocol
}

// catalogIn reads a cache file. One that is missing, broken, blank, or of
// another format gives nil: the provider is asked then, and the file replaced.
func catalogIn(file string) (*tfschema.Catalog, int) {
	cached, err := loadCachedSchema(file)
	if err != nil {
		return nil, 0
	}
	d, ok := dialects()[cached.protocol]
	if !ok {
		return nil, 0
	}
	index, err := newSchemaIndex(d, cached.response, cached.identities)
	if err != nil || index.blank() {
		return nil, 0
	}
	return tfschema.NewCatalog(index), cached.protocol
}

// prepareSchema loads the schema from a fresh process. One whose schema is
// known is asked only where it relies on being asked, and its answer is
// dropped unread.
func (c *client) prepareSchema(ctx context.Context, s *session) diag.List {
	if catalog, protocol := c.known(); catalog != nil && protocol == s.dialect.version {
		if catalog.Capabilities().GetProviderSchemaOptional {
			return nil
		}
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
	if c.cacheFile != "" && !index.blank() {
		if err := fetched.save(c.cacheFile); err != nil {
			diags = append(diags, cacheUnwritable(c.cacheFile, err))
		}
	}
	return diags
}

func (c *client) fetchSchema(ctx context.Context, s *session) (cachedSchema, diag.List) {
	response, err := s.invoke(ctx, s.dialect.methods.GetProviderSchema, nil)
	if err != nil {
		return cachedSchema{}, c.unprepared(ctx, s, "GetProviderSchema", err)
	}
	identities, err := s.invoke(ctx, s.dialect.methods.GetResourceIdentitySchemas, nil)
	if status.Code(err) == codes.Unimplemented {
		identities, err = nil, nil
	}
	if err != nil {
		return cachedSchema{}, c.unprepared(ctx, s, "GetResourceIdentitySchemas", err)
	}
	diags := c.identityDiagnostics(identities)
	if diags.HasErrors() {
		identities = nil
		for _, d := range diags { // identities are a convenience: go on without them
			d.Severity = diag.Warning
		}
	}
	return cachedSchema{protocol: s.dialect.version, response: response, identities: identities}, diags
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
