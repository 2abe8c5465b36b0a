package golang

import (
	"context"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen/sdkgentest"
)

// Generate gives what [Write] writes, sorted by path.
func Generate(ctx context.Context, pkg *pschema.Package) ([]sdkgen.File, error) {
	return sdkgentest.Collect(func(sink sdkgen.Sink) error { return Write(ctx, pkg, sink) })
}

// GenerateSpread is [Generate] with another limit of what one Go package has.
func GenerateSpread(ctx context.Context, pkg *pschema.Package, maxPieces int) ([]sdkgen.File, error) {
	return sdkgentest.Collect(func(sink sdkgen.Sink) error { return write(ctx, pkg, maxPieces, sink) })
}

// Words shows the words of a name.
func Words(name string) []string { return words(name) }
