package lifecycle

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/translate"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

const providerBug = "This is a bug in the Terraform provider: report it to the provider's own issue tracker."

func closing() *diag.Diagnostic {
	return diag.Errorf("LC0001", "The provider is shutting down", "It was told to end while this call ran.")
}

func notRenewed(typeName string, because diag.List) *diag.Diagnostic {
	return diag.Warnf("LC0002", "An ephemeral resource could not be renewed",
		"What was read of %s may be no longer valid: %s", typeName, because.Err())
}

func newerState(token string, stored, current int64) *diag.Diagnostic {
	return diag.Errorf("LC0003", "The stored state is of a newer version of the provider",
		"The state of this %s has schema version %d, and this provider knows versions up to %d. "+
			"State cannot go back: use the version of the provider that wrote it, or a newer one.", token, stored, current)
}

func unreadableIdentity(token string, err error) *diag.Diagnostic {
	return diag.Errorf("LC0004", "The stored identity cannot be read",
		"The identity of this %s does not fit the provider's schema: %s. "+
			"If the state was edited by hand, undo that; or import the resource again.", token, err)
}

func unstorable(err error) *diag.Diagnostic {
	return diag.Errorf("LC0005", "The provider's answer cannot be stored", "%s. %s", err, providerBug)
}

// deferred reports a provider that puts a call off although nobody told it
// that it may.
func deferred(what operation, reason tfprovider.DeferReason) *diag.Diagnostic {
	why := map[tfprovider.DeferReason]string{
		tfprovider.DeferredResourceConfig: "values of the resource are not known yet",
		tfprovider.DeferredProviderConfig: "values of the provider's configuration are not known yet",
		tfprovider.DeferredAbsentPrereq:   "something that it depends on does not exist yet",
	}[reason]
	if why == "" {
		why = "it gives no reason"
	}
	return diag.Errorf("LC0006", "The provider put this off",
		"It will not %s this now: %s. First create what it depends on, for example with pulumi up --target.", what, why)
}

// inconsistent weakens the report of a result that is not as planned: the
// result is there all the same, and is what must be kept.
func inconsistent(d *diag.Diagnostic) *diag.Diagnostic {
	return &diag.Diagnostic{
		Severity: diag.Warning, Code: "LC0007", Path: d.Path, Summary: d.Summary,
		Detail: d.Detail + " What the provider answered is in the state.",
	}
}

func notGone() *diag.Diagnostic {
	return diag.Warnf("LC0008", "Provider deleted an object and still has a state of it",
		"It reported no error, so that the object is taken to be gone. %s", providerBug)
}

func noObject(did operation) *diag.Diagnostic {
	return diag.Errorf("LC0009", "Provider answered with no object",
		"It reported no error on %s, and gave no state. %s", did, providerBug)
}

func unknownState() *diag.Diagnostic {
	return diag.Errorf("LC0010", "Provider left values unknown",
		"The state that it answered has values that are not known. %s", providerBug)
}

func replaceInUpdate(o *mapping.Object, paths []cty.Path) *diag.Diagnostic {
	d := diag.Errorf("LC0011", "The provider wants a replacement in the middle of an update",
		"It did not when the change was previewed. Run the update again: the resource is as before.")
	if len(paths) > 0 {
		d.Path = translate.DiagnosticPath(translate.PropertyPath(o, paths[0], property.Map{}))
	}
	return d
}

func importCount(token string, n int) *diag.Diagnostic {
	if n == 0 {
		return diag.Errorf("LC0012", "There is nothing to import", "The provider knows no %s by this ID. Check the ID.", token)
	}
	return diag.Errorf("LC0012", "The ID stands for several resources",
		"The provider imports %d resources by it, and one is taken at a time. Give the ID of a single %s.", n, token)
}

func importType(token, want, got string) *diag.Diagnostic {
	return diag.Errorf("LC0013", "The ID is that of another type",
		"The provider imports a %s by it, and %s is a %s. Import it as what it is.", got, token, want)
}

func importIdentity(token string, identity *tfschema.Identity, err error) *diag.Diagnostic {
	var names []string
	for _, a := range identity.Attributes {
		names = append(names, a.Name)
	}
	return diag.Errorf("LC0014", "The ID is no identity",
		"An ID that is a JSON object is the identity of a %s, which has %s: %s.", token, strings.Join(names, ", "), err)
}

func notListable(token string) *diag.Diagnostic {
	return diag.Errorf("LC0015", "Resources of this type cannot be listed",
		"The Terraform provider has no list resource for %s. A newer version of it may.", token)
}

func badPage() *diag.Diagnostic {
	return diag.Errorf("LC0016", "The continuation token is not of this list",
		"Give the token of the page before with the same type and query, or none to begin anew.")
}

func configuredTwice() *diag.Diagnostic {
	return diag.Errorf("LC0017", "The provider is configured already",
		"A provider process has one configuration. Another one needs a process of its own.")
}

func notConfigured() *diag.Diagnostic {
	return diag.Errorf("LC0018", "The provider is not configured", "Its configuration is asked for before it has one.")
}

func unknownConfig() *diag.Diagnostic {
	return diag.Errorf("LC0019", "The provider's configuration is not known yet",
		"A Terraform module can be configured like this provider only when all of that is known. "+
			"First create what it depends on, for example with pulumi up --target.")
}

func badPath(path string, err error) *diag.Diagnostic {
	return diag.Errorf("LC0020", fmt.Sprintf("Cannot read %q in ignoreChanges", path),
		"It is no property path: %s. Write it as in `tags.owner` or `rules[*].ports`.", err)
}

// refusedInput reports failures where there is no room for them.
func refusedInput(what string, failures []Failure) error {
	var errs []error
	for _, f := range failures {
		path := ""
		if f.Property != "" {
			path = f.Property + ": "
		}
		errs = append(errs, diag.Errorf("LC0021", "The "+what+" is not valid", "%s%s", path, f.Reason))
	}
	return errors.Join(errs...)
}

// settled names what an import wrote into the state that was not read.
func settled(properties []string) *diag.Diagnostic {
	return diag.Warnf("LC0022", "The import wrote defaults into the state",
		"The provider sets %s whatever a program says, and never reads it. The state has its values now, "+
			"so that the import is not followed by an update; nothing real has changed.", strings.Join(properties, ", "))
}

func vanished(token string) *diag.Diagnostic {
	return diag.Errorf("LC0023", "The resource is gone",
		"The provider knows this %s no more. Run pulumi refresh, which has the next update make it again.", token)
}

func unknownInputs(did operation) *diag.Diagnostic {
	return diag.Errorf("LC0024", "Inputs are not known",
		"A %s needs all of them, so nothing was done. Engines send unknown inputs in previews alone: "+
			"run the update again, and report it if it stays so.", did)
}
