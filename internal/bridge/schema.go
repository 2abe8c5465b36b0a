package bridge

import (
	"context"
	"io"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/pkgschema"
	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/pserve"
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
	text, tag, err := made.schema(ctx, pserve.HeldSchema(ctx))
	if err != nil {
		return nil, refused(err)
	}
	if tag != "" {
		_ = pserve.TagSchema(ctx, tag) // without it, the client holds nothing
	}
	return &pulumirpc.GetSchemaResponse{Schema: text}, nil
}

// schema is the package's, with the documentation that the parameter asks for,
// and the tag of that edition. It is "" where the client holds it.
func (m *bridged) schema(ctx context.Context, held string) (text, tag string, err error) {
	documentation := m.documentation(ctx)
	schema := answer{"schema", documentation.stamp, func(ctx context.Context, pkg *mapping.Package) (func(io.Writer) error, bool, error) {
		docs, whole, err := m.open(ctx, documentation, pkg)
		return func(w io.Writer) error {
			return pkgschema.Write(ctx, w, pkg, pkgschema.Options{
				BasePlugin: m.bridge.base.name, BaseVersion: m.bridge.base.version,
				Parameter: m.parameter.Value(), Namespace: m.parameter.Provider.Namespace, Docs: docs,
			})
		}, whole, err
	}}
	if held != "" && held == m.cache(ctx, schema).tag() {
		return "", held, nil
	}
	text, kept, err := m.get(ctx, schema)
	return text, kept.tag(), err
}
