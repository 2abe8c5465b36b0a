package host_test

import (
	"slices"
	"testing"

	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/host"
)

// TestOffline keeps mirrors on this machine, and nothing else that would lead
// to the network.
func TestOffline(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, given, want string }{
		{plugin.OfflineVariable, "0", "true"},
		{"npm_config_offline", "", "true"},
		{"GOPROXY", "", "off"},
		{"GOPROXY", "https://proxy.example,direct", "off"},
		{"GOPROXY", "file:///mirror", "file:///mirror"},
		{"PIP_FIND_LINKS", "/mirror", "/mirror"},
	} {
		env := host.Environment{"A=b", test.name + "=" + test.given}
		got := env.Offline()
		if value := got.Lookup(test.name); value != test.want || got.Lookup("A") != "b" {
			t.Errorf("%s=%s becomes %q", test.name, test.given, value)
		}
		if !slices.Equal(env, host.Environment{"A=b", test.name + "=" + test.given}) {
			t.Errorf("the environment has changed: %v", env)
		}
	}
}
