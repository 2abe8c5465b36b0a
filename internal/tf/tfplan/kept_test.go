package tfplan

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// checkKept holds that what a provider has kept need not be looked at: the
// rules and the changes are the same with that knowledge and without.
func checkKept(t *testing.T, seed uint64) {
	t.Helper()
	g := newGenerator(seed)
	b := g.block(2, false)
	prior, config := g.blockValue(b, shape{}), g.blockValue(b, shape{unknown: true, written: true})
	planned := g.blend(ProposedNew(b, prior, config), g.blockValue(b, shape{unknown: true}))
	actual := g.blend(planned, g.blockValue(b, shape{}))

	same := keptOf(t, b, planned, prior)
	got, want := shown(changesBut(prior, planned, same)), shown(Changes(prior, planned))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("seed %d: other changes (-want +got):\n%s", seed, diff)
	}
	var short, long planCheck
	short.block(without(b, keptOf(t, b, planned, config)), prior, config, planned, nil)
	long.block(b, prior, config, planned, nil)
	if diff := cmp.Diff(texts(long.diags), texts(short.diags)); diff != "" {
		t.Errorf("seed %d: other problems of the plan (-want +got):\n%s", seed, diff)
	}
	got, want = texts(CheckApplied(b, planned, actual, false, keptOf(t, b, actual, planned))), texts(CheckApplied(b, planned, actual, false, tfprovider.Kept{}))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("seed %d: other problems of the result (-want +got):\n%s", seed, diff)
	}
}

// blend has attributes of either object.
func (g generator) blend(one, other cty.Value) cty.Value {
	vals := one.AsValueMap()
	for name, val := range other.AsValueMap() {
		if g.IntN(4) == 0 {
			vals[name] = val
		}
	}
	return cty.ObjectVal(vals)
}

func keptOf(t *testing.T, b *tfschema.Block, answer, sent cty.Value) tfprovider.Kept {
	t.Helper()
	a, err := ctyx.EncodeMsgpack(answer, b.ImpliedType())
	if err != nil {
		t.Fatal(err)
	}
	s, err := ctyx.EncodeMsgpack(sent, b.ImpliedType())
	if err != nil {
		t.Fatal(err)
	}
	same := tfprovider.KeptIn(a, s)
	if !same.Known() || !tfprovider.KeptIn(a, a).Whole() {
		t.Fatal("nothing is known")
	}
	return same
}

func shown(changes []Change) []string {
	var out []string
	for _, c := range changes {
		out = append(out, showPath(c.Path)+" "+c.Before.GoString()+" -> "+c.After.GoString())
	}
	return out
}

func texts(diags diag.List) []string {
	var out []string
	for _, d := range diags {
		out = append(out, showPath(d.Path)+" "+d.Error())
	}
	return out
}

func TestKept(t *testing.T) {
	t.Parallel()
	for seed := range uint64(800) {
		checkKept(t, seed)
	}
}

func FuzzKept(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(checkKept)
}
