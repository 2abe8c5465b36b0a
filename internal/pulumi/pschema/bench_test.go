package pschema_test

import (
	"testing"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/pschema/schematest"
)

// BenchmarkBind binds all of a schema of 1,000 resources with deep types.
func BenchmarkBind(b *testing.B) {
	data := large(b)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, diags := schematest.Bind(b.Context(), data, pschema.Options{}); diags.HasErrors() {
			b.Fatal(diags.Err())
		}
	}
}

// BenchmarkOpen opens the same schema and binds one resource.
func BenchmarkOpen(b *testing.B) {
	data := large(b)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		pkg, diags := pschema.Open(b.Context(), data, pschema.Options{})
		if diags.HasErrors() {
			b.Fatal(diags.Err())
		}
		if _, ok := pkg.Resource("wide:mod7/Thing7:Thing7"); !ok {
			b.Fatal("no resource")
		}
	}
}

func large(tb testing.TB) []byte {
	tb.Helper()
	data, err := pschema.Encode(schematest.Wide(schematest.Large()))
	if err != nil {
		tb.Fatal(err)
	}
	return data
}
