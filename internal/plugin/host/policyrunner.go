package host

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// policyRunner is an analyzer plugin that runs policy packs in a language which
// has no language plugin, such as pulumi-analyzer-policy-opa. It gets the
// pack's directory as the current one.
type policyRunner struct {
	found   Found
	runtime string
	// args follow the engine's address.
	args []string
}

// policyRunner finds what runs a pack. It is nil where the language plugin
// does.
func (h *Host) policyRunner(pack Found) (*policyRunner, diag.List) {
	manifest, diags := project.Load(pack.manifest)
	if manifest == nil {
		return nil, diags
	}
	runtime := manifest.Runtime.Name
	_, missing := h.opts.Finder.Find(plugin.Language, wantedLanguage(runtime))
	if !missing.HasErrors() {
		return nil, nil // what else there is to say, RunPlugin says
	}
	found, more := h.opts.Finder.Find(plugin.Analyzer, Wanted{Name: "policy-" + runtime})
	if more.HasErrors() {
		return nil, append(append(diags, missing...), needsPolicyRunner(pack, runtime))
	}
	diags = append(append(diags, more...), manifest.CheckRequirement(EngineVersion())...)
	args := []string{"."}
	for _, name := range slices.Sorted(maps.Keys(manifest.Runtime.Options)) {
		if value := fmt.Sprint(manifest.Runtime.Options[name]); value != "" {
			args = append(args, "-"+name+"="+value)
		}
	}
	return &policyRunner{found, runtime, args}, diags
}

// forRunner is what the environment of a policy runner has on top. Programs in
// JavaScript look for names of their own.
func (s *Stack) forRunner(runtime string) []string {
	if s == nil {
		return nil
	}
	env := map[string]string{
		"PULUMI_ORGANIZATION": s.Organization, "PULUMI_PROJECT": s.Project, "PULUMI_STACK": s.Name,
		"PULUMI_DRY_RUN": strconv.FormatBool(s.DryRun),
	}
	if runtime == "nodejs" {
		for _, name := range []string{"ORGANIZATION", "PROJECT", "STACK", "DRY_RUN"} {
			env["PULUMI_NODEJS_"+name] = env["PULUMI_"+name]
		}
	}
	if s.Config != nil {
		config, _ := json.Marshal(s.Config) // strings always have a JSON form
		env["PULUMI_CONFIG"] = string(config)
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(env)) {
		if env[name] != "" {
			out = append(out, name+"="+env[name])
		}
	}
	return out
}
