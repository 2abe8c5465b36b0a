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
	text, err := made.schema(ctx)
	if err != nil {
		return nil, refused(err)
	}
	return &pulumirpc.GetSchemaResponse{Schema: text}, nil
}

// schema is the package's, with the documentation that the parameter asks for.
func (m *bridged) schema(ctx context.Context) (string, error) {
	documentation := m.documentation(ctx)
	return m.get(ctx, answer{"schema", documentation.stamp, func(ctx context.Context, pkg *mapping.Package) (func(io.Writer) error, bool, error) {
		docs, whole, err := m.open(ctx, documentation, pkg)
		return func(w io.Writer) error {
			return pkgschema.Write(ctx, w, pkg, pkgschema.Options{
				BasePlugin: m.bridge.base.name, BaseVersion: m.bridge.base.version,
				Parameter: m.parameter.Value(), Namespace: m.parameter.Provider.Namespace, Docs: docs,
			})
		}, whole, err
	}})
}
