package randschema_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/testkit/randschema"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// TestSeeds checks that a seed says everything, that values are of their
// schema's type, that the wire takes them, and that only plans have unknowns.
func TestSeeds(t *testing.T) {
	t.Parallel()
	kinds := map[string]bool{}
	for seed := range uint64(300) {
		make := func() (*tfschema.Block, cty.Value, cty.Value) {
			m := randschema.New(seed, randschema.Options{Depth: 3, Dynamic: true, WriteOnly: true})
			block := m.Block()
			return block, m.State(block), m.Planned(block)
		}
		block, state, planned := make()
		_, again, _ := make()
		if !state.RawEquals(again) {
			t.Errorf("seed %d makes %#v and %#v", seed, state, again)
		}
		ty := block.ImpliedType()
		for _, v := range []cty.Value{state, planned} {
			data, err := ctyx.EncodeMsgpack(v, ty)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if got, err := ctyx.DecodeMsgpack(data, ty); err != nil || !got.RawEquals(v) {
				t.Errorf("seed %d: %#v became %#v: %v", seed, v, got, err)
			}
		}
		kinds["unknown"] = kinds["unknown"] || !planned.IsWhollyKnown()
		kinds["dynamic"] = kinds["dynamic"] || ty.HasDynamicTypes()
		kinds["unknown state"] = kinds["unknown state"] || !state.IsWhollyKnown()
	}
	if !kinds["unknown"] || !kinds["dynamic"] || kinds["unknown state"] {
		t.Errorf("the kinds of values are %v", kinds)
	}
}
