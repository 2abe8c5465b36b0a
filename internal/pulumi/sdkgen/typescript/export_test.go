package sdkts

import (
	"context"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen/sdkgentest"
)

// Generate gives what [Write] writes, sorted by path.
func Generate(ctx context.Context, pkg *pschema.Package, opts Options) ([]sdkgen.File, error) {
	return sdkgentest.Collect(func(sink sdkgen.Sink) error { return Write(ctx, pkg, opts, sink) })
}
