package bridge

import (
	"context"
	"fmt"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

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
	text, err := made.schema(ctx)
	if err != nil {
		return nil, refused(err)
	}
	return &pulumirpc.GetSchemaResponse{Schema: text}, nil
}

// schema is the package's schema as JSON, from an earlier run if possible.
func (m *bridged) schema(ctx context.Context) (string, error) {
	cache := m.schemaCache()
	if text, ok := cache.load(); ok {
		return text, nil
	}
	pkg, err := m.mapped(ctx)
	if err != nil {
		return "", err
	}
	text, err := pkgschema.Generate(ctx, pkg, pkgschema.Options{
		BasePlugin: m.bridge.base.name, BaseVersion: m.bridge.base.version,
		Parameter: m.parameter.Value(), Namespace: m.parameter.Provider.Namespace,
	})
	if err != nil {
		return "", fmt.Errorf("the schema of package %s: %w", m.name, err)
	}
	if err := cache.save(text); err != nil {
		m.bridge.Report(ctx, "", schemaUnwritable(cache.file, err))
	}
	return string(text), nil
}
