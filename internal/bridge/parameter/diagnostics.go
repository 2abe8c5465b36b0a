package parameter

import (
	"strconv"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
)

const usage = `Name a provider of a registry as [host/][namespace/]type, with a version constraint after it where the newest is not wanted, or give the path of a terraform-provider-NAME executable.
--include NAME,…        only these resource types, data sources and functions, by their Terraform names
--exclude NAME,…        all but these
--provider-name NAME    the name of the package
--fullDocs              describe the package with the provider's documentation as well: its registry's, or in docs beside a local executable
--upstreamRepoPath DIR  the same, with docs in a directory that has the provider's source
Examples:
  pulumi package add terraform-bridge hashicorp/random
  pulumi package add terraform-bridge -- registry.opentofu.org/Azure/alz "~> 0.11" --include alz_policy_assignments
  pulumi package add terraform-bridge -- ./terraform-provider-example --provider-name example2`

const environment = `Environment:
  ` + plugin.OfflineVariable + `=true               download nothing: caches and local mirrors only
  TF_CLI_CONFIG_FILE                   the CLI configuration of terraform and tofu: mirrors, credentials
  PULUMI_DYNAMIC_TF_PLUGIN_CACHE_DIR   where downloaded providers are kept
  PULUMI_BRIDGE_REATTACH_PROVIDERS     providers that a debugger holds, as TF_REATTACH_PROVIDERS
  TF_LOG                               what the provider is to log: off, warn, debug, trace`

// Help says what the bridge is told, and how.
func Help() string { return usage + "\n" + environment }

func help() *diag.Diagnostic {
	return diag.Errorf("PA0001", "Arguments of the bridge", "%s", Help())
}

func badArguments(err error) *diag.Diagnostic {
	return diag.Errorf("PA0002", "Cannot read the provider's arguments", "%s.\n%s", err, usage)
}

func nothingNamed() *diag.Diagnostic {
	return diag.Errorf("PA0003", "No Terraform provider is named", "%s", usage)
}

func tooManyArguments(rest []string) *diag.Diagnostic {
	return diag.Errorf("PA0004", "Too many arguments",
		"After the provider comes one version constraint, and here come %d arguments: %q. Put a constraint of several words in quotes.", len(rest), rest)
}

func pathWithVersion(path string, rest []string) *diag.Diagnostic {
	return diag.Errorf("PA0005", "A version for a local provider",
		"%s is what it is, so %q has no meaning after it. Leave that away.", path, rest)
}

func invalidProvider(source string, err error) *diag.Diagnostic {
	return diag.Errorf("PA0006", "No provider's address: "+source, "%s.\n%s", err, usage)
}

func notAProviderName(path string) *diag.Diagnostic {
	return diag.Errorf("PA0007", path+" cannot be a Terraform provider",
		"The file of a provider is named terraform-provider-NAME, as its package is named after it. Rename it, or give the path of another file.")
}

func includedAndExcluded(names []string) *diag.Diagnostic {
	return diag.Errorf("PA0008", "Both included and excluded: "+strings.Join(names, ", "),
		"Take the names out of --include or out of --exclude.")
}

func invalidName(name string) *diag.Diagnostic {
	return diag.Errorf("PA0009", "No name for a package: "+name,
		"A Pulumi package's name begins with a letter and has letters, digits, \"-\" and \"_\"; pulumi is the engine's own. Give one with --provider-name.")
}

// unkeepable reports what an SDK's JSON has no form for.
func unkeepable(text string) *diag.Diagnostic {
	return diag.Errorf("PA0011", "Not a name: "+strconv.Quote(text), "It is no valid UTF-8, so that an SDK could not hold it. Choose another path or name.")
}

// badValue does not quote the value: nobody has written it by hand.
func badValue(err error) *diag.Diagnostic {
	return diag.Errorf("PA0010", "The parameter in the SDK cannot be read",
		"%s. Generate the SDK again: pulumi package add terraform-bridge PROVIDER.", err)
}
