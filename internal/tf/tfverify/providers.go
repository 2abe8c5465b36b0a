package tfverify

import (
	"context"
	"errors"
	"regexp"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tflang"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// configured is a running provider with its schema, or why there is none.
type configured struct {
	provider tfprovider.Provider
	schema   *tfschema.Catalog
	address  tfaddr.Provider
	// reasons say why it is not there; failed tells an error from a gap.
	reasons diag.List
	failed  bool
	// warnings are what starting it said beside.
	warnings diag.List
}

// providerKey is one configuration in one module instance.
type providerKey struct {
	module string
	name   configName
	addr   tfaddr.Provider
}

// configName is what a module calls a configuration.
type configName struct{ name, alias string }

// providerPool starts each configuration once and ends all at the end.
type providerPool struct {
	v       *verifier
	running cells[providerKey, *configured]
	bare    cells[tfaddr.Provider, *configured]

	mu       sync.Mutex
	started  []tfprovider.Provider
	schemata map[tfaddr.Provider]*configured // the first that was started, of each
}

func (p *providerPool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, one := range p.started {
		_ = one.Close() // it has answered all that was asked
	}
}

// resourceProvider is the configuration that a block uses, in its module.
func resourceProvider(res *tfconfig.ResourceBlock) tfconfig.ProviderRef {
	if res.Provider != nil {
		return *res.Provider
	}
	return tfconfig.ProviderRef{Name: res.ProviderName(), Range: res.Range}
}

// findProvider follows a configuration name up to the module that has its
// block: through what callers pass, and what is inherited. The block is nil
// where a default configuration is written nowhere.
func findProvider(t *tfconfig.Tree, ref tfconfig.ProviderRef) (*tfconfig.Tree, *tfconfig.ProviderBlock) {
	for {
		if t.Call != nil {
			if outer, passed := t.Call.Providers[ref.String()]; passed {
				t, ref = t.Parent, outer
				continue
			}
		}
		for _, p := range t.Module.Providers {
			if p.Name == ref.Name && p.Alias == ref.Alias {
				return t, p
			}
		}
		if t.Call == nil || ref.Alias != "" {
			return t, nil
		}
		ref.Name = inheritedName(t, ref.Name)
		t = t.Parent
	}
}

// inheritedName is what the parent of t calls the provider that t calls name.
func inheritedName(t *tfconfig.Tree, name string) string {
	own := t.Module.Required[name]
	if own == nil {
		return name
	}
	if theirs := t.Parent.Module.Required[name]; theirs != nil && theirs.Provider == own.Provider {
		return name
	}
	for _, other := range sortedKeys(t.Parent.Module.Required) {
		if t.Parent.Module.Required[other].Provider == own.Provider {
			return other
		}
	}
	return name
}

// forBlock is the provider of a resource block in m, configured.
func (p *providerPool) forBlock(ctx context.Context, m *module, res *tfconfig.ResourceBlock) *configured {
	ref := resourceProvider(res)
	required := m.config.Required[ref.Name]
	if required == nil {
		return &configured{failed: true, reasons: diag.List{noProvider(ref.Name, ref.Range)}}
	}
	if tfconfig.IsBuiltin(required.Provider) && !isBuiltin(res.Addr) {
		return &configured{address: required.Provider, reasons: diag.List{builtinGap(res.Addr.Type, res.Range)}}
	}
	owner, block := findProvider(m.tree, ref)
	if block == nil && ref.Alias != "" {
		return &configured{failed: true, reasons: diag.List{undefinedConfiguration(ref.String(), ref.Range)}}
	}
	return p.configuration(ctx, ancestor(m, owner), block, required.Provider)
}

// ancestor is m or the instance around it that is of tree t.
func ancestor(m *module, t *tfconfig.Tree) *module {
	for m.tree != t && m.parent != nil {
		m = m.parent
	}
	return m
}

func (p *providerPool) configuration(ctx context.Context, m *module, block *tfconfig.ProviderBlock, addr tfaddr.Provider) *configured {
	key := providerKey{addr: addr} // the empty configuration is one for all
	if block != nil {
		key = providerKey{m.addr, configName{block.Name, block.Alias}, addr}
	}
	return p.running.get(key, func() *configured {
		if block != nil && block.ForEach != nil {
			return &configured{address: addr, reasons: diag.List{repeatedProviderGap(key.name.name+"."+key.name.alias, block.Range)}}
		}
		c := p.start(ctx, addr)
		if len(c.reasons) == 0 {
			p.configure(ctx, m, block, c)
		}
		return c
	})
}

// start launches a provider and fetches its schema. It notes where that is
// known.
func (p *providerPool) start(ctx context.Context, addr tfaddr.Provider) *configured {
	c := p.launch(ctx, addr)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.schemata == nil {
		p.schemata = map[tfaddr.Provider]*configured{}
	}
	if p.schemata[addr] == nil {
		p.schemata[addr] = c
	}
	return c
}

func (p *providerPool) launch(ctx context.Context, addr tfaddr.Provider) *configured {
	c := &configured{address: addr}
	if tfconfig.IsBuiltin(addr) {
		c.provider = newBuiltin(p.v.req.Dir)
		c.schema, _ = c.provider.Schema(ctx)
		return c
	}
	provider, diags := p.v.req.Launch(ctx, addr)
	if provider != nil {
		p.mu.Lock()
		p.started = append(p.started, provider)
		p.mu.Unlock()
	}
	if diags.HasErrors() || provider == nil {
		c.fail(diags)
		return c
	}
	c.provider, c.warnings = provider, diags
	c.schema, diags = provider.Schema(ctx)
	if c.warnings = append(c.warnings, diags...); diags.HasErrors() {
		c.fail(diags)
	}
	return c
}

// describe is a provider with its schema: one that was started already, if any.
func (p *providerPool) describe(ctx context.Context, addr tfaddr.Provider) *configured {
	p.mu.Lock()
	c := p.schemata[addr]
	p.mu.Unlock()
	if c != nil {
		return c
	}
	return p.anyOf(ctx, addr)
}

// isKnown reports whether a provider was started, or tried to.
func (p *providerPool) isKnown(addr tfaddr.Provider) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.schemata[addr] != nil
}

