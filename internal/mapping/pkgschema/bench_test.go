package pkgschema_test

import (
	"io"
	"testing"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/pkgschema"
	"github.com/formation-iac/formation/internal/testkit/memschema"
)

// BenchmarkWrite writes the schema of a provider of a thousand types whose
// schemas are decoded already.
func BenchmarkWrite(b *testing.B) {
	catalog := memschema.Wide(1000).Catalog()
	b.ReportAllocs()
	for b.Loop() {
		pkg, diags := mapping.New(catalog, mapping.Options{Name: "wide", ProviderName: "wide", Version: "1.0.0"})
		if err := diags.Err(); err != nil {
			b.Fatal(err)
		}
		written := &counter{}
		if err := pkgschema.Write(b.Context(), written, pkg, pkgschema.Options{BasePlugin: "terraform-bridge", BaseVersion: "1.0.0"}); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(written.bytes)
	}
}

// counter counts what is written.
type counter struct{ bytes int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.bytes += int64(len(p))
	return io.Discard.Write(p)
}
