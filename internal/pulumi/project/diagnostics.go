package project

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/blang/semver/v4"
	"github.com/hashicorp/hcl/v2"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/suggest"
)

// Files as a whole.

func unreadable(path string, err error) *diag.Diagnostic {
	if errors.Is(err, fs.ErrNotExist) {
		return diag.Errorf("PJ0001", "There is no file "+path, "Check the path.")
	}
	return diag.Errorf("PJ0001", "Cannot read "+path, "%s.", err)
}

func invalidYAML(path string, err error) *diag.Diagnostic {
	return diag.Errorf("PJ0002", path+" is not valid YAML", "%s.", err)
}

func notAMapping(path string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("PJ0003", path+" holds no object",
		"The file is a list of fields, such as \"runtime: nodejs\".").At(at)
}

func missingField(kind Kind, name string, at hcl.Range) *diag.Diagnostic {
	example := map[string]string{"name": "name: my-project", "runtime": "runtime: nodejs"}[name]
	return diag.Errorf("PJ0004", fmt.Sprintf("%s has no %q", kind.FileName(), name),
		"Add a line like \"%s\".", example).At(at)
}

// Fields.

func wrongShape(want string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("PJ0005", "Not "+want, "Here must stand %s.", want).At(at)
}

func wrongValue(err error, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("PJ0006", "Unusable value", "%s.", err).At(at)
}

func duplicateField(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("PJ0007", fmt.Sprintf("%q stands here a second time", name), "Delete one of the two.").At(at)
}

func unknownField(name string, known []string, at hcl.Range) *diag.Diagnostic {
	return diag.Warnf("PJ0008", fmt.Sprintf("Unknown field %q", name),
		"It has no effect here.%s", suggest.DidYouMean(name, known)).At(at)
}

func packageWithoutSource(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("PJ0009", fmt.Sprintf("Package %q has no source", name),
		"Write where it comes from: a name, optionally with @version, or an object with a \"source\".").At(at)
}

func badChecksum(platform string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("PJ0010", "Invalid checksum for "+platform,
		"It is the SHA-256 of the plugin's archive, in 64 hexadecimal digits or in base64.").At(at)
}

func incompletePlugin(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("PJ0011", "Incomplete plugin", "A plugin here has a \"name\" and a \"path\", the directory that it is in.").At(at)
}

func badRequirement(text string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("PJ0012", fmt.Sprintf("Invalid range of versions %q", text),
		"Write one like \">=3.100.0\" or \">=3.0.0 <4.0.0\".").At(at)
}

func requirementNotMet(text string, version semver.Version, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("PJ0013", "Another version of Pulumi is required",
		"It needs %s, and this program does what Pulumi %s does.", text, version).At(at)
}

// Edits.

func cannotEdit(path, what, byHand string) *diag.Diagnostic {
	return diag.Errorf("PJ0014", "Cannot edit "+path,
		"It is written in a way in which %s cannot be changed without touching the rest. Do it by hand:\n%s", what, byHand)
}

func invalidPackageName(name string) *diag.Diagnostic {
	return diag.Errorf("PJ0015", fmt.Sprintf("Invalid package name %q", name), "A package has a name, in one line.")
}

// Lock files.

func unknownLockVersion(path string, version string) *diag.Diagnostic {
	return diag.Errorf("PJ0016", path+" is not a package lock file",
		"Such a file says \"packageDeclarationVersion: 1\", and this one %q.", version)
}

func incompleteLock(path, what string) *diag.Diagnostic {
	return diag.Errorf("PJ0017", path+" is not a whole package lock file",
		"%s. Write it again with: formation package add.", what)
}

// Deployments.

func badDeployment(path string, err error) *diag.Diagnostic {
	return diag.Errorf("PJ0018", path+" is not an exported stack",
		"%s.\nWrite one with: pulumi stack export --file %s", err, path)
}

func badProviderState(urn, what string) *diag.Diagnostic {
	return diag.Warnf("PJ0019", "Cannot tell which plugin a provider needs",
		"%s. What it needs is not installed beforehand.", what).For(urn)
}
