package tfverify

import (
	"cmp"
	"context"
	"strings"
	"sync"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
)

// blockResult is a resource block worked out: the value that references to it
// read, and what happens to its instances by key suffix.
type blockResult struct {
	value    cty.Value
	verdicts map[string]Verdict
}

// changes reports whether anything but a proven no-op happens.
func (r *blockResult) changes() bool {
	for _, verdict := range r.verdicts {
		if verdict != NoOp && verdict != Move {
			return true
		}
	}
	return false
}

// at is the verdict on the instance with a key, or on the whole block where
// key is cty.NilVal: the one that says most.
func (r *blockResult) at(key cty.Value) Verdict {
	if key != cty.NilVal {
		return cmp.Or(r.verdicts[repetition{key: key}.suffix()], NoOp)
	}
	out := NoOp
	for _, suffix := range sortedKeys(r.verdicts) {
		switch verdict := r.verdicts[suffix]; verdict {
		case NoOp, Move:
		case Failed, Unevaluated:
			return verdict
		default:
			out = verdict
		}
	}
	return out
}

// block works out a managed resource or data source, all its instances at
// the same time.
func (m *module) block(ctx context.Context, res *tfconfig.ResourceBlock) *blockResult {
	return m.blocks.get(res.Addr, func() *blockResult {
		address := m.name(res.Addr.String())
		exp, reasons := frame{m: m}.expand(ctx, res.Count, res.ForEach, res.Enabled)
		if len(reasons) > 0 {
			return m.unexpandedBlock(address, res, reasons)
		}
		values, verdicts := make([]cty.Value, len(exp.each)), make([]Verdict, len(exp.each))
		workOut := func(i int) {
			each := exp.each[i]
			one := &instance{m: m, res: res, each: each, address: address + each.suffix()}
			values[i], verdicts[i] = one.workOut(ctx)
		}
		var others sync.WaitGroup
		for i := 1; i < len(exp.each); i++ {
			others.Go(func() { workOut(i) })
		}
		if len(exp.each) > 0 {
			workOut(0) // most blocks have no more than one
		}
		others.Wait()
		out := &blockResult{value: exp.join(values), verdicts: map[string]Verdict{}}
		for i, each := range exp.each {
			out.verdicts[each.suffix()] = verdicts[i]
		}
		for _, orphan := range m.v.state.byResource[address] {
			if !m.v.state.current[orphan].used {
				out.verdicts[strings.TrimPrefix(orphan, address)] = Delete
			}
		}
		return out
	})
}

func (m *module) unexpandedBlock(address string, res *tfconfig.ResourceBlock, reasons diag.List) *blockResult {
	at := res.Range
	m.v.unexpand(address, reasons)
	if res.Addr.Mode == tfaddr.Managed {
		m.v.addResource(Resource{Address: address, Verdict: Unevaluated, Reasons: reasons, Range: &at})
	} else {
		m.v.addGap(reasons[0])
	}
	return &blockResult{value: gapValue(reasons[0]), verdicts: map[string]Verdict{"": Unevaluated}}
}

func sortedAddrs(m map[tfaddr.Resource]*tfconfig.ResourceBlock) []tfaddr.Resource {
	byName := make(map[string]tfaddr.Resource, len(m))
	for addr := range m {
		byName[addr.String()] = addr
	}
	out := make([]tfaddr.Resource, 0, len(m))
	for _, name := range sortedKeys(byName) {
		out = append(out, byName[name])
	}
	return out
}
