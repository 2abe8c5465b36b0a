package importer

import (
	"testing"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// TestVariablePrefix holds that names of variables do not say the noun twice.
func TestVariablePrefix(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ typeName, name, want string }{
		{"x_instance", "instance_1st_box", "instance_1st_box"},
		{"x_instance", "instance", "instance"},
		{"x_instance", "instances", "instance_instances"},
		{"x_db_user", "app", "db_user_app"},
		{"x_db_user", "db_user_app", "db_user_app"},
		{"x_bucket", "x_billing", "bucket_x_billing"},
	} {
		if got := variablePrefix(tfaddr.Resource{Mode: tfaddr.Managed, Type: c.typeName, Name: c.name}); got != c.want {
			t.Errorf("%s.%s: %s, want %s", c.typeName, c.name, got, c.want)
		}
	}
}
