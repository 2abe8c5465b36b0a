package tfconfig

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"

	"github.com/formation-iac/formation/internal/base/diag"
)

// CodeSyntax is the code of what the HCL parser says.
const CodeSyntax = "TC0101"

func unreadableDir(dir string, err error) *diag.Diagnostic {
	if missing(err) {
		return diag.Errorf("TC0102", "No such module directory", "%s does not exist. Check the path.", dir)
	}
	return diag.Errorf("TC0102", "Cannot read module directory", "%s: %s.", dir, err)
}

func unreadableFile(path string, err error) *diag.Diagnostic {
	return diag.Errorf("TC0103", "Cannot read configuration file", "%s: %s.", path, err)
}

// emptyModule reports a directory without configuration files.
func emptyModule(dir string) *diag.Diagnostic {
	return diag.Errorf("TC0104", "No configuration files", "%s has no .tf, .tf.json, .tofu or .tofu.json file. Name the directory of a module.", dir)
}

// invalidName reports a label that is no identifier.
func invalidName(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0105", "Invalid name", "%q is not a name: it must start with a letter or underscore and may contain letters, digits, underscores and dashes.", name).At(at)
}

// duplicate reports a second declaration of one thing.
func duplicate(what string, first, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0106", fmt.Sprintf("Duplicate %s", what), "It is declared at %s already. Rename or remove one of the two.", first).At(at)
}

// nothingToOverride reports an override of what no other file declares.
func nothingToOverride(what string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0107", fmt.Sprintf("No base for override of %s", what), "An override file can only change what another file of the module declares.").At(at)
}

// missingArgument reports a block without an argument that it needs.
func missingArgument(argument, block string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0108", "Missing argument", "The %s needs %s.", block, argument).At(at)
}

// wantLiteral reports a value that cannot be known before evaluation.
func wantLiteral(what string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0109", "Unsuitable value", "Here must stand %s, written out.", what).At(at)
}

// invalidSource reports a provider source that is no address.
func invalidSource(err error, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0110", "Invalid provider source", "%s.", err).At(at)
}

// unknownProviderArgument reports a stray key of required_providers.
func unknownProviderArgument(key string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0111", "Invalid required_providers entry", "%q is not one of source, version and configuration_aliases.", key).At(at)
}

// invalidProviderRef reports what does not name a provider configuration.
func invalidProviderRef(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0112", "Invalid provider reference", "Write the provider's local name, followed by a dot and an alias where the configuration has one.").At(at)
}

// invalidDefault reports a default that does not fit the variable's type.
func invalidDefault(name string, err error, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0113", "Invalid default value for variable", "The default of %s does not fit its type: %s.", name, err).At(at)
}

// nullDefault reports a null default where null is not allowed.
func nullDefault(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0114", "Invalid default value for variable", "The default of %s is null, and nullable = false forbids that.", name).At(at)
}

// severalRepetitions reports a block with more than one of the arguments that
// say how many instances it has.
func severalRepetitions(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0115", "Invalid combination of count, for_each and enabled", "At most one of them may be set.").At(at)
}

// notOverridable reports what an override file may not have.
func notOverridable(what string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0120", "Cannot be overridden", "An override file must not have %s. Change it where it is declared.", what).At(at)
}

// moduleNotInstalled names a module whose source is not on this machine.
func moduleNotInstalled(name, source string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0116", "Module not installed",
		"module.%s comes from %q, which is not a local path. Run init in the root module's directory, so that it is installed in .terraform/modules.", name, source).At(at)
}

// moduleInItself reports a module that is called from inside itself.
func moduleInItself(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0117", "Module calls itself", "module.%s leads back to a module that it is called from.", name).At(at)
}

// moduleNotReadable reports a local module that is not there.
func moduleNotReadable(name, dir string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0118", "Module not readable", "The source of module.%s leads to %s, which cannot be read as a module.", name, dir).At(at)
}

// badManifest reports a broken list of installed modules.
func badManifest(path string, err error) *diag.Diagnostic {
	return diag.Warnf("TC0119", "Cannot read the list of installed modules", "%s: %s. Run init again.", path, err)
}

// reservedBlock reports a block that the language keeps for itself.
func reservedBlock(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0121", "Reserved block type", "Blocks called %q are kept for later versions of the language. An argument of the provider that has the name goes into a block called _.", name).At(at)
}

// reservedArgument reports an argument that the language keeps for itself.
func reservedArgument(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0122", "Reserved argument", "%q is kept for later versions of the language. An argument of the provider that has the name goes into a block called _.", name).At(at)
}

// onlyManaged reports what other blocks than resources cannot have.
func onlyManaged(what string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0123", "Not for this kind of block", "Only resource blocks can have the %s. Take it out.", what).At(at)
}

// ignoreStar reports the form of old times for all attributes.
func ignoreStar(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0124", "Invalid ignore_changes entry", "\"*\" is not understood any more. Write ignore_changes = all.").At(at)
}

// notInCheck reports what the data source of a check cannot have.
func notInCheck(what string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0125", "Not in a check", "The data source of a check cannot have %s. Take it out, or declare the data source outside the check.", what).At(at)
}

// invalidKeyword reports an argument of a provisioner with another word than
// those it takes.
func invalidKeyword(argument, words string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0126", "Invalid keyword", "%s takes %s.", argument, words).At(at)
}

// malformedConstraint reports a version constraint that is none.
func malformedConstraint(text string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0127", "Invalid version constraint", "%q is not one. Write versions with =, !=, >, >=, <, <= or ~> before them, and commas between.", text).At(at)
}

// prereleaseConstraint reports a constraint on clients that names a prerelease.
func prereleaseConstraint(text string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0128", "Invalid version constraint", "%q names a prerelease, and those of clients count as the release that follows. Name that.", text).At(at)
}

// unknownEdition reports an edition of the language that is not there.
func unknownEdition(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0129", "Unknown language edition", "The one edition is tofu2024, written without quotes.").At(at)
}

// unknownExperiment reports an experiment of the language: there are none.
func unknownExperiment(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0130", "Unknown experiment", "OpenTofu has no experiments at present. Take it out.").At(at)
}

// otherCase reports a provider's local name that is not as addresses are.
func otherCase(name, want string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0131", "Invalid provider name", "%q is written %q.", name, want).At(at)
}

// foreignAlias reports an alias that is not one of the provider's.
func foreignAlias(provider string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0132", "Invalid configuration alias", "Write %s, a dot and an alias.", provider).At(at)
}

// redundantPrefix reports a source with the name of a repository.
func redundantPrefix(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0133", "Invalid provider source", "No provider's type begins with \"terraform-\", as %q does. Leave out what the name of its repository has before the type.", name).At(at)
}

// versionOfLocal reports a constraint on what has no versions.
func versionOfLocal(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0134", "Version of a local module", "Only modules of a registry have versions. Take the version out, or name a module of a registry.").At(at)
}

// partRemoved reports a removed block for what cannot be removed alone.
func partRemoved(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TC0135", "Invalid address in a removed block", "It must be that of a resource or a module, without instance keys. Data sources need no such block.").At(at)
}
