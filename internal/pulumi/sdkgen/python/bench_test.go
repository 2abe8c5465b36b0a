package python_test

import (
	"testing"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/pschema/schematest"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen/python"
)

// BenchmarkWrite turns the text of a schema of 1,000 resources with deep types
// into an SDK that nobody keeps.
func BenchmarkWrite(b *testing.B) {
	schematest.Generating(b, func(pkg *pschema.Package) error {
		return python.Write(b.Context(), pkg, func(sdkgen.File) error { return nil })
	})
}
