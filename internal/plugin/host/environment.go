package host

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/plugin"
)

// Environment is a process's environment, as "key=value". Where a key comes
// twice, the last one counts.
type Environment []string

// Lookup returns a variable, or "".
func (e Environment) Lookup(name string) string {
	for _, entry := range slices.Backward(e) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

// with returns e and more, each key once. It is never nil, which would stand
// for our own environment.
func (e Environment) with(more ...string) Environment {
	all := slices.Concat(e, more)
	last := map[string]int{}
	for i, entry := range all {
		key, _, _ := strings.Cut(entry, "=")
		last[key] = i
	}
	out := Environment{}
	for i, entry := range all {
		if key, _, _ := strings.Cut(entry, "="); last[key] == i {
			out = append(out, entry)
		}
	}
	return out
}

// renamed returns e with variables that have the values of others: each key of
// mappings is the name of one that e may have, and its value the name under
// which a plugin looks for it (envVarMappings of a provider resource).
func (e Environment) renamed(mappings map[string]string) Environment {
	var more []string
	for _, from := range slices.Sorted(maps.Keys(mappings)) {
		if slices.ContainsFunc(e, func(entry string) bool { return strings.HasPrefix(entry, from+"=") }) {
			more = append(more, mappings[from]+"="+e.Lookup(from))
		}
	}
	return e.with(more...)
}

// ProjectInfo is what resource plugins are told about the project at hand.
type ProjectInfo struct {
	// Name is the project's; or "".
	Name string
	// Config is the stack's configuration, a JSON object; or "".
	Config string
	// RuntimeOptions are those of the project's language.
	RuntimeOptions map[string]any
}

// forResource is what the environment of a resource plugin has on top.
func (p ProjectInfo) forResource(name string) []string {
	var env []string
	for _, option := range slices.Sorted(maps.Keys(p.RuntimeOptions)) {
		env = append(env, fmt.Sprintf("PULUMI_RUNTIME_%s=%v", strings.ToUpper(option), p.RuntimeOptions[option]))
	}
	if p.Name != "" {
		env = append(env, "PULUMI_PROJECT="+p.Name)
		if name == plugin.NodeDynamicProvider {
			env = append(env, "PULUMI_NODEJS_PROJECT="+p.Name)
		}
	}
	if p.Config != "" {
		env = append(env, "PULUMI_CONFIG="+p.Config)
	}
	return env
}
