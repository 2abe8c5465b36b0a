package schematest

import (
	"context"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// Bind opens a schema, binds all of it and reports everything that is wrong.
// The Package is nil where the text is no JSON object.
func Bind[Text ~string | ~[]byte](ctx context.Context, data Text, opts pschema.Options) (*pschema.Package, diag.List) {
	pkg, diags := pschema.Open(ctx, data, opts)
	if pkg == nil {
		return nil, diags
	}
	return pkg, pkg.BindAll(ctx)
}

// BindSpec is [Bind] for a schema that is no text yet; ranges are of what
// [pschema.Encode] writes.
func BindSpec(ctx context.Context, spec pschema.PackageSpec, opts pschema.Options) (*pschema.Package, diag.List) {
	data, err := pschema.Encode(spec)
	if err != nil {
		return nil, diag.FromError("", "The schema cannot be written as JSON", err)
	}
	return Bind(ctx, data, opts)
}
