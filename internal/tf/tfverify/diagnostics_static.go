package tfverify

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/formation-iac/formation/internal/base/diag"
)

// redundantMove reports a move that leads to where it begins.
func redundantMove(address string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0060", "Redundant move", "The block moves %s to itself. Take it out.", address).At(at)
}

// movedStillExists reports a move away from what configuration has still.
func movedStillExists(address string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0061", "Moved object still exists", "The block moves %s away, but it is still configured. Take one of the two out.", address).At(at)
}

// ambiguousMove reports a second move from or to one address.
func ambiguousMove(address string, first, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0062", "Ambiguous moves", "The block at %s moves %s, too, and names another address at its other end. Keep one of them.", first, address).At(at)
}

// cyclicMoves reports a chain of moves without an end.
func cyclicMoves(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0063", "Cycle of moves", "The block is part of a chain of moves that leads back to it, so that nothing can be at the end. Take one of them out.").At(at)
}

// removedStillExists reports a removed block for what is configured.
func removedStillExists(address string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0064", "Removed object still exists", "The block removes %s, but it is still configured. Take one of the two out.", address).At(at)
}

// removedAddress reports a removed block that leads nowhere.
func removedAddress(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0107", "Invalid address in a removed block", "It must be that of a resource or a module, as in \"module.a\".").At(at)
}

// removedOnCreate reports a provisioner that never runs.
func removedOnCreate(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0105", "Invalid provisioner of a removed block", "It can only run where a resource is destroyed. Set when = destroy and let the block remove a resource, or take the provisioner out.").At(at)
}

// duplicateImport reports a second import block for one object.
func duplicateImport(address string, first, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0065", "Duplicate import", "The block at %s imports %s already. Take one of the two out.", first, address).At(at)
}

// invalidImportID reports an import block that names no object.
func invalidImportID(why string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0066", "Invalid import ID", "What names the object to import is %s.", why).At(at)
}

// importProvider reports an import block with a provider of its own.
func importProvider(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0100", "Invalid provider of an import block", "The resource is configured, and so its block or the call of its module says which provider it has. Take the argument out here.").At(at)
}

// noIdentity reports an identity of what has none.
func noIdentity(typeName string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0101", "Resource type has no identity", "The provider imports %s by an id only. Give that in place of the identity.", typeName).At(at)
}

// unsuitableIdentity reports an identity that its schema does not allow.
func unsuitableIdentity(err error, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0102", "Invalid import identity", "It is not as the provider's schema has it: %s.", err).At(at)
}

// importInModule reports an import block outside the root module.
func importInModule(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0067", "Import block in a module", "Only the root module may have import blocks. Move it there.").At(at)
}

// ephemeralArgument reports an ephemeral value that a state would keep.
func ephemeralArgument(path string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0068", "Ephemeral value not allowed", "The value of %s is ephemeral, and the state would keep it. Only write-only arguments may have such a value.", path).At(at)
}

// ephemeralInput reports an ephemeral value for a variable that is not.
func ephemeralInput(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0069", "Ephemeral value not allowed", "The value is ephemeral, and the variable %q is not. Declare it with ephemeral = true.", name).At(at)
}

// ephemeralOutput reports an ephemeral value of an output that is not.
func ephemeralOutput(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0070", "Ephemeral value not allowed", "The value of output %s is ephemeral, and the output is not.", name).At(at)
}

// ephemeralRootOutput reports an output that no one could read.
func ephemeralRootOutput(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0071", "Ephemeral output not allowed", "Output %s of the root module is ephemeral. Only outputs of modules that are called can be.", name).At(at)
}

// unexpectedKey reports a key of a resource that has one instance.
func unexpectedKey(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0072", "Unexpected resource instance key", "%s has neither count nor for_each: refer to it without a key.", name).At(at)
}

// missingKey reports an attribute of all instances at once.
func missingKey(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0073", "Missing resource instance key", "%s has count or for_each: its attributes are those of an instance, so give its key.", name).At(at)
}

// noAttribute reports an index where only a name leads on.
func noAttribute(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0074", "Invalid index operation", "Only the name of an attribute can stand here, after a dot.").At(at)
}

