package tfverify

import (
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tflang"
)

// verifier is one run.
type verifier struct {
	req       Request
	tree      *tfconfig.Tree
	state     *stateIndex
	graph     *graph
	upstream  upstream
	host      tflang.Host
	table     map[string]function.Function
	providers *providerPool
	slots     chan struct{} // one for each provider call at a time
	inputs    map[string]cty.Value
	imports   map[string]importTarget // by address, once root runs
	orphans   cells[*object, orphan]

	mu         sync.Mutex
	diags      diag.List
	gaps       diag.List
	resources  []Resource
	outputs    []Output
	unexpanded map[string]diag.List // addresses whose instances are not known
	modules    map[*tfconfig.Tree][]*module
	prepared   map[*tfconfig.ResourceBlock]bool // those with instances
	root       *module
	work       sync.WaitGroup
}

func newVerifier(req Request, tree *tfconfig.Tree, state *stateIndex, g *graph) *verifier {
	v := &verifier{
		req: req, tree: tree, state: state, graph: g, slots: make(chan struct{}, req.Parallel),
		unexpanded: map[string]diag.List{}, modules: map[*tfconfig.Tree][]*module{},
		prepared: map[*tfconfig.ResourceBlock]bool{}, host: tflang.NewHost(req.Dir, req.Now),
	}
	v.host.Proof = true
	v.table = tflang.Functions(v.host)
	v.providers = &providerPool{v: v}
	return v
}

func (v *verifier) run(ctx context.Context) {
	inputs, diags := rootInputs(v.req, v.tree.Module)
	v.inputs = inputs
	v.add(diags)
	v.root = newModule(ctx, v, v.tree, nil, "", repetition{})
	v.gaps = append(v.gaps, v.state.move(v.tree)...)
	v.state.imply(v.tree)
	v.state.settle()
	v.imports = v.root.importTargets(ctx)
	v.root.run(ctx)
	v.work.Wait()
	v.outputsOf(ctx, v.root)
	v.add(v.checkMoves(ctx))
	v.add(checkRemoved(v.tree))
	v.add(v.checkImports(ctx))
	v.add(v.checkStatic(ctx))
	v.add(v.checkRequiredProviders(ctx))
	v.add(v.checkStateProviders(ctx))
}

// spawn runs f beside the rest of the run.
func (v *verifier) spawn(f func()) {
	v.work.Add(1)
	go func() {
		defer v.work.Done()
		f()
	}()
}

// call runs f, which calls a provider, when there is a slot for it.
func (v *verifier) call(ctx context.Context, f func()) diag.List {
	select {
	case v.slots <- struct{}{}:
		defer func() { <-v.slots }()
	case <-ctx.Done():
		return diag.List{interrupted(context.Cause(ctx))}
	}
	if ctx.Err() != nil {
		return diag.List{interrupted(context.Cause(ctx))}
	}
	f()
	return nil
}

func (v *verifier) add(diags diag.List) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.diags = append(v.diags, diags...)
}

func (v *verifier) addGap(d *diag.Diagnostic) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.gaps = append(v.gaps, d)
}

func (v *verifier) addResource(r Resource) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.resources = append(v.resources, r)
}

// addModule notes an instance of a module.
func (v *verifier) addModule(m *module) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.modules[m.tree] = append(v.modules[m.tree], m)
}

// instancesOf are the instances of a module, in the order of their addresses.
func (v *verifier) instancesOf(t *tfconfig.Tree) []*module {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.SortedFunc(slices.Values(v.modules[t]), func(a, b *module) int { return cmp.Compare(a.addr, b.addr) })
}

// prepare notes that the arguments of a block are evaluated.
func (v *verifier) prepare(res *tfconfig.ResourceBlock) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.prepared[res] = true
}

func (v *verifier) isPrepared(res *tfconfig.ResourceBlock) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.prepared[res]
}

// unexpand notes that the instances at an address cannot be told.
func (v *verifier) unexpand(address string, reasons diag.List) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.unexpanded[address] = reasons
}

func (v *verifier) report(ctx context.Context) Report {
	v.leftovers(ctx)
	r := NewReport(v.tree.AllSources())
	r.Resources, r.Outputs, r.Gaps = append(r.Resources, v.resources...), append(r.Outputs, v.outputs...), append(r.Gaps, v.gaps...)
	sortDiagnostics(r.Gaps)
	return r
}

func (v *verifier) sortedDiagnostics() diag.List {
	sortDiagnostics(v.diags)
	return v.diags
}

// sortDiagnostics brings what concurrent work raised into a fixed order.
func sortDiagnostics(list diag.List) {
	slices.SortStableFunc(list, func(a, b *diag.Diagnostic) int {
		return cmp.Or(cmp.Compare(placeOf(a), placeOf(b)), cmp.Compare(line(a), line(b)),
			cmp.Compare(a.Address, b.Address), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Summary+a.Detail, b.Summary+b.Detail))
	})
}

func placeOf(d *diag.Diagnostic) string {
	if d.Subject == nil {
		return ""
	}
	return d.Subject.Filename
}

func line(d *diag.Diagnostic) int {
	if d.Subject == nil {
		return 0
	}
	return d.Subject.Start.Byte
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// relative is a module's directory as path.module has it.
func (v *verifier) relative(dir string) string {
	rel, err := filepath.Rel(v.req.Dir, dir)
	if err != nil {
		return filepath.ToSlash(dir)
	}
	return filepath.ToSlash(rel)
}
