package bridge

import (
	"context"
	"io"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/pkgschema"
	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// GetSchema answers with the schema of the package that there is: an empty one
// before Parameterize.
func (b *bridge) GetSchema(ctx context.Context, _ *pulumirpc.GetSchemaRequest) (*pulumirpc.GetSchemaResponse, error) {
	made := b.made.Load()
	if made == nil {
		text, err := pschema.Encode(b.base.schema())
		return &pulumirpc.GetSchemaResponse{Schema: string(text)}, err
	}
	ctx, cancel := b.interruptible(ctx)
	defer cancel()
	text, err := made.get(ctx, "schema", func(w io.Writer, pkg *mapping.Package) error {
		return pkgschema.Write(ctx, w, pkg, pkgschema.Options{
			BasePlugin: b.base.name, BaseVersion: b.base.version,
			Parameter: made.parameter.Value(), Namespace: made.parameter.Provider.Namespace,
		})
	})
	if err != nil {
		return nil, refused(err)
	}
	return &pulumirpc.GetSchemaResponse{Schema: text}, nil
}
