package tfverify

import (
	"errors"
	"github.com/hashicorp/hcl/v2"
	"io/fs"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
)

// The codes of what other layers say here, and of what is told by its code.
const (
	codeValues = "TV0001" // HCL on values files and bodies
	codeState  = "TV0002"
	codeNotMet = "TV0017" // the one that a check softens
)

// dependencyCycle reports things that need each other.
func dependencyCycle(cycle []string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0003", "Dependency cycle", "%s. Break the circle: take one reference out.", cycleText(cycle)).At(at)
}

// interrupted reports work that was cut short.
func interrupted(cause error) *diag.Diagnostic {
	return diag.Errorf("TV0004", "Interrupted", "The verification was stopped before it was done: %v.", cause)
}

func unreadableValues(path string, err error) *diag.Diagnostic {
	var at *fs.PathError
	if errors.As(err, &at) { // it says the path again
		err = at.Err
	}
	return diag.Errorf("TV0005", "Cannot read values", "%s: %s. Check the path, and that the file can be read.", path, err)
}

func unreadableState(err error) *diag.Diagnostic {
	return diag.Errorf(codeState, "Cannot read state", "%s. Name the state with --state, or leave that out to use the module's own.", err)
}

// undeclaredVariable reports a value given for no variable.
func undeclaredVariable(name string) *diag.Diagnostic {
	return diag.Errorf("TV0006", "Value for undeclared variable", "The root module has no variable %q. Declare it, or leave the value out.", name)
}

// undeclaredInFile warns of a stray value in a file.
func undeclaredInFile(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Warnf("TV0007", "Value for undeclared variable", "The root module has no variable %q; the value is not used.", name).At(at)
}

// unreadableText reports a value that is no expression. The text may be a
// secret and is not quoted.
func unreadableText(name, origin string) *diag.Diagnostic {
	return diag.Errorf("TV0008", "Invalid value for variable", "The value of %s, given by %s, is not an expression. Values of lists, maps and objects are written as in configuration.", name, origin)
}

// requiredVariable reports a variable without a value.
func requiredVariable(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0009", "No value for required variable", "%s has no default. Set it in terraform.tfvars, with --var, or as TF_VAR_%s.", name, name).At(at)
}

// unsuitableInput reports a value that does not fit its variable.
func unsuitableInput(name string, err error, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0010", "Invalid value for variable", "The value of %s does not fit its type: %s.", name, err).At(at)
}

// undeclaredInput reports an argument of a call that the module lacks.
func undeclaredInput(call, name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0011", "Unsupported argument", "module.%s has no variable %q.", call, name).At(at)
}

// undeclared reports a reference to nothing.
func undeclared(what, name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0012", "Reference to undeclared "+what, "There is no %s %s here.", what, name).At(at)
}

// repetitionOutside reports each or count where there is none.
func repetitionOutside(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0013", "Invalid reference", "%s can be used only in a block that has the matching count or for_each.", name).At(at)
}

// unsuitableRepetition reports a count or for_each that says no number.
func unsuitableRepetition(argument, why string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0014", "Invalid "+argument+" argument", "The instances cannot be told from %s: %s.", argument, why).At(at)
}

// unexpandedModule names a call whose instances are not known.
func unexpandedModule(address string, reason *diag.Diagnostic, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0015", "Module not evaluated", "The instances of %s are not known: %s.", address, reason.Summary).At(at).For(address)
}

// ephemeralGap names an ephemeral resource, which is never opened here.
func ephemeralGap(address string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0016", "Ephemeral resource not evaluated", "Verification opens no ephemeral resources, since that can have effects. What depends on %s is not proven.", address).At(at).For(address)
}

// conditionNotMet reports a rule that fails.
func conditionNotMet(message string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf(codeNotMet, "Condition not met", "%s", message).At(at)
}

func nullCondition(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0018", "Invalid condition", "The condition is null; it must be true or false.").At(at)
}

// unevaluatedRule names a rule that could not be held against anything.
func unevaluatedRule(reason *diag.Diagnostic, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0019", "Condition not evaluated", "It depends on what could not be evaluated: %s.", reason.Summary).At(at)
}

// noProvider reports a provider that no required_providers entry resolves.
func noProvider(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0020", "Unknown provider", "The module has no provider called %q.", name).At(at)
}

// undefinedConfiguration reports a reference to an alias that is nowhere.
func undefinedConfiguration(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0021", "Provider configuration not present", "There is no configuration %s, here or passed by the caller.", name).At(at)
}

// remoteStateGap names a state that another backend keeps.
func remoteStateGap(typeName string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0022", "Remote state not evaluated", "Only unencrypted states of the local backend are read for %s. Save the other state with `terraform state pull`, or `tofu state pull`, and verify a copy of the module that reads the file.", typeName).At(at)
}

// remoteStateSetting reports what the data source of another state does not
// take.
func remoteStateSetting(name, why string) *diag.Diagnostic {
	return diag.Errorf("TV0126", "Invalid backend configuration", "Of the other state's %s: %s.", name, why)
}

