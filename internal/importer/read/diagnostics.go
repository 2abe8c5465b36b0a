package read

import (
	"slices"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/importer/discover"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// CodeGone marks an object that was found and is not there.
const CodeGone = "RD0001"

func gone(found discover.Found) *diag.Diagnostic {
	return diag.Errorf(CodeGone, "No such object",
		"The provider finds no %s of this id or identity. It may have been deleted since it was listed, or the provider's configuration may point elsewhere (another region, account or server).", found.Type)
}

func isGone(diags diag.List) bool {
	return slices.ContainsFunc(diags, func(d *diag.Diagnostic) bool { return d.Code == CodeGone })
}

func deferred(found discover.Found, reason tfprovider.DeferReason) *diag.Diagnostic {
	return diag.Errorf("RD0002", "The provider put the import off",
		"It answered %q for %s. Complete the provider's configuration and import again.", string(reason), found.Type)
}

func nothingImported(found discover.Found) *diag.Diagnostic {
	return diag.Errorf("RD0003", "The provider imported nothing",
		"ImportResourceState of %s succeeded without any resource. Check the id; the provider's documentation says what form it has.", found.Type)
}

func nothingRead(found discover.Found) *diag.Diagnostic {
	return diag.Warnf("RD0006", "The provider read an empty object",
		"All that has to be written of a %s is empty in its answer, and so it is in the configuration, which would not make the object again. The id may lead to something of another kind: leave it out of the inventory then.", found.Type)
}

func unknownState(found discover.Found) *diag.Diagnostic {
	return diag.Errorf("RD0004", "The provider read an unfinished object",
		"ReadResource of %s answered unknown values, which a state cannot hold. Please report this to the provider's developers.", found.Type)
}
