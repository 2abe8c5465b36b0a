package sdkts_test

import (
	"runtime"
	"testing"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/pschema/schematest"
	sdkts "github.com/formation-iac/formation/internal/pulumi/sdkgen/typescript"
)

// BenchmarkGenerate turns the text of a schema of 1,000 resources with deep
// types into an SDK. live-MiB is what is in use at the end: the text, what is
// bound, and all files.
func BenchmarkGenerate(b *testing.B) {
	schematest.Generating(b, func(pkg *pschema.Package) error {
		files, err := sdkts.Generate(b.Context(), pkg, sdkts.Options{})
		if err != nil {
			return err
		}
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		b.ReportMetric(float64(stats.HeapAlloc)/(1<<20), "live-MiB")
		b.ReportMetric(float64(len(files)), "files")
		runtime.KeepAlive(pkg)
		return nil
	})
}
