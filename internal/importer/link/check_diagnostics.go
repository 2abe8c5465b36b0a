package link

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/suggest"
)

// unknownType reports a resource type that the provider does not have.
func unknownType(name string, types []string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("LK0101", fmt.Sprintf("Unknown resource type %q", name),
		"The provider has no such resource type.%s", suggest.DidYouMean(name, types)).At(at)
}

// foreignType warns of a type that belongs to another provider.
func foreignType(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Warnf("LK0102", "Type of another provider",
		"%s is no type of this provider, and was not checked.", name).At(at)
}

// unreadableSchema reports a schema that the provider sent and nobody can
// read.
func unreadableSchema(name string, err error, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("LK0103", "Schema cannot be read", "The rules of %s cannot be checked: %s.", name, err).At(at)
}

// unknownStep reports a name in a path that is not in the schema.
func unknownStep(r *Rule, name string, names []string) *diag.Diagnostic {
	return diag.Errorf("LK0104", fmt.Sprintf("%s has no %s", r.Type, r.Path),
		"There is no %q at this place.%s", name, suggest.DidYouMean(name, names)).At(r.Range)
}

// pathEndsEarly reports a path to a whole object.
func pathEndsEarly(r *Rule, names []string) *diag.Diagnostic {
	hint := "Go on to an attribute of it."
	if len(names) > 0 {
		hint = fmt.Sprintf("Go on to an attribute of it, such as %s.%s.", r.Path, names[0])
	}
	return diag.Errorf("LK0105", "Path does not lead to a value",
		"%s is a whole object, which cannot be a link. %s", r.Path, hint).At(r.Range)
}

// wantsBrackets reports a path to a whole map.
func wantsBrackets(r *Rule, name string) *diag.Diagnostic {
	return diag.Errorf("LK0106", "Path needs brackets",
		"%s is a map. Write %s[] to mean all its values, or %s.KEY to mean one.", name, name, name).At(r.Range)
}

// neverLinks warns of a rule without effect.
func neverLinks(r *Rule, why string) *diag.Diagnostic {
	return diag.Warnf("LK0107", "Rule has no effect", "%s.%s: %s. Remove the rule.", r.Type, r.Path, why).At(r.Range)
}

// unknownTarget reports an attribute that the target type does not have.
func unknownTarget(t Target, names []string) *diag.Diagnostic {
	return diag.Errorf("LK0108", fmt.Sprintf("%s has no attribute %q", t.Type, t.Attribute),
		"Links are to attributes at the root of a resource.%s", suggest.DidYouMean(t.Attribute, names)).At(t.Range)
}

// unusableTarget reports an attribute that no link can be to.
func unusableTarget(t Target, why string) *diag.Diagnostic {
	return diag.Errorf("LK0109", fmt.Sprintf("No link can be to %s.%s", t.Type, t.Attribute),
		"The attribute cannot be a target: %s. Choose what names the resource: often id, arn or name.", why).At(t.Range)
}

// unknownAgreement reports an attribute in brackets that a type does not have.
func unknownAgreement(resourceType, name string, names []string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("LK0110", fmt.Sprintf("%s has no attribute %q", resourceType, name),
		"In brackets stands an attribute at the root of both resources; where they call it differently, "+
			"TYPE[{ THEIRS = OURS }].ATTRIBUTE.%s", suggest.DidYouMean(name, names)).At(at)
}

// unusableAgreement reports an attribute in brackets that no resources can be
// compared by.
func unusableAgreement(resourceType, name, why string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("LK0111", fmt.Sprintf("Resources cannot be compared by %s.%s", resourceType, name),
		"The attribute cannot stand in brackets: %s. Choose one that names what the resource is in.", why).At(at)
}
