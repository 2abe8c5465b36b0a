package truth

import (
	_ "embed"
	"maps"
	"slices"
	"testing"
)

//go:embed estate/main.tf
var estateSource []byte

//go:embed classic/main.tf
var classicSource []byte

// Modules answers a ground truth for each test provider.
func Modules(t testing.TB) []Module {
	t.Helper()
	modules := []Module{
		{
			Name: "estate", Provider: "registry.opentofu.org/formation-iac/estate",
			Binary: "terraform-provider-estate", Source: estateSource,
		},
		{
			Name: "classic", Provider: "registry.opentofu.org/formation-iac/classic",
			Binary: "terraform-provider-classic", Source: classicSource,
		},
	}
	singles := map[string][]string{"estate": {"replication", "destination"}, "classic": {"timeouts"}}
	for i := range modules {
		modules[i].Variables = map[string]string{
			"db_admin_password": "synthetic-admin-secret",
			"db_shop_password":  "synthetic-shop-secret",
			"shop_api_token":    "synthetic-token-secret",
		}
		resources, err := derive(modules[i].Source, knowledge{
			maps:     []string{"disks", "policies"},
			leaves:   []string{"tags", "settings", "metadata"},
			singles:  singles[modules[i].Name],
			defaults: []string{"subnet.staging.public", "instance.web_2.size"},
			unreadable: []string{
				"db_user.password", "db_user.password_wo", "db_user.password_wo_version",
				"bucket.force_destroy", "instance.timeouts",
			},
		})
		if err != nil {
			t.Fatalf("ground truth %s: %v", modules[i].Name, err)
		}
		modules[i].Resources = resources
	}
	return modules
}

// Named answers one of Modules.
func Named(t testing.TB, name string) Module {
	t.Helper()
	for _, m := range Modules(t) {
		if m.Name == name {
			return m
		}
	}
	t.Fatalf("there is no ground truth %q", name)
	return Module{}
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