// invalidTrigger reports a replace_triggered_by that names no resource.
func invalidTrigger(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0075", "Invalid replace_triggered_by entry", "It must name one resource, an instance of it, or an attribute. Beside that, only count.index and each.key can be used.").At(at)
}

// reservedName reports a variable that no caller could set.
func reservedName(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0076", "Invalid variable name", "%q has a meaning of its own in module blocks. Call the variable something else.", name).At(at)
}

// partOfObject reports a depends_on that names an attribute.
func partOfObject(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0077", "Invalid depends_on entry", "It must name a whole object: write %s, without an attribute.", name).At(at)
}

// nullMessage reports a rule that has nothing to say.
func nullMessage(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0078", "Invalid error message", "The message is null; it must be text.").At(at)
}

// strayValidation reports a rule of a variable that is not about it.
func strayValidation(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0079", "Invalid validation", "The condition must refer to var.%s, whose value it is to hold against something.", name).At(at)
}

// goneOnDestroy reports a reference of a destroy-time provisioner.
func goneOnDestroy(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0080", "Invalid reference in a destroy-time provisioner", "%s may be gone by then. Refer to self, count.index or each.key.", name).At(at)
}

// constantCondition reports a rule that holds nothing against anything.
func constantCondition(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0082", "Invalid condition", "The condition refers to nothing, so that it always says the same.").At(at)
}

// unknownProvisioner reports a provisioner that is not part of the clients.
func unknownProvisioner(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0081", "Unknown provisioner", "The clients have file, local-exec and remote-exec; plugins for others, such as %q, are not known here.", name).At(at)
}

// invalidProvisioner reports arguments of a provisioner that do not fit
// together.
func invalidProvisioner(name, why string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0110", "Invalid provisioner", "A %s provisioner needs %s.", name, why).At(at)
}

// unmetRelease reports a constraint on clients that none known here meets,
// together with those before it.
func unmetRelease(text string, terraform, openTofu int, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0111", "No known client meets the constraint", "Of Terraform up to 1.%d and OpenTofu up to 1.%d, no release meets %q and what else this configuration demands of its client, so that what such a client does is not known here. Widen the constraint, or look for a newer release of formation.",
		terraform, openTofu, text).At(at)
}

// unmetTerraform reports a constraint that no release of Terraform meets, whose
// state it is.
func unmetTerraform(text string, newest int, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0111", "No known client meets the constraint", "Terraform made the state, and up to 1.%d no release of it meets %q and what else this configuration demands of its client, so that what it does is not known here. Widen the constraint, look for a newer release of formation, or let OpenTofu take the state over.",
		newest, text).At(at)
}

// forOpenTofu warns of a constraint that no release of Terraform meets, where
// the state may be that of either client.
func forOpenTofu(text string, newest int, at hcl.Range) *diag.Diagnostic {
	return diag.Warnf("TV0125", "Terraform does not take the module", "What is verified is what OpenTofu would plan, which leaves required_version to Terraform since 1.%d: up to 1.%d no release of that meets %q.", tofuOnItsOwn, newest, text).At(at)
}

// missingAlias reports a configuration that a called module expects.
func missingAlias(name, call string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0112", "Missing provider configuration", "module.%s expects a configuration %s. Pass it in the providers argument of the call.", call, name).At(at)
}

// configuredTwice reports a configuration that a module has and is passed.
func configuredTwice(name, call string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0113", "Provider is configured twice", "module.%s has a configuration %s of its own, so that none can be passed. Take one of the two out.", call, name).At(at)
}

// ownConfiguration reports a module with a provider configuration that is
// called in a way which forbids that.
func ownConfiguration(name, call string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0114", "Module configures a provider", "module.%s has a configuration %s of its own; such a module cannot be called with count, for_each, enabled or depends_on. Pass the configuration instead.", call, name).At(at)
}

// otherProviderPassed reports a configuration of another provider.
func otherProviderPassed(outer, inner, call string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0115", "Provider type mismatch", "%s is a configuration of another provider than %s in module.%s. Compare the sources in required_providers of both modules.", outer, inner, call).At(at)
}

// noMeta reports a provider_meta block for a provider that has none.
func noMeta(address string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0123", "No provider_meta for this provider", "%s asks nothing about modules. Take the block out.", address).At(at)
}
