package workflow

import (
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
)

// CodeNoDependencies marks dependencies that were left to the user.
const CodeNoDependencies = "WF0064"

func noPluginCache(err error) *diag.Diagnostic {
	return diag.Errorf("WF0060", "No place for plugins", "%s. Set PULUMI_HOME to a directory.", err)
}

func noBroker(err error) diag.List {
	return diag.FromError("WF0062", "Plugins cannot talk back", err)
}

func notEnded(err error) *diag.Diagnostic {
	return diag.Warnf("WF0063", "A plugin did not end", "%s.", err)
}

func noProject(dir string) *diag.Diagnostic {
	return diag.Errorf("WF0067", "No project", "There is no Pulumi.yaml, PulumiPlugin.yaml or PulumiPolicy.yaml in %s or above.", dir)
}

// dependenciesLeft says what to run where we cannot.
func dependenciesLeft(runtime string, command []string) *diag.Diagnostic {
	if command == nil {
		return diag.Warnf(CodeNoDependencies, "The program's dependencies are not installed",
			"pulumi-language-%s does that, and is not installed. It comes with the pulumi program; put it on the PATH, or install the dependencies yourself.", runtime)
	}
	return diag.Warnf(CodeNoDependencies, "The program's dependencies are not installed",
		"Neither pulumi-language-%s nor %s is on the PATH. Run this where it is: %s", runtime, command[0], strings.Join(command, " "))
}

func dependenciesFailed(what string, err error, said string) *diag.Diagnostic {
	detail := what + ": " + strings.TrimRight(err.Error(), ".") + "."
	if said = strings.TrimSpace(said); said != "" {
		detail += " It said:\n" + said
	}
	return diag.Errorf("WF0065", "The dependencies could not be installed", "%s", detail)
}

func requirementsUnknown(runtime string) *diag.Diagnostic {
	return diag.Warnf("WF0066", "Plugins that only the program names are not looked for",
		"pulumi-language-%s could tell which they are, and is not installed; it comes with the pulumi program. "+
			"What `packages` in Pulumi.yaml names is complete.", runtime)
}
