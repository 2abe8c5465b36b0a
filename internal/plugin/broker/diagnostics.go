package broker

import (
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin/host"
)

func gaveUp(cause error) *diag.Diagnostic {
	return diag.Errorf(host.CodeInterrupted, "A question of a plugin was given up", "%s.", cause)
}

func unreadableMapping(path string, err error) *diag.Diagnostic {
	return diag.Errorf("PB0001", "Cannot read the mapping "+path, "%s.", err)
}

// unusable makes the errors of plugins that cannot be used at all into
// warnings.
func unusable(diags diag.List) diag.List {
	return warnings(diags, func(d *diag.Diagnostic) *diag.Diagnostic {
		return diag.Warnf("PB0002", d.Summary, "%s\nIts mappings, if it has any, are not used.", d.Detail)
	})
}

// asWarnings makes the errors of a plugin that was asked for mappings into
// warnings: others may know.
func asWarnings(plugin string, diags diag.List) diag.List {
	return warnings(diags, func(d *diag.Diagnostic) *diag.Diagnostic {
		return diag.Warnf("PB0003", "Cannot ask plugin "+plugin+" for mappings",
			"%s: %s\nIts mappings, if it has any, are not used.", d.Summary, d.Detail)
	})
}

// warnings replaces the errors among diags.
func warnings(diags diag.List, by func(*diag.Diagnostic) *diag.Diagnostic) diag.List {
	var out diag.List
	for _, d := range diags {
		if d.Severity == diag.Error {
			d = by(d)
		}
		out = append(out, d)
	}
	return out
}

func otherProvider(found host.Found, asked, got string) *diag.Diagnostic {
	return diag.Warnf("PB0004", "Plugin "+found.Name+" has the mapping of another provider",
		"It says that it has one for %q, and gives one for %q. It is not used.", asked, got)
}
