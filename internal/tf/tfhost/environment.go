package tfhost

import (
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// Environment is what a run of the program has around it.
type Environment struct {
	// Vars is the process's environment, as "key=value". Providers get it
	// whole, since their credentials live there.
	Vars []string
	// CacheDir holds provider packages and schemas; "" means "formation" in
	// the user's cache directory.
	CacheDir string
	// PackageDir holds provider packages in the layout of plugin_cache_dir,
	// so that it may be shared; "" means "providers" in the cache directory.
	PackageDir string
	// PackageVar is the variable with which users move PackageDir, to name in
	// advice; "" stands for the one that moves the user's cache directory.
	PackageVar string
	// ReattachVars name the variables that say which providers run already;
	// where several name the same provider, the first does. None stands for
	// TF_REATTACH_PROVIDERS.
	ReattachVars []string
	// Brief says that providers are asked much in one piece of work and then
	// end: their memory may grow for less work of their collectors, and they
	// need not answer twice.
	Brief bool
	// Kept says what schemas count for that an earlier run kept. The zero value
	// trusts them.
	Kept tfprovider.KeptSchema
	// Offline forbids network access to registries and mirrors.
	Offline bool
	// ProviderLog gets what providers write to stderr. May be nil.
	ProviderLog io.Writer
	// Version is this program's, for user agents and written files.
	Version string
}

// UserAgent is what the program calls itself in requests.
func (e Environment) UserAgent() string { return "formation/" + e.Version }

// Lookup returns an environment variable, or "".
func (e Environment) Lookup(name string) string {
	for i := len(e.Vars) - 1; i >= 0; i-- { // the last one counts
		if value, ok := strings.CutPrefix(e.Vars[i], name+"="); ok {
			return value
		}
	}
	return ""
}

// forProviders is the environment of provider processes: the user's, and
// what makes providers faster where the user has not chosen.
func (e Environment) forProviders() []string {
	out := slices.Clip(e.Vars)
	// Left alone, the provider SDKs log every step of every call for the
	// client to filter, which costs more than the calls. Their parts are told
	// one by one, or they put together what the whole then drops.
	level := "off"
	if e.ProviderLog != nil {
		level = "warn"
		if chosen := e.Lookup("TF_LOG"); chosen != "" {
			level = chosen
		}
	}
	names := []string{"TF_LOG_PROVIDER"}
	if e.Lookup("TF_LOG_SDK") == "" {
		names = append(names, "TF_LOG_SDK", "TF_LOG_SDK_PROTO", "TF_LOG_SDK_FRAMEWORK", "TF_LOG_SDK_HELPER_SCHEMA", "TF_LOG_SDK_MUX")
	}
	for _, name := range names {
		if e.Lookup(name) == "" {
			out = append(out, name+"="+level)
		}
	}
	return append(out, e.collector()...)
}

// collector tells the collectors of providers, where the user has not, that
// much is to be done rather than each call soon. Calls leave much garbage
// behind, and the SDKs hold on to a part of it until the end, which the
// collector looks at in vain again and again. Up to a size that any machine has
// it looks less often than by default, above that more often.
func (e Environment) collector() []string {
	if e.Lookup("GOGC") != "" || e.Lookup("GOMEMLIMIT") != "" {
		return nil
	}
	const limit = "GOMEMLIMIT=1GiB"
	if !e.Brief {
		return []string{"GOGC=400", limit}
	}
	// It does not look at all before the heap has 256 MB.
	out := []string{"GOGC=6400", limit}
	if e.Lookup("GODEBUG") == "" {
		// Nobody waits for a single answer, and what is written while the
		// collector works costs more, on pages not yet used most of all.
		out = append(out, "GODEBUG=gcstoptheworld=1")
	}
	return out
}

// reattachments are the providers that run already.
func (e Environment) reattachments() (map[tfaddr.Provider]*tfprovider.Reattach, diag.List) {
	variables := e.ReattachVars
	if variables == nil {
		variables = []string{tfprovider.ReattachEnv}
	}
	out := map[tfaddr.Provider]*tfprovider.Reattach{}
	for _, variable := range slices.Backward(variables) {
		named, err := tfprovider.ParseReattach(variable, e.Lookup(variable))
		if err != nil {
			return nil, diag.List{badReattach(variable, err)}
		}
		maps.Copy(out, named)
	}
	return out, nil
}

func (e Environment) cacheDir() (string, error) {
	if e.CacheDir != "" {
		return e.CacheDir, nil
	}
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "formation"), err
}
