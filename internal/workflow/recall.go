package workflow

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"sync"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// recalling is a provider that is not asked twice, word for word, for what it
// has answered with "fine": that a configuration is valid, and that a plan
// changes nothing. The search for a configuration ends with the questions
// that the proof begins with; an import asks each of them once. All else is
// asked again, answers with warnings included.
//
// It holds a hash for each question, not the values. It may be used
// concurrently.
type recalling struct {
	tfprovider.Provider

	mu    sync.Mutex
	valid map[question]bool
	noOps map[question]noOp
}

// question is the hash of all that a request says.
type question [sha256.Size]byte

// noOp is a plan that changes nothing, without the state, which is the prior.
type noOp struct {
	private  []byte
	identity cty.Value
	legacy   bool
}

func newRecalling(p tfprovider.Provider) *recalling {
	return &recalling{Provider: p, valid: map[question]bool{}, noOps: map[question]noOp{}}
}

// Configure implements [tfprovider.Provider]. What a provider said under
// another configuration says nothing.
func (r *recalling) Configure(ctx context.Context, config cty.Value) diag.List {
	r.mu.Lock()
	clear(r.valid)
	clear(r.noOps)
	r.mu.Unlock()
	return r.Provider.Configure(ctx, config)
}

// ValidateResourceConfig implements [tfprovider.Provider].
func (r *recalling) ValidateResourceConfig(ctx context.Context, typeName string, config cty.Value) diag.List {
	q, ok := r.questionOf(ctx, typeName, nil, cty.NilVal, config)
	if !ok {
		return r.Provider.ValidateResourceConfig(ctx, typeName, config)
	}
	r.mu.Lock()
	known := r.valid[q]
	r.mu.Unlock()
	if known {
		return nil
	}
	diags := r.Provider.ValidateResourceConfig(ctx, typeName, config)
	if len(diags) == 0 {
		r.mu.Lock()
		r.valid[q] = true
		r.mu.Unlock()
	}
	return diags
}

// PlanResourceChange implements [tfprovider.Provider].
func (r *recalling) PlanResourceChange(ctx context.Context, req tfprovider.PlanRequest) (tfprovider.PlanResponse, diag.List) {
	if req.Prior == cty.NilVal || req.Prior.IsNull() || req.Meta != cty.NilVal {
		return r.Provider.PlanResourceChange(ctx, req)
	}
	q, ok := r.questionOf(ctx, req.TypeName, req.PriorPrivate, req.PriorIdentity, req.Prior, req.ProposedNew, req.Config)
	if !ok {
		return r.Provider.PlanResourceChange(ctx, req)
	}
	r.mu.Lock()
	known, found := r.noOps[q]
	r.mu.Unlock()
	if found {
		return tfprovider.PlanResponse{
			Planned: req.Prior, Private: known.private, Identity: known.identity, LegacyTypeSystem: known.legacy,
		}, nil
	}
	resp, diags := r.Provider.PlanResourceChange(ctx, req)
	if len(diags) == 0 && resp.Deferred == "" && len(resp.RequiresReplace) == 0 && resp.Planned != cty.NilVal && resp.Planned.RawEquals(req.Prior) {
		r.mu.Lock()
		r.noOps[q] = noOp{private: resp.Private, identity: resp.Identity, legacy: resp.LegacyTypeSystem}
		r.mu.Unlock()
	}
	return resp, diags
}

// questionOf hashes a question about a resource as it would go over the wire.
// One that would not go is not recalled.
func (r *recalling) questionOf(ctx context.Context, typeName string, private []byte, identity cty.Value, values ...cty.Value) (q question, ok bool) {
	catalog, diags := r.Schema(ctx)
	if diags.HasErrors() {
		return q, false
	}
	schema, err := catalog.Resource(typeName)
	if err != nil {
		return q, false
	}
	h := sha256.New()
	said(h, []byte(typeName))
	said(h, private)
	if identity != cty.NilVal {
		data, err := ctyx.EncodeMsgpack(identity, identity.Type())
		if err != nil {
			return q, false
		}
		said(h, data)
	}
	for _, v := range values {
		data, err := ctyx.EncodeMsgpack(v, schema.Block.ImpliedType())
		if err != nil {
			return q, false
		}
		said(h, data)
	}
	h.Sum(q[:0])
	return q, true
}

// said adds one part of a question, with its length, so that no two questions
// run together.
func said(h hash.Hash, part []byte) {
	var size [8]byte
	binary.LittleEndian.PutUint64(size[:], uint64(len(part)))
	_, _ = h.Write(size[:]) // a hash takes everything
	_, _ = h.Write(part)
}
