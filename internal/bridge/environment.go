package bridge

import (
	"path/filepath"

	"github.com/formation-iac/formation/internal/base/release"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/tf/tfhost"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// environment is what the Terraform side of a bridge has around it.
//
// Provider packages are kept where Pulumi's own bridge keeps them, in the same
// layout, so that neither downloads what the other has. What is derived from
// them stands beside, in a directory of ours, as do the contents of assets.
func (p Process) environment() (tfhost.Environment, error) {
	env := tfhost.Environment{
		Vars: p.Env, Version: release.Version(),
		ReattachVars: []string{"PULUMI_BRIDGE_REATTACH_PROVIDERS", tfprovider.ReattachEnv},
	}
	// Kept stays at its zero value, which trusts what an earlier run kept. An
	// engine starts a bridge for every operation, and a large provider takes far
	// longer to give its schema than to start. A program has the names and types
	// of its SDK besides, whatever the environment is now. The price: what a
	// variable of the environment makes required or sensitive is known only
	// where it was set when the schema was kept.
	env.Offline = plugin.Switched(env.Lookup, plugin.OfflineVariable)
	home, err := plugin.Home(env.Lookup)
	if err != nil {
		return env, noPulumiHome(err)
	}
	env.CacheDir = filepath.Join(home, "dynamic_tf_schemas")
	env.PackageVar = "PULUMI_DYNAMIC_TF_PLUGIN_CACHE_DIR"
	env.PackageDir = env.Lookup(env.PackageVar)
	if env.PackageDir == "" {
		env.PackageDir = filepath.Join(home, "dynamic_tf_plugins")
	}
	if env.Lookup("TF_LOG") != "" || env.Lookup("TF_LOG_PROVIDER") != "" {
		env.ProviderLog = p.Stderr
	}
	return env, nil
}
