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
	data, err := pschema.Encode(schematest.Wide(schematest.Large()))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		pkg, diags := pschema.Bind(b.Context(), data, pschema.Options{})
		if diags.HasErrors() {
			b.Fatal(diags.Err())
		}
		if err := python.Write(b.Context(), pkg, func(sdkgen.File) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}
