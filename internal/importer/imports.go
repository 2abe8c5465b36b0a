package importer

import (
	"context"
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/parallel"
	"github.com/formation-iac/formation/internal/importer/read"
	"github.com/formation-iac/formation/internal/importer/secret"
	"github.com/formation-iac/formation/internal/importer/write"
)

// imports are the import blocks of an assembly, which gets the variables that
// they refer to. Ids are preferred, since every version of the tools knows them:
// the one that an object was found by, or one that is tried and leads to the same
// object. Only where there is none the identity is written.
func (r *run) imports(ctx context.Context, a *assembly, concurrency int) []write.Import {
	out := parallel.Map(ctx, concurrency, a.places(), func(ctx context.Context, i int) write.Import {
		resource := &a.resources[i]
		return write.Import{
			To: resource.addr, Identity: resource.Object.Identity,
			ID: read.ImportID(ctx, r.req.Provider, resource.Object),
		}
	})
	for i := range out {
		out[i].Variables = a.hide(&a.resources[i], out[i])
	}
	return out
}

// hide makes variables of what an object is imported by where that tells secrets
// of it, and returns their names by what they are for, as [write.Import] does.
func (a *assembly) hide(r *resource, block write.Import) map[string]string {
	values := a.secrets.of(r.Object.Found)
	if len(values) == 0 {
		return nil
	}
	hidden := map[string]string{}
	owner := secret.Owner{Address: r.addr.String(), Prefix: variablePrefix(r.addr)}
	add := func(name, path string, v cty.Value) {
		variable := a.extractor.ForImport(owner, path, v)
		a.variables = append(a.variables, variable)
		hidden[name] = variable.Name
	}
	switch {
	case block.ID != "":
		if secret.Tells(block.ID, values) {
			add(write.ImportID, "id", cty.StringVal(block.ID))
		}
	case block.Identity != cty.NilVal:
		parts := ctyx.Unmark(block.Identity).AsValueMap()
		for _, name := range slices.Sorted(maps.Keys(parts)) {
			if tellsIdentity(parts[name], values) {
				add(name, "identity."+name, parts[name])
			}
		}
	}
	return hidden
}
