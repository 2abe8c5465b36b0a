package tfregistry_test

import (
	"errors"
	"testing"

	"github.com/formation-iac/formation/internal/base/fetch"
	"github.com/formation-iac/formation/internal/testkit/registrytest"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
)

// TestEndpoint finds the registry that the CLI configuration lets be asked.
func TestEndpoint(t *testing.T) {
	t.Parallel()
	s := registrytest.Start(t)
	elsewhere := configFrom(t, `host "registry.example" {
  services = { "providers.v1" = "https://elsewhere.example/terraform/v1/providers" }
}`)
	for name, tt := range map[string]struct {
		opts tfregistry.Options
		want string
		err  error
	}{
		"discovered":   {tfregistry.Options{}, "https://registry.example/v1/providers/acme/demo/", nil},
		"configured":   {tfregistry.Options{CLIConfig: elsewhere}, "https://elsewhere.example/terraform/v1/providers/acme/demo/", nil},
		"mirrors only": {tfregistry.Options{CLIConfig: configFrom(t, `provider_installation { network_mirror { url = "https://mirror.example/" } }`)}, "", tfregistry.ErrNoRegistry},
		"excluded":     {tfregistry.Options{CLIConfig: configFrom(t, `provider_installation { direct { exclude = ["registry.example/*/*"] } }`)}, "", tfregistry.ErrNoRegistry},
		"offline":      {tfregistry.Options{Offline: true}, "", fetch.ErrOffline},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.opts.Transport = s.Transport()
			p := demo
			p.Host = "registry.example"
			_, base, err := newRegistry(t, tt.opts).Endpoint(t.Context(), p)
			if !errors.Is(err, tt.err) || tt.err == nil && base.String() != tt.want {
				t.Errorf("got %v, %v", base, err)
			}
		})
	}
}
