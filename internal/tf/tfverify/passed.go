package tfverify

import (
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
)

// checkPassed holds the provider configurations that callers pass, and those
// that called modules have of their own, against one another. The clients do
// so before anything is evaluated.
func checkPassed(tree *tfconfig.Tree) diag.List {
	var diags diag.List
	tree.Walk(func(t *tfconfig.Tree) {
		if t.Call != nil && t.Module != nil {
			diags = append(diags, checkAliases(t)...)
			diags = append(diags, checkOwnConfigurations(t)...)
			diags = append(diags, checkPassedOn(t)...)
		}
	})
	return diags
}

// checkAliases reports the configurations that t wants and does not get.
func checkAliases(t *tfconfig.Tree) (diags diag.List) {
	for _, name := range sortedKeys(t.Module.Required) {
		for _, alias := range t.Module.Required[name].Aliases {
			_, passed := t.Call.Providers[alias.String()]
			if !passed && configurationOf(t.Module, alias) == nil {
				diags = append(diags, missingAlias(alias.String(), t.Call.Name, t.Call.Range))
			}
		}
	}
	return diags
}

// configurationOf is the block of a configuration that says something: an
// empty one only announces it.
func configurationOf(m *tfconfig.Module, ref tfconfig.ProviderRef) *tfconfig.ProviderBlock {
	for _, p := range m.Providers {
		if p.Name == ref.Name && p.Alias == ref.Alias && configures(p) {
			return p
		}
	}
	return nil
}

func configures(p *tfconfig.ProviderBlock) bool {
	_, diags := p.Config.Content(&hcl.BodySchema{})
	return len(diags) > 0 || p.Version != ""
}

// checkOwnConfigurations reports the configurations of t that its caller
// configures, too, or that it cannot have where there may be several of it.
func checkOwnConfigurations(t *tfconfig.Tree) (diags diag.List) {
	repeated := hcl.Range{}
	for above := t; above.Call != nil && repeated.Empty(); above = above.Parent {
		repeated = repetitionOf(above.Call)
	}
	for _, p := range t.Module.Providers {
		if !configures(p) {
			continue
		}
		name := tfconfig.ProviderRef{Name: p.Name, Alias: p.Alias}.String()
		if passed, ok := t.Call.Providers[name]; ok {
			diags = append(diags, configuredTwice(name, t.Call.Name, passed.Range))
		}
		if !repeated.Empty() {
			diags = append(diags, ownConfiguration(name, t.Call.Name, repeated))
		}
	}
	return diags
}

// repetitionOf is what in a call says that the module may be there more than
// once, or that it waits for something.
func repetitionOf(call *tfconfig.ModuleCall) hcl.Range {
	for _, expr := range []hcl.Expression{call.Count, call.ForEach, call.Enabled} {
		if expr != nil {
			return expr.Range()
		}
	}
	if len(call.DependsOn) > 0 {
		return call.DependsOn[0].SourceRange()
	}
	return hcl.Range{}
}

// checkPassedOn reports what is passed to t and is not there, or is of another
// provider than t means.
func checkPassedOn(t *tfconfig.Tree) (diags diag.List) {
	for _, name := range sortedKeys(t.Call.Providers) {
		passed := t.Call.Providers[name]
		if !canPass(t.Parent, passed) {
			diags = append(diags, undefinedConfiguration(passed.String(), passed.Range))
			continue
		}
		local, _, _ := strings.Cut(name, ".")
		inner, outer := providerCalled(t.Module, local), providerCalled(t.Parent.Module, passed.Name)
		if inner.Host == "" || outer.Host == "" { // of such it is the default one
			inner.Host, outer.Host = "", ""
		}
		if inner != outer {
			diags = append(diags, otherProviderPassed(passed.String(), name, t.Call.Name, passed.Range))
		}
	}
	return diags
}

// canPass reports whether t has a configuration to pass on. The root module has
// an empty one of each provider that it requires.
func canPass(t *tfconfig.Tree, ref tfconfig.ProviderRef) bool {
	for _, p := range t.Module.Providers {
		if p.Name == ref.Name && p.Alias == ref.Alias {
			return true
		}
	}
	if t.Call != nil {
		_, passed := t.Call.Providers[ref.String()]
		return passed
	}
	required := t.Module.Required[ref.Name]
	return ref.Alias == "" && required != nil && !required.Implied
}

// providerCalled is the provider that a local name stands for. Where nothing
// says so, its host is "".
func providerCalled(m *tfconfig.Module, name string) tfaddr.Provider {
	if required := m.Required[name]; required != nil {
		return required.Provider
	}
	return tfaddr.Provider{Namespace: tfaddr.DefaultNamespace, Type: name}
}
