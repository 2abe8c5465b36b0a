package pschema

import (
	"encoding/json"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/suggest"
)

func errorAt(at Place, code, summary, detail string, args ...any) finding {
	return finding{at: at, Diagnostic: diag.Errorf(code, summary, detail, args...)}
}

func warningAt(at Place, code, summary, detail string, args ...any) finding {
	return finding{at: at, Diagnostic: diag.Warnf(code, summary, detail, args...)}
}

func notJSON(err *json.SyntaxError) finding {
	return errorAt(Place(max(err.Offset-1, 0)), "PS0001", "The schema is not JSON",
		"%s. Nothing of the schema was read.", strings.TrimSuffix(err.Error(), "."))
}

func wrongKind(at Place, want, got string) finding {
	return errorAt(at, "PS0002", "The schema has a value of the wrong kind",
		"Here should be %s, and there is %s. It was left out.", want, got)
}

func repeatedMember(at Place, key string) finding {
	return errorAt(at, "PS0003", "The schema has a member twice",
		"%q stands in this object already. The last one counts; remove the others.", key)
}

func unknownMember(at Place, kind, key string) finding {
	found := warningAt(at, "PS0004", "The schema has a member that is not known",
		"%q means nothing in %s, and was left out. Is it misspelt, or is the schema newer than this program?", key, kind)
	found.alike = kind + "/" + key
	return found
}

func notBase64(at Place, err error) finding {
	return errorAt(at, "PS0005", "A parameter is not base64", "%v.", err)
}

func numberOutOfRange(at Place, number string) finding {
	return errorAt(at, "PS0006", "A number is out of range",
		"Pulumi's numbers are of 64-bit floating point, and %.40s is none.", number)
}

func moreFindings(left int, errors bool) *diag.Diagnostic {
	const summary = "The schema has more mistakes"
	if errors {
		return diag.Errorf("PS0007", summary, "%d more are not shown. Mend the ones above first.", left)
	}
	return diag.Warnf("PS0007", summary, "%d more are not shown.", left)
}

func badVersion(at Place, version string) finding {
	return errorAt(at, "PS0010", "A version is not semantic", "%q should be like 1.2.3.", version)
}

func badModuleFormat(at Place, problem string) finding {
	return errorAt(at, "PS0011", "The module format is no usable regular expression",
		"%s. Tokens are read as if there were none.", problem)
}

func noPackageName(at Place) finding {
	return errorAt(at, "PS0012", "The package has no name", `Give it one, in "name".`)
}

func reservedPackageName(at Place, name string) finding {
	return errorAt(at, "PS0013", "The package's name is reserved", "%q is Pulumi's own. Choose another.", name)
}

func twoParameterizations(at Place) finding {
	return errorAt(at, "PS0014", "The package is parameterized twice",
		"It either is made by a parameter (parameterization) or is added to another (extensionParameterization). Remove one.")
}

func extensionWithProvider(at Place) finding {
	return errorAt(at, "PS0015", "An extension has a provider of its own",
		"The provider of its resources is the one that it extends. Remove this one.")
}

func noBaseName(at Place) finding {
	return errorAt(at, "PS0016", "A plugin is not named", `Say which one it is, in "name".`)
}

func unknownType(at Place, name string) finding {
	return errorAt(at, "PS0020", "A type is not known",
		"%q should be boolean, integer, number, string, array or object. It was read as any value.", name)
}

func arrayWithoutItems(at Place) finding {
	return errorAt(at, "PS0021", "An array does not say of what", `Say it in "items".`)
}

func smallUnion(at Place) finding {
	return errorAt(at, "PS0022", "A union leaves no choice", `"oneOf" should list at least two types.`)
}

func emptyDiscriminator(at Place) finding {
	return errorAt(at, "PS0023", "A discriminator names no property", `Name it in "propertyName".`)
}

func badReference(at Place, ref, problem string) finding {
	return errorAt(at, "PS0024", "A reference cannot be read", "%q: %s.", ref, problem)
}

func danglingReference(at Place, ref reference, target *Package) finding {
	section := target.TypeTokens
	if ref.kind != toType {
		section = target.ResourceTokens
	}
	found := errorAt(at, "PS0025", "A reference leads nowhere", "Package %s has no %s in its %q.",
		target.Name(), target.resourceToken(ref), ref.kind)
	found.hint = func() string { return suggest.DidYouMean(ref.token, section()) }
	return found
}

