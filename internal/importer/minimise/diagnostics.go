package minimise

import (
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfplan"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

func planDeferred(reason tfprovider.DeferReason) *diag.Diagnostic {
	return diag.Errorf("MI0003", "The provider put the plan off",
		"It answered %q. Complete the provider's configuration and import again.", string(reason))
}

func interrupted(cause error) *diag.Diagnostic {
	return diag.Errorf("MI0004", "Interrupted", "The object was not worked on to the end: %s.", cause)
}

func notNoOp(changes []tfplan.Change) *diag.Diagnostic {
	var names []string
	for _, c := range changes {
		names = append(names, ctyx.PathString(c.Path))
	}
	return diag.Errorf("MI0005", "No configuration plans as a no-op",
		"Whatever is written, the provider would change %s. The object is left out of the configuration, as its first apply would not be safe.", strings.Join(names, ", "))
}

func notSettled(paths []cty.Path) *diag.Diagnostic {
	return diag.Errorf("MI0006", "The state cannot be settled",
		"The provider plans values for %s that it drops again when it reads the object.", pathList(paths))
}

func pathList(paths []cty.Path) string {
	if len(paths) == 0 {
		return "some attributes"
	}
	var names []string
	for _, p := range paths {
		names = append(names, ctyx.PathString(p))
	}
	return strings.Join(names, ", ")
}

// LeftOut warns of a value that the provider refuses to have written beside
// others. Whether it would take it alone, or with what cannot be read, is not
// said: nobody asked.
func LeftOut(path cty.Path) *diag.Diagnostic {
	return diag.Warnf("MI0008", "A value was left out", "The provider refuses %s beside what else is written. Made anew, the object may get another value.", ctyx.PathString(path)).On(path).InList()
}

// Wavers warns of a value that no plan can be held to.
func Wavers(path cty.Path) *diag.Diagnostic {
	return diag.Warnf("MI0010", "A value is another at each read", "The provider answers %[1]s otherwise each time it is asked, so that a plan would change it without end. %[1]s is therefore in ignore_changes; take it out to change the value.", ctyx.PathString(path)).On(path).InList()
}

// LeftToChance warns of a value that was left out because no plan needs it.
func LeftToChance(path cty.Path) *diag.Diagnostic {
	return diag.Warnf("MI0009", "A value was left to the provider", "The provider chose %s, and --smallest does not write it. Made anew, the object may get another value.", ctyx.PathString(path)).On(path).InList()
}
