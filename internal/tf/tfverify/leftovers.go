package tfverify

import (
	"context"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
)

// leftovers reports the objects of the state that configuration has not, unless
// they are gone.
func (v *verifier) leftovers(ctx context.Context) {
	forgotten := v.forgotten()
	for _, address := range sortedKeys(v.state.current) {
		o := v.state.current[address]
		if o.used {
			continue
		}
		out := Resource{Address: address, Verdict: Delete, From: o.was}
		switch reasons := v.undecided(address); {
		case len(reasons) > 0:
			out.Verdict, out.Reasons = Unevaluated, diag.List{unevaluatedDelete(reasons[0]).For(address)}
		case forgotten.has(address):
			out.Verdict = Forget
		}
		v.leftover(ctx, o, out)
	}
	for _, address := range sortedKeys(v.state.deposed) {
		for _, o := range v.state.deposed[address] {
			out := Resource{Address: address, Verdict: Delete, From: o.was, Deposed: o.instance.Deposed}
			if forgotten.has(address) {
				out.Verdict = Forget
			}
			v.leftover(ctx, o, out)
		}
	}
	v.work.Wait()
	reported := v.reported()
	for address, target := range v.imports {
		if v.state.current[address] == nil && !reported[address] {
			v.gaps = append(v.gaps, importWithoutBlock(address, target.block.Range))
		}
	}
	if ctx.Err() != nil {
		v.diags = append(v.diags, interrupted(context.Cause(ctx)))
	}
}

// reported are the addresses that have a verdict.
func (v *verifier) reported() addressSet {
	out := addressSet{}
	for _, r := range v.resources {
		out[r.Address] = true
	}
	return out
}

// undecided are the reasons why it is not known whether configuration has an
// address: some block around it has unknown instances.
func (v *verifier) undecided(address string) diag.List {
	for end := len(address); end > 0; end = lastStep(address[:end]) {
		if reasons := v.unexpanded[address[:end]]; len(reasons) > 0 {
			return reasons
		}
	}
	return nil
}

// lastStep is where the last step of an address begins: its key, or a name.
func lastStep(address string) int {
	if strings.HasSuffix(address, `]`) {
		for i := len(address) - 1; i > 0; i-- {
			if address[i] == '[' && balanced(address[i:]) {
				return i
			}
		}
	}
	return max(strings.LastIndexByte(address, '.'), 0)
}

// balanced reports whether key is a whole index, quotes included.
func balanced(key string) bool {
	if len(key) < 3 || key[1] != '"' {
		return !strings.Contains(key, `"`)
	}
	return len(key) >= 4 && strings.HasSuffix(key, `"]`) && (len(key) < 5 || key[len(key)-3] != '\\')
}

// addressSet is a set of addresses.
type addressSet map[string]bool

// forgotten are the addresses that removed blocks take out of the state
// without destroying anything.
func (v *verifier) forgotten() addressSet {
	out := addressSet{}
	v.tree.Walk(func(t *tfconfig.Tree) {
		if t.Module == nil {
			return
		}
		for _, block := range t.Module.Removed {
			if e, ok := parseEndpoint(block.From); ok && !block.Destroy {
				out[node(t, e.static())] = true
			}
		}
	})
	return out
}

// has reports whether an address or a module around it, without their keys,
// is in a set of such.
func (s addressSet) has(address string) bool {
	if len(s) == 0 {
		return false
	}
	e, ok := parseEndpointText(address)
	if !ok {
		return false
	}
	if s[e.static()] {
		return true
	}
	for n := range e.modules {
		if s[endpoint{modules: e.modules[:n+1]}.static()] {
			return true
		}
	}
	return false
}