func (c *configured) fail(diags diag.List) {
	c.failed, c.reasons = true, append(c.reasons, diags...)
}

// configure evaluates the block, nil for none, and hands it over.
func (p *providerPool) configure(ctx context.Context, m *module, block *tfconfig.ProviderBlock, c *configured) {
	schema, err := c.schema.Schema(tfschema.KindProvider, "")
	if err != nil {
		c.fail(diag.FromError(codeState, "Invalid provider schema", err))
		return
	}
	body, at := hcl.EmptyBody(), hcl.Range{}
	var uses used
	if block != nil {
		body, at = block.Config, block.Range
		uses = usedBy(block.Traversals())
	}
	config, diags := frame{m: m}.decode(ctx, body, schema.Block, uses, at)
	if diags.HasErrors() {
		c.fail(diags)
		return
	}
	if reasons := gapsOf(config); len(reasons) > 0 {
		c.reasons = reasons
		return
	}
	config = ctyx.Unmark(config)
	stopped := p.v.call(ctx, func() {
		diags = append(diags, c.provider.ValidateProviderConfig(ctx, config)...)
		if !diags.HasErrors() {
			diags = append(diags, c.provider.Configure(ctx, config)...)
		}
	})
	diags = append(diags, stopped...)
	for _, d := range diags {
		if block != nil && d.Subject == nil {
			d.Subject = &at
		}
	}
	if diags.HasErrors() {
		c.fail(diags)
		return
	}
	c.warnings = append(c.warnings, diags...)
}

// anyOf is a running provider for an object without configuration.
func (p *providerPool) anyOf(ctx context.Context, addr tfaddr.Provider) *configured {
	return p.bare.get(addr, func() *configured { return p.start(ctx, addr) })
}

// functionCall finds provider-defined functions in the text of a module: the
// names are a superset of what is called.
var functionCall = regexp.MustCompile(`provider::([\pL_][\pL\pN_-]*)::([\pL_][\pL\pN_-]*)`)

func functionNames(m *tfconfig.Module) map[[2]string]bool {
	out := map[[2]string]bool{}
	for _, text := range m.Sources {
		for _, found := range functionCall.FindAllSubmatch(text, -1) {
			out[[2]string{string(found[1]), string(found[2])}] = true
		}
	}
	return out
}

// withFunctions is the function table with those of providers added. They
// are looked up on their first call.
func (p *providerPool) withFunctions(ctx context.Context, m *module, names map[[2]string]bool) map[string]function.Function {
	table := make(map[string]function.Function, len(p.v.table)+len(names))
	for name, f := range p.v.table {
		table[name] = f
	}
	for name := range names {
		required := m.config.Required[name[0]]
		if required == nil {
			continue // calling it says that there is no such function
		}
		table["provider::"+name[0]+"::"+name[1]] = p.function(ctx, required.Provider, name[1])
	}
	return table
}

func (p *providerPool) function(ctx context.Context, addr tfaddr.Provider, name string) function.Function {
	return tflang.LazyFunction(func() (function.Function, error) {
		c := p.anyOf(ctx, addr)
		if c.provider == nil || c.schema == nil {
			return function.Function{}, errors.Join(c.reasons.Err(), errNoProvider)
		}
		sig, err := c.schema.Function(name)
		if err != nil {
			return function.Function{}, err
		}
		return tflang.ProviderFunction(sig, func(args []cty.Value) (out cty.Value, err error) {
			var diags diag.List
			stopped := p.v.call(ctx, func() { out, diags = c.provider.CallFunction(ctx, name, args) })
			return out, argumentErr(append(diags, stopped...))
		}), nil
	})
}

// argumentErr is the error of a call; one that is about an argument alone is
// such that its expression is pointed at.
func argumentErr(diags diag.List) error {
	errs := diags.Errors()
	if len(errs) != 1 || len(errs[0].Path) == 0 {
		return errs.Err()
	}
	step, ok := errs[0].Path[0].(cty.IndexStep)
	if !ok || step.Key.Type() != cty.Number {
		return errs.Err()
	}
	bare := *errs[0]
	bare.Path = nil // leads to what HCL calls by the parameter's name
	i, _ := step.Key.AsBigFloat().Int64()
	return function.NewArgError(int(i), &bare)
}

var errNoProvider = errors.New("the provider does not run")
