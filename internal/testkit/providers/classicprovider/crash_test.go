package classicprovider_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/testkit/providers/classicprovider"
	"github.com/formation-iac/formation/internal/testkit/tfcli"
)

// TestCrash has the API ask the provider's process to die in the middle of a
// read, and checks that what it says last reaches the client.
func TestCrash(t *testing.T) {
	t.Parallel()
	tfcli.Each(t, crashes)
}

func crashes(t *testing.T, path string) {
	server := estate.Start(t, estate.Options{
		Seed:   estate.SeedOptions{Objects: 60},
		Faults: estate.Faults{Crash: []estate.Crash{{Target: estate.Target{Op: estate.OpRead, Kind: "buckets"}}}},
	})
	dir := t.TempDir()
	copyFile(t, "testdata/main.tf", filepath.Join(dir, "main.tf"))
	client := tfcli.New(t, path, tfcli.Options{
		Dir:       dir,
		Providers: map[string]string{classicprovider.Address: build.Binary(t, "terraform-provider-classic")},
		Env:       []string{"ESTATE_ENDPOINT=" + server.URL, "TF_LOG=debug"},
	})
	result := client.Run(t, "import", "-no-color", "classic_bucket.data", "estate-checkout-prod")
	if result.ExitCode == 0 {
		t.Error("the import succeeded")
	}
	want := `terraform-provider-classic: crash: crash asked for at read buckets "estate-checkout-prod"`
	if !strings.Contains(result.Stderr, want) {
		t.Errorf("the log lacks %q", want)
	}
}