func oldProviderReference(at Place, token string) finding {
	return warningAt(at, "PS0026", "A provider is referred to as a resource",
		"%s is not among the resources. It is read as #/provider; write that.", token)
}

func notLoaded(at Place, ref reference, err error) finding {
	found := errorAt(at, "PS0027", "The schema of another package could not be loaded",
		"Package %s, version %s: %v. What refers to it takes any value.", ref.pkg, orAny(ref.version), err)
	found.alike = "package/" + ref.pkg + "@" + ref.version
	return found
}

func orAny(version string) string {
	if version == "" {
		return "any"
	}
	return version
}

// errNoLoader says that schemas of other packages were not to be had.
type errNoLoader struct{}

func (errNoLoader) Error() string { return "schemas of other packages are not available here" }

func typeOfType(at Place, name string) finding {
	return errorAt(at, "PS0028", "A named type is neither an object nor an enum",
		`Its "type" is %q. It should be "object", or with "enum" one of boolean, integer, number and string. `+
			"It was read as an object.", name)
}

func plainList(at Place) finding {
	return errorAt(at, "PS0029", "A list of plain properties means nothing any more",
		`Say "plain": true in the types of those properties instead.`)
}

func badValue(at Place, value any, of Type) finding {
	return errorAt(at, "PS0030", "A value is not of its type", "%v cannot be a value of %s. It was left out.", value, of)
}

func unknownRequired(at Place, name string) finding {
	return errorAt(at, "PS0031", "A required property does not exist", "There is no property %q here.", name)
}

func badPropertyName(at Place, name string) finding {
	return errorAt(at, "PS0032", "A property has an impossible name",
		"%q: names are of printable characters without spaces.", name)
}

func reservedProperty(at Place, name string) finding {
	return errorAt(at, "PS0033", "A name is reserved", "%q means something to Pulumi itself. Choose another.", name)
}

func defaultFromNowhere(at Place) finding {
	return errorAt(at, "PS0034", "A default value comes from nowhere",
		`"defaultInfo" should name environment variables, in "environment".`)
}

func shadowedOutput(at Place, name string) finding {
	return warningAt(at, "PS0035", "An output has a name that every resource has",
		"Programs see Pulumi's own %q instead of this one.", name)
}

func unknownMethod(at Place, token string) finding {
	return errorAt(at, "PS0040", "A method does not exist", "There is no function %s.", token)
}

func badMethodToken(at Place, token, resource string) finding {
	return errorAt(at, "PS0041", "A method belongs to another resource",
		"%s should be %s, a slash and the method's name.", token, resource)
}

func methodWithoutSelf(at Place, token string) finding {
	return errorAt(at, "PS0042", "A method does not take its resource", "Function %s has no input %s.", token, selfInput)
}

func methodLikeProperty(at Place, name string) finding {
	return errorAt(at, "PS0043", "A method has the name of a property", "The resource has an output %q as well.", name)
}

func orphanMethod(at Place, token string) finding {
	return warningAt(at, "PS0044", "A method belongs to no resource",
		"Function %s takes %s, and no resource names it as a method. Nothing can call it.", token, selfInput)
}

func multiArgument(at Place, problem string) finding {
	return errorAt(at, "PS0045", "The order of inputs is not that of the inputs",
		"multiArgumentInputs should name every input once: %s.", problem)
}

func badToken(at Place, token, problem string) finding {
	return errorAt(at, "PS0050", "A token is not well formed", "%q: %s.", token, problem)
}

func sameName(at Place, token, other string) finding {
	return errorAt(at, "PS0051", "Two members have the same name",
		"Programs cannot tell %s from %s: modules and names are told apart without regard to case.", token, other)
}

func nameOfModule(at Place, token string) finding {
	return errorAt(at, "PS0052", "A member has the name of a module",
		"%s and a module beside it have one name, without regard to case.", token)
}

func endlessObject(at Place, circle []string) finding {
	return errorAt(at, "PS0053", "An object needs itself", "No value of it can be finite, as each requires the next: %s.",
		strings.Join(circle, " → "))
}