// noOtherState reports that a backend has no state. Its path may be a secret.
func noOtherState(workspace string) *diag.Diagnostic {
	return diag.Errorf("TV0127", "Remote state not found", "The local backend has no state of the workspace %q where config says. Apply the module that makes it first.", workspace)
}

// builtinGap names what the client's own provider manages.
func builtinGap(typeName string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0022", "Built-in resource type not evaluated", "%s belongs to the provider that is inside Terraform and OpenTofu; it is not run here.", typeName).At(at)
}

// repeatedProviderGap names OpenTofu's provider configurations with for_each.
func repeatedProviderGap(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0023", "Provider configuration not evaluated", "%s has for_each, which is not evaluated here.", name).At(at)
}

// unknownType reports a resource type that the provider lacks.
func unknownType(err error, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0024", "Invalid resource type", "%s.", err).At(at)
}

// configPanic reports a body on which a library gave up.
func configPanic(at hcl.Range, r any) *diag.Diagnostic {
	return diag.Errorf("TV0025", "Block cannot be evaluated", "The evaluator failed on it: %v.", r).At(at)
}

// newerState reports an object that a newer provider wrote.
func newerState(typeName string, have, known int64) *diag.Diagnostic {
	return diag.Errorf("TV0026", "State is newer than the provider", "The state has %s in version %d; the provider knows up to %d. Use the provider version that wrote it, or a newer one.", typeName, have, known)
}

// badState reports an object that is not what its schema says.
func badState(err error) *diag.Diagnostic {
	return diag.Errorf("TV0027", "Invalid object in the state", "%s.", err)
}

// goneObject says why an object that the state has would be created.
func goneObject() *diag.Diagnostic {
	return diag.Warnf("TV0028", "Object no longer exists", "The state has it, but the provider finds nothing there any more.")
}

// deferredPlan names a plan that the provider put off.
func deferredPlan(why string) *diag.Diagnostic {
	return diag.Errorf("TV0029", "Provider put the plan off", "Its reason is %q.", why)
}

// remoteState reports a state that is not in a file of the module.
func remoteState(backend string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0030", "State is kept elsewhere", "The %q backend is not read here. Save the state with `state pull` and name the file.", backend).At(at)
}

// triggered says which replace_triggered_by forced a replacement.
func triggered(address string, at hcl.Range) *diag.Diagnostic {
	return diag.Warnf("TV0031", "Replacement is triggered", "replace_triggered_by names %s, which would change.", address).At(at)
}

// unevaluatedTrigger says that a replacement may be forced.
func unevaluatedTrigger(address string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0047", "Replacement cannot be ruled out", "replace_triggered_by names %s, which could not be evaluated.", address).At(at)
}

// missingTrigger reports a replace_triggered_by that nothing answers to.
func missingTrigger(address string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0103", "Nothing to trigger a replacement", "replace_triggered_by names %s, of which a plan says nothing: it has no instances, or is read at once. Name a managed resource with instances.", address).At(at)
}

// unevaluatedImport names an import block whose target cannot be told.
func unevaluatedImport(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0032", "Import block not evaluated", "Its targets cannot be told: its \"to\" or its for_each does not evaluate here.").At(at)
}

// importWithoutBlock reports an import target that configuration lacks.
func importWithoutBlock(address string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0033", "Import target has no configuration", "%s is to be imported, but no such instance is configured.", address).At(at).For(address)
}

// unevaluatedMove names a moved block that is not understood.
func unevaluatedMove(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0034", "Moved block not evaluated", "Its addresses are not those of resources or modules of this configuration, or lead to another type.").At(at)
}

// unevaluatedDelete says why it is not known whether an object stays.
func unevaluatedDelete(reason *diag.Diagnostic) *diag.Diagnostic {
	return diag.Errorf("TV0035", "Object not evaluated", "Whether configuration still has it cannot be told: %s.", reason.Summary)
}

// otherProvider warns that an object changes hands.
func otherProvider(was, is string, at hcl.Range) *diag.Diagnostic {
	return diag.Warnf("TV0036", "State names another provider", "The state has the object under %s, configuration under %s. The second one is asked.", was, is).At(at)
}

// stateProvider reports a provider that only the state has and that does not
// run: clients cannot read such a state.
func stateProvider(name string, reason *diag.Diagnostic) *diag.Diagnostic {
	return diag.Errorf("TV0106", "Provider of the state is not there", "The state has objects of %s, which cannot be started: %s. Install it, or give them to another with state replace-provider.", name, reason.Summary)
}

// requiredProvider reports a provider that nothing uses and that does not run.
func requiredProvider(name string, reason *diag.Diagnostic, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0124", "Required provider is not there", "The configuration requires %s, which cannot be started: %s. Install it, or take out what requires it.", name, reason.Summary).At(at)
}

// inconsistentRead reports a refreshed value that is not of the type.
func inconsistentRead(err error) *diag.Diagnostic {
	return diag.Errorf("TV0037", "Invalid answer of the provider", "It read an object that is not of its schema's type: %s.", err)
}

