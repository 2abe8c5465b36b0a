package tfverify

import (
	"context"
	"strings"
	"sync"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
)

// blockResult is a resource block worked out: the value that references to it
// read, and what happens to its instances.
type blockResult struct {
	value     cty.Value
	instances []happens
	indexing  sync.Once
	index     map[string]int // of instances, by their suffixes
}

// happens is what happens to an object, which has a suffix to the address of
// its block, and the object before and after it, where that was planned.
type happens struct {
	suffix        string
	verdict       Verdict
	before, after cty.Value
}

// changes reports whether anything but a proven no-op happens.
func (r *blockResult) changes() bool {
	for _, one := range r.instances {
		if one.verdict != NoOp && one.verdict != Move {
			return true
		}
	}
	return false
}

// instance is what happens to the instance with a key suffix, if there is one.
// Most blocks have one, and few are asked.
func (r *blockResult) instance(suffix string) (happens, bool) {
	r.indexing.Do(func() {
		r.index = make(map[string]int, len(r.instances))
		for n, one := range r.instances {
			r.index[one.suffix] = n
		}
	})
	n, ok := r.index[suffix]
	if !ok {
		return happens{}, false
	}
	return r.instances[n], true
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
		values, happening := make([]cty.Value, len(exp.each)), make([]happens, len(exp.each))
		workOut := func(i int) {
			each := exp.each[i]
			one := &instance{m: m, res: res, each: each, address: address + each.suffix()}
			values[i], happening[i] = one.workOut(ctx)
			happening[i].suffix = each.suffix()
		}
		var others sync.WaitGroup
		for i := 1; i < len(exp.each); i++ {
			others.Go(func() { workOut(i) })
		}
		if len(exp.each) > 0 {
			workOut(0) // most blocks have no more than one
		}
		others.Wait()
		out := &blockResult{value: exp.join(values), instances: happening}
		for _, left := range m.v.state.byResource[address] {
			if o := m.v.state.current[left]; !o.used && !m.v.isGone(ctx, o) {
				out.instances = append(out.instances, happens{suffix: strings.TrimPrefix(left, address), verdict: Delete})
			}
		}
		return out
	})
}

func (m *module) unexpandedBlock(address string, res *tfconfig.ResourceBlock, reasons diag.List) *blockResult {
	at := res.Range
	m.v.unexpand(address, reasons)
	if res.Addr.Mode == tfaddr.Managed {
		out := Resource{Address: address, Verdict: Unevaluated, Reasons: reasons, Range: &at}
		if o := m.v.state.take(address); o != nil { // the one object that a block without keys has
			out.From = o.was
		}
		m.v.addResource(out)
	} else {
		m.v.addGap(reasons[0])
	}
	return &blockResult{value: gapValue(reasons[0]), instances: []happens{{verdict: Unevaluated}}}
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
