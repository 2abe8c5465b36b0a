package packages

import "github.com/formation-iac/formation/internal/base/diag"

// notLinked reports a pyproject.toml that is not edited; what is to be said
// there has the SDK's name and the way to it.
func notLinked(file string, err error, sdk, way string) *diag.Diagnostic {
	return diag.Warnf("PG0012", "The SDK is not linked",
		"%s: %s. Add %s by hand to the dependencies there, from %s.", file, err, sdk, way)
}

func replacedTwice(module, file, other string) *diag.Diagnostic {
	return diag.Warnf("PG0024", "The workspace has two SDKs of one module",
		"%s and %s replace %s by directories of their own, and go builds neither while go.work uses both. "+
			"Take one of them out of go.work, or say there which directory counts for both: go work edit -replace %[3]s=DIR.", file, other, module)
}

func pluginTaken(name, ours, theirs string) *diag.Diagnostic {
	return diag.Errorf("PG0026", "The project has another plugin of this name",
		"Plugin %s would be the one in %s, and `plugins` in Pulumi.yaml says that it is the one in %s. Remove that entry first, or use that plugin.", name, ours, theirs)
}

func dependencyTaken(name, theirs, file string) *diag.Diagnostic {
	return diag.Errorf("PG0028", "The program has another SDK of this name",
		"Package %s would get an SDK below sdks, and %s is among the dependencies in %s: one of the two would take the other's place. Remove that dependency first, or give this package another name, where its plugin can (--provider-name of a Terraform provider).",
		name, theirs, file)
}

// nothingIn warns of a package that is of no use to a program: who forgot the
// arguments of a plugin gets one.
func nothingIn(pkg *Package) diag.List {
	if len(pkg.Bound.ResourceTokens()) > 0 || len(pkg.Bound.FunctionTokens()) > 0 || len(pkg.Source.Args) > 0 {
		return nil
	}
	return diag.List{diag.Warnf("PG0027", "The package is empty",
		"Package %s has no resources and no functions. Some plugins become a package only by arguments, which stand behind %s.", pkg.Bound.Name(), pkg.Source.Text)}
}
