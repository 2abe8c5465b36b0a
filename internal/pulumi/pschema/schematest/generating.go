package schematest

import (
	"testing"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// Generating measures what it takes to bind the text of a [Large] schema and
// to generate something of it.
func Generating(b *testing.B, generate func(*pschema.Package) error) {
	b.Helper()
	data, err := pschema.Encode(Wide(Large()))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		pkg, diags := Bind(b.Context(), data, pschema.Options{})
		if diags.HasErrors() {
			b.Fatal(diags.Err())
		}
		if err := generate(pkg); err != nil {
			b.Fatal(err)
		}
	}
}
