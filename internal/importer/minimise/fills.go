package minimise

import (
	"context"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/importer/read"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tfplan"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// Fills returns what has to be settled into the states of a type's objects, as
// one of them shows: the values of root attributes that a plan gives whatever is
// written, and that a read leaves as they are. It is nil where there is nothing,
// or where that cannot be told. It takes a plan, and where there is something a
// read.
func Fills(ctx context.Context, p tfprovider.Provider, o read.Object) map[string]cty.Value {
	catalog, diags := p.Schema(ctx)
	if diags.HasErrors() {
		return nil
	}
	schema, err := catalog.Resource(o.Type)
	if err != nil {
		return nil
	}
	asked := &probe{
		provider: p, typeName: o.Type, block: schema.Block,
		state: o.State, private: o.Private, identity: o.Identity,
	}
	plan, refused := asked.update(ctx, everything(schema.Block, o.State, "id"))
	if refused != nil || plan.Action != tfplan.Update {
		return nil
	}
	values := rootFills(o.State, plan.Planned)
	if len(values) == 0 || !asked.leaves(ctx, values) {
		return nil
	}
	return values
}

// rootFills are the root attributes that a plan only fills in.
func rootFills(prior, planned cty.Value) map[string]cty.Value {
	filled, paths, ok := settled(prior, planned)
	if !ok {
		return nil
	}
	out := map[string]cty.Value{}
	for _, name := range roots(paths) {
		out[name] = tfconfig.AsWritten(filled.GetAttr(name))
	}
	return out
}

// roots are the names of the attributes that paths of one step lead to.
func roots(paths []cty.Path) []string {
	var out []string
	for _, path := range paths {
		if root, ok := path[0].(cty.GetAttrStep); ok && len(path) == 1 {
			out = append(out, root.Name)
		}
	}
	return out
}

// leaves reports whether a read leaves the state as it is when it has these
// values.
func (p *probe) leaves(ctx context.Context, values map[string]cty.Value) bool {
	with, _ := read.Fill(p.state, values)
	resp, refused := p.read(ctx, with)
	return refused == nil && resp.State != cty.NilVal && tfconfig.AsWritten(resp.State).RawEquals(with)
}
