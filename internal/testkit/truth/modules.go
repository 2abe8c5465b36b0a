package truth

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"testing"
)

//go:embed estate/main.tf
var estateSource []byte

//go:embed classic/main.tf
var classicSource []byte

// Load answers a ground truth for each test provider.
func Load() ([]Module, error) {
	modules := []Module{
		{
			Name: "estate", Provider: "registry.opentofu.org/formation-iac/estate",
			Binary: "terraform-provider-estate", Source: estateSource, singles: []string{"replication", "destination"},
		},
		{
			Name: "classic", Provider: "registry.opentofu.org/formation-iac/classic",
			Binary: "terraform-provider-classic", Source: classicSource, singles: []string{"timeouts"},
		},
	}
	for i := range modules {
		m := &modules[i]
		m.Variables = map[string]string{
			"db_admin_password": "synthetic-admin-secret",
			"db_shop_password":  "synthetic-shop-secret",
			"shop_api_token":    "synthetic-token-secret",
		}
		m.passwords = map[string]string{
			"admin": "db_admin_password", "shop": "db_shop_password",
			"readers": "db_shop_password", "reporting": "db_shop_password",
		}
		resources, err := derive(m.Source, knowledge{
			maps:     []string{"disks", "policies"},
			leaves:   []string{"tags", "settings", "metadata"},
			singles:  m.singles,
			defaults: []string{"subnet.staging.public", "instance.web_2.size"},
			unreadable: []string{
				"db_user.password", "db_user.password_wo", "db_user.password_wo_version",
				"bucket.force_destroy", "instance.timeouts",
			},
		})
		if err != nil {
			return nil, fmt.Errorf("ground truth %s: %w", m.Name, err)
		}
		m.Resources = resources
	}
	return modules, nil
}

// Modules is [Load] for tests.
func Modules(t testing.TB) []Module {
	t.Helper()
	modules, err := Load()
	if err != nil {
		t.Fatal(err)
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

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
