package tfverify

import (
	"context"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tfschema"
	"github.com/formation-iac/formation/internal/tf/tfstate"
)

// leftover reports what becomes of an object that configuration has not. One
// that would be deleted is read first, and by OpenTofu also one that would be
// forgotten: there is nothing to do about one that is gone.
func (v *verifier) leftover(ctx context.Context, o *object, out Resource) {
	read := out.Verdict == Delete || out.Verdict == Forget && v.state.isOpenTofus()
	if !read || v.req.SkipRefresh {
		v.addResource(out)
		return
	}
	v.spawn(func() {
		found := v.orphan(ctx, o)
		switch {
		case found.diags.HasErrors():
			out.Verdict, out.Reasons = Failed, found.diags.ForAddress(out.Address)
		case found.known.gone:
			return
		}
		v.addResource(out)
	})
}

// orphan is an object that configuration has not, read.
type orphan struct {
	known priorObject
	diags diag.List
}

// orphan reads an object once, for all who ask.
func (v *verifier) orphan(ctx context.Context, o *object) orphan {
	return v.orphans.get(o, func() orphan {
		known, diags := v.readOrphan(ctx, o)
		return orphan{known, diags}
	})
}

// isGone reports whether an object that configuration has not exists no more,
// on behalf of what waits for its deletion. One whose provider may wait for
// others in turn is taken to exist.
func (v *verifier) isGone(ctx context.Context, o *object) bool {
	if v.req.SkipRefresh {
		return false
	}
	ref, block, ok := v.orphanProvider(o.resource)
	if !ok || block != nil && !v.graph.hasValuesAlone(providerNode(ref)) {
		return false
	}
	found := v.orphan(ctx, o)
	return !found.diags.HasErrors() && found.known.gone
}

// readOrphan reads an object by the provider configuration that the state has
// it under. Where that is not in the root module, nothing is known.
func (v *verifier) readOrphan(ctx context.Context, o *object) (priorObject, diag.List) {
	ref, block, ok := v.orphanProvider(o.resource)
	if !ok {
		return priorObject{}, nil
	}
	res := &tfconfig.ResourceBlock{Addr: o.resource.Addr, Provider: &ref}
	one := &instance{m: v.root, res: res, address: o.resource.InstanceAddress(o.instance)}
	if one.provider = v.providers.configuration(ctx, v.root, block, o.resource.Provider); len(one.provider.reasons) > 0 {
		return priorObject{}, nil // said of the provider
	}
	schema, err := one.provider.schema.Schema(tfschema.KindResource, o.resource.Addr.Type)
	if err != nil {
		return priorObject{}, nil // clients delete it by what the state has
	}
	one.schema = schema
	return one.refresh(ctx, o)
}

// orphanProvider is the configuration of an object in the root module, and what
// that calls it. A default one that nothing names is empty.
func (v *verifier) orphanProvider(res tfstate.Resource) (tfconfig.ProviderRef, *tfconfig.ProviderBlock, bool) {
	ref := tfconfig.ProviderRef{Alias: res.Alias}
	if res.ProviderModule != "" || tfstate.IsLegacyProvider(res.Provider) {
		return ref, nil, false
	}
	for _, name := range sortedKeys(v.tree.Module.Required) {
		if v.tree.Module.Required[name].Provider == res.Provider {
			ref.Name = name
			_, block := findProvider(v.tree, ref)
			return ref, block, block != nil || ref.Alias == ""
		}
	}
	return ref, nil, ref.Alias == ""
}

// checkRequiredProviders reports providers that the configuration requires,
// and that nothing which was planned needs, where they do not run: clients
// plan nothing without them.
func (v *verifier) checkRequiredProviders(ctx context.Context) diag.List {
	var diags diag.List
	v.tree.Walk(func(t *tfconfig.Tree) {
		if t.Module == nil {
			return
		}
		for _, name := range sortedKeys(t.Module.Required) {
			required := t.Module.Required[name]
			if tfconfig.IsBuiltin(required.Provider) || v.providers.isKnown(required.Provider) {
				continue // what is wrong with it was said
			}
			if c := v.providers.anyOf(ctx, required.Provider); len(c.reasons) > 0 {
				diags = append(diags, requiredProvider(required.Provider.String(), c.reasons[0], required.Range))
			}
		}
	})
	return diags
}

// checkStateProviders reports providers that the state alone has and that do
// not run.
func (v *verifier) checkStateProviders(ctx context.Context) diag.List {
	var diags diag.List
	seen := map[tfaddr.Provider]bool{}
	for _, res := range v.state.state.Resources {
		addr := res.Provider
		if seen[addr] || tfstate.IsLegacyProvider(addr) || tfconfig.IsBuiltin(addr) {
			continue
		}
		seen[addr] = true
		if v.providers.isKnown(addr) {
			continue
		}
		if c := v.providers.anyOf(ctx, addr); len(c.reasons) > 0 {
			diags = append(diags, stateProvider(addr.String(), c.reasons[0]))
		}
	}
	return diags
}
