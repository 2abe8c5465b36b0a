package bridge

import (
	"testing"

	"github.com/formation-iac/formation/internal/base/release"
)

func TestPluginVersion(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/home/.pulumi/plugins/resource-terraform-provider-v1.1.0/pulumi-resource-terraform-provider":    "1.1.0",
		"/home/.pulumi/plugins/resource-terraform-bridge-v2.0.0-rc.1+b/pulumi-resource-terraform-bridge": "2.0.0-rc.1+b",
		"/home/.pulumi/plugins/resource-terraform-provider-v1.1.0/pulumi-resource-terraform-bridge":      release.Semantic(),
		"/home/.pulumi/plugins/resource-terraform-bridge-vnext/pulumi-resource-terraform-bridge":         release.Semantic(),
		"/usr/bin/pulumi-resource-terraform-bridge":                                                      release.Semantic(),
		"pulumi-resource-terraform-bridge":                                                               release.Semantic(),
	} {
		if got := pluginVersion(path); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}
