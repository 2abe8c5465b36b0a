package tfprovider

import (
	"bytes"
	"context"

	"github.com/zclconf/go-cty/cty"
	"google.golang.org/protobuf/proto"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/wire"
)

// batch encodes and decodes the values of one call about one resource type,
// gathering diagnostics. After an error its results are not to be used.
type batch struct {
	c               *client
	rpc             string
	state, identity cty.Type // identity is cty.NilType where there is none
	diags           diag.List
}

func (c *client) newBatch(ctx context.Context, rpc, typeName string) *batch {
	b := &batch{c: c, rpc: rpc}
	b.state, b.identity, b.diags = c.resourceTypes(ctx, typeName)
	return b
}

func (b *batch) failed() bool { return b.diags.HasErrors() }

func (b *batch) encode(what string, v cty.Value) *wire.DynamicValue {
	if b.failed() {
		return nil
	}
	out, diags := b.c.encode(what, v, b.state)
	b.diags = append(b.diags, diags...)
	return out
}

// encodeUnless encodes a value whose form may be known already. A provider that
// answered in JSON is not asked in JSON, which no client does.
func (b *batch) encodeUnless(known *wire.DynamicValue, what string, v cty.Value) *wire.DynamicValue {
	if len(known.GetMsgpack()) > 0 {
		return known
	}
	return b.encode(what, v)
}

func (b *batch) encodeIdentity(v cty.Value) *wire.ResourceIdentityData {
	if b.failed() {
		return nil
	}
	out, diags := b.c.encodeIdentity(v, b.identity)
	b.diags = append(b.diags, diags...)
	return out
}

func (b *batch) encodeMeta(ctx context.Context, v cty.Value) *wire.DynamicValue {
	if b.failed() {
		return nil
	}
	out, diags := b.c.encodeMeta(ctx, v)
	b.diags = append(b.diags, diags...)
	return out
}

// call invokes an RPC for b unless b has failed already.
func (b *batch) call(ctx context.Context, method func(wire.Methods) string, retriable bool, req, resp proto.Message) {
	if !b.failed() {
		b.diags = append(b.diags, invoke(ctx, b.c, b.rpc, method, retriable, req, resp)...)
	}
}

func (b *batch) decode(v *wire.DynamicValue) cty.Value {
	out, diags := b.c.decode(b.rpc, v, b.state)
	b.diags = append(b.diags, diags...)
	return out
}

// decodeAfter decodes the answer to a value that was sent. One that comes back
// byte for byte is that value.
func (b *batch) decodeAfter(v, sent *wire.DynamicValue, was cty.Value) cty.Value {
	if was != cty.NilVal && sameForm(v, sent) {
		return was
	}
	return b.decode(v)
}

// sameForm reports whether two values have the same bytes in msgpack.
func sameForm(a, b *wire.DynamicValue) bool {
	return len(a.GetMsgpack()) > 0 && bytes.Equal(a.GetMsgpack(), b.GetMsgpack())
}

func (b *batch) decodeIdentity(v *wire.ResourceIdentityData) cty.Value {
	out, diags := b.c.decodeIdentity(b.rpc, v, b.identity)
	b.diags = append(b.diags, diags...)
	return out
}

func (b *batch) said(in []*wire.Diagnostic) { b.diags = append(b.diags, b.c.said(in, b.state)...) }
