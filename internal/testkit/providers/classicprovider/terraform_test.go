package classicprovider_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/testkit/providers/classicprovider"
	"github.com/formation-iac/formation/internal/testkit/tfcli"
)

// TestClients has each real client apply every resource type, plan nothing
// afterwards, and import everything again from ids alone.
func TestClients(t *testing.T) {
	t.Parallel()
	tfcli.Each(t, lives)
}

func lives(t *testing.T, path string) {
	server := estate.Start(t, estate.Options{Token: "synthetic"})
	dir := t.TempDir()
	copyFile(t, "testdata/main.tf", filepath.Join(dir, "main.tf"))
	client := tfcli.New(t, path, tfcli.Options{
		Dir:       dir,
		Providers: map[string]string{classicprovider.Address: build.Binary(t, "terraform-provider-classic")},
		Env:       []string{"ESTATE_ENDPOINT=" + server.URL, "ESTATE_TOKEN=synthetic"},
	})
	client.Apply(t)
	client.EmptyPlan(t)

	created := managed(client.Show(t))
	if err := os.Remove(filepath.Join(dir, "terraform.tfstate")); err != nil {
		t.Fatal(err)
	}
	for _, instance := range created {
		client.Must(t, "import", "-no-color", instance.Address, instance.Values["id"].(string))
	}
	if got := len(managed(client.Show(t))); got != len(created) {
		t.Errorf("imported %d resources of %d", got, len(created))
	}
	want := []string{ // what an import cannot know
		"classic_bucket.data update force_destroy",
		"classic_db_user.app update password",
		"classic_db_user.owner update password",
		"classic_instance.web update deletion_protection,expect_state,timeouts",
	}
	if diff := cmp.Diff(want, client.Changes(t)); diff != "" {
		t.Errorf("what the plan after an import changes (-want +got):\n%s", diff)
	}
	client.Destroy(t)
	if left := server.Store.Total(); left != 0 {
		t.Errorf("destroy left %d objects:\n%s", left, server.Store.Dump(estate.DumpOptions{}))
	}
}

func managed(all []tfcli.Instance) []tfcli.Instance {
	return slices.DeleteFunc(all, func(i tfcli.Instance) bool { return strings.HasPrefix(i.Address, "data.") })
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
