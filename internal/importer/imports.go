package importer

import (
	"context"

	"github.com/formation-iac/formation/internal/base/parallel"
	"github.com/formation-iac/formation/internal/importer/read"
	"github.com/formation-iac/formation/internal/importer/secret"
	"github.com/formation-iac/formation/internal/importer/write"
)

// imports are the import blocks of an assembly. Ids are preferred, since
// every version of the tools knows them: the one that an object was found by,
// or one that is tried and leads to the same object. Only where there is none
// the identity is written.
func (r *run) imports(ctx context.Context, a *assembly, concurrency int) []write.Import {
	return parallel.Map(ctx, concurrency, a.places(), func(ctx context.Context, i int) write.Import {
		resource := &a.resources[i]
		out := write.Import{
			To: resource.addr, Identity: resource.Object.Identity,
			ID: read.ImportID(ctx, r.req.Provider, resource.Object),
		}
		values := a.secrets.of(resource.Object.Found)
		out.Secret = secret.Tells(out.ID, values) || out.ID == "" && tellsIdentity(out.Identity, values)
		return out
	})
}
