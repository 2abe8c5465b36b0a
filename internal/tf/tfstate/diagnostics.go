package tfstate

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
)

// The codes of this package. Values of attributes are never in a message.
const (
	CodeNotState      = "TS0001" // not a state file at all
	CodeSyntax        = "TS0002" // not JSON
	CodeVersion       = "TS0003" // a version that cannot be read
	CodeMalformed     = "TS0004" // a member that is not what it must be
	CodeDuplicate     = "TS0005" // an instance that is there twice
	CodeDropped       = "TS0006" // what version 4 has no place for
	CodeEncrypted     = "TS0007" // OpenTofu's state encryption
	CodeSchemaVersion = "TS0008" // attributes of another schema version
	CodeAttributes    = "TS0009" // attributes that do not fit the schema
	CodeLocked        = "TS0012" // a state that somebody else works on
)

func notState(at hcl.Range, why string) *diag.Diagnostic {
	return diag.Errorf(CodeNotState, "Not a Terraform state file", "%s", why).At(at)
}

func badSyntax(at hcl.Range, err error) *diag.Diagnostic {
	return diag.Errorf(CodeSyntax, "State file is not valid JSON",
		"%s at byte %d. The file may be cut off or edited by hand; restore it from its backup.", err, at.Start.Byte).At(at)
}

func unsupportedVersion(at hcl.Range, version uint64, writer string) *diag.Diagnostic {
	by := ""
	if writer != "" {
		by = fmt.Sprintf(" It was written by version %q.", writer)
	}
	return diag.Errorf(CodeVersion, "Unsupported state format version",
		"The file has format version %d; versions 1 to 4 can be read.%s Use a newer release of Formation, or a state of an older tool.", version, by).At(at)
}

func encrypted(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf(CodeEncrypted, "State file is encrypted",
		"OpenTofu encrypted this file. Write a plain copy with `tofu state pull` where the key is configured, and use that.").At(at)
}

func malformed(at hcl.Range, what, want string) *diag.Diagnostic {
	return diag.Errorf(CodeMalformed, "Malformed state file", "%s must be %s.", what, want).At(at)
}

func duplicateMember(at hcl.Range, name string) *diag.Diagnostic {
	return diag.Errorf(CodeMalformed, "Malformed state file", "The member %q is there twice in one object.", name).At(at)
}

func duplicateInstance(at hcl.Range, address string) *diag.Diagnostic {
	return diag.Errorf(CodeDuplicate, "Resource instance is in the state twice",
		"Each object of a resource has one entry. Remove the one that is out of date.").At(at).For(address)
}

func dropped(what, why string) *diag.Diagnostic {
	return diag.Warnf(CodeDropped, "Part of an old state file has no place in the current format", "%s %s", what, why)
}

func needsUpgrade(have uint64, want int64) *diag.Diagnostic {
	return diag.Errorf(CodeSchemaVersion, "State object has another schema version",
		"It was written under version %d of the resource type's schema and the provider has version %d; the provider must upgrade it first.", have, want)
}

func badAttributes(path cty.Path, err error) *diag.Diagnostic {
	return diag.Errorf(CodeAttributes, "State object does not fit the provider's schema",
		"%s. The state may come from another version of the provider, or be edited by hand.", err).On(path)
}

func locked(lockPath, holder string) *diag.Diagnostic {
	return diag.Errorf(CodeLocked, "State is locked",
		"Another program works on this state%s. Wait until it is done; if none is running any more, remove %q.", holder, lockPath)
}