// unreadableOutput reports an output of the state that does not decode.
func unreadableOutput(name string, err error) *diag.Diagnostic {
	return diag.Errorf("TV0038", "Invalid output in the state", "%s: %s.", name, err)
}

// checkFailed warns of an assertion that does not hold.
func checkFailed(d *diag.Diagnostic) *diag.Diagnostic {
	out := *d
	out.Severity, out.Code, out.Summary = diag.Warning, "TV0040", "Check block assertion failed"
	return &out
}

// ignoredPath reports an ignore_changes entry that is no path.
func ignoredPath(err error, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0041", "Invalid ignore_changes entry", "%s.", err).At(at)
}

// deferredRead says why a data source is not read before an apply.
func deferredRead(waitsFor string, at hcl.Range) *diag.Diagnostic {
	why := "its configuration has values that are known only after apply"
	if waitsFor != "" {
		why = waitsFor + ", which it depends on, would change"
	}
	return diag.Warnf("TV0043", "Data source is read during apply", "It cannot be read now: %s.", why).At(at)
}

// readByCheck says why a data source is read again by each apply.
func readByCheck(check string, at hcl.Range) *diag.Diagnostic {
	return diag.Warnf("TV0046", "Data source is read during apply", "It belongs to check.%s, which every apply looks at anew: such a plan changes nothing and is never empty.", check).At(at)
}

// readOnly reports an argument that only the provider sets.
func readOnly(name string) *diag.Diagnostic {
	return diag.Errorf("TV0048", "Read-only attribute", "%q cannot be set.", name)
}

// noData reports a data source without an answer.
func noData(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0044", "Data source has no result", "The provider answered with nothing.").At(at)
}

// sensitiveOutput reports an output that must be declared sensitive.
func sensitiveOutput(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0045", "Output refers to sensitive values", "Set sensitive = true on output %s, or use nonsensitive() on what it may show.", name).At(at)
}

// unreadableNote reports a note of init that is none.
func unreadableNote(path string, err error) *diag.Diagnostic {
	return diag.Errorf("TV0083", "Cannot read which backend is in use", "%s: %v. Run init again.", path, err)
}

// changedBackend reports that init set up another backend than the module
// has, whose block is nil for none.
func changedBackend(noted string, written *tfconfig.Backend) *diag.Diagnostic {
	if written == nil {
		return diag.Errorf("TV0084", "Backend has changed", "Init set up the %q backend, which the module does not have any more. Run init, or name the state.", noted)
	}
	return diag.Errorf("TV0084", "Backend has changed", "Init set up the %q backend with another configuration than this. Run init, or name the state.", noted).At(written.Range)
}

// invalidWorkspace reports a name that no workspace can have.
func invalidWorkspace(name string) *diag.Diagnostic {
	return diag.Errorf("TV0085", "Invalid workspace name", "TF_WORKSPACE is %q. A name must not have characters that are special in the path of a URL.", name)
}

// unmetConstraint reports a provider that is not in a version that is wanted.
func unmetConstraint(err error, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0086", "Version constraint is not met", "%s. Mend the constraint, or run init.", err).At(at)
}

// emptyPath reports an argument of the local backend without a path.
func emptyPath(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0116", "Invalid local backend", "%s is empty. Write a path, or take it out.", name).At(at)
}

// unknownBackend reports a backend that no client has.
func unknownBackend(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0117", "Unknown backend", "No client has a backend %q.", name).At(at)
}

// unknownBuiltin reports a provider that is said to be part of the clients.
func unknownBuiltin(address string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0118", "Unknown built-in provider", "The clients do not contain %s, only terraform.io/builtin/terraform.", address).At(at)
}

// versionOfBuiltin reports a constraint on what has no version of its own.
func versionOfBuiltin(address string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0119", "Version of a built-in provider", "%s is part of the client and has no version. Take the constraint out.", address).At(at)
}

// terraformReadsOther names a file that is verified and that Terraform, whose
// state it is, does not read.
func terraformReadsOther(file string) *diag.Diagnostic {
	return diag.Errorf("TV0120", "Terraform reads other files", "Terraform made the state, and does not read %s, as OpenTofu does. What Terraform would plan is not what can be verified here: take the file out, or let OpenTofu take the state over.", file)
}

// terraformMayReadOther warns of a file that Terraform does not read.
func terraformMayReadOther(file string) *diag.Diagnostic {
	return diag.Warnf("TV0120", "Terraform reads other files", "What is verified is what OpenTofu would plan: Terraform does not read %s.", file)
}

// encryptedState names settings that reading a state goes by.
func encryptedState(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TV0121", "State encryption not evaluated", "Keys are not asked for here. Save the state with `tofu state pull` and name the file with --state.").At(at)
}

// notTakenOver names a variable of the environment that changes what the
// clients plan. Its value may have secrets.
func notTakenOver(name, why string) *diag.Diagnostic {
	return diag.Errorf("TV0122", "Environment is not taken over", "%s %s, which changes what a client plans and is not looked at here. Unset it; variables and the state have flags of this command.", name, why)
}
