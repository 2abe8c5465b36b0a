package tfprovider

import (
	"crypto/sha256"
	"sync"

	"google.golang.org/protobuf/proto"

	"github.com/formation-iac/formation/internal/tf/wire"
)

// recall is what is known of a process's answers. A nil one knows nothing and
// learns nothing. It may be used concurrently. It costs a hash for each
// question, and no values.
type recall struct {
	mu    sync.Mutex
	valid map[question]bool
	noOps map[question]noOp
}

func newRecall() *recall {
	return &recall{valid: map[question]bool{}, noOps: map[question]noOp{}}
}

// question is the hash of all that a request says; the zero one is asked every
// time.
type question [sha256.Size]byte

// noOp is a plan that changes nothing, without the state, which is the prior.
type noOp struct {
	private  []byte
	identity *wire.ResourceIdentityData
	legacy   bool
}

func (r *recall) question(req proto.Message) question {
	if r == nil {
		return question{}
	}
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(req)
	if err != nil { // asking will say so
		return question{}
	}
	return sha256.Sum256(data)
}

func (r *recall) isValid(q question) bool {
	if q == (question{}) {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.valid[q]
}

func (r *recall) noteValid(q question) {
	if q == (question{}) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.valid[q] = true
}

// plan answers a request for a plan that is known to change nothing, or with
// nil.
func (r *recall) plan(q question, req *wire.PlanResourceChangeRequest) *wire.PlanResourceChangeResponse {
	if q == (question{}) {
		return nil
	}
	r.mu.Lock()
	known, found := r.noOps[q]
	r.mu.Unlock()
	if !found {
		return nil
	}
	return &wire.PlanResourceChangeResponse{
		PlannedState: req.GetPriorState(), PlannedPrivate: known.private,
		PlannedIdentity: known.identity, LegacyTypeSystem: known.legacy,
	}
}

// notePlan keeps the answer of a plan that changes nothing.
func (r *recall) notePlan(q question, resp *wire.PlanResourceChangeResponse) {
	if q == (question{}) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.noOps[q] = noOp{private: resp.GetPlannedPrivate(), identity: resp.GetPlannedIdentity(), legacy: resp.GetLegacyTypeSystem()}
}

func (r *recall) forget() {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.valid)
	clear(r.noOps)
}
