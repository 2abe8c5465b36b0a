package translate

import (
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/pulumi/pvalue"
)

// Problem is a property that does not fit its place in Terraform. It never
// holds the value.
type Problem struct {
	Path property.Path
	// Reason is a sentence, without a full stop.
	Reason string
	// Stray says that there is no such property, so that the rest is whole
	// without it.
	Stray bool
}

// Error gives the path and the reason.
func (p Problem) Error() string {
	if text := pvalue.PathText(p.Path); text != "" {
		return text + ": " + p.Reason
	}
	return p.Reason
}

// Diagnostic reports p. Its path has Pulumi's names.
func (p Problem) Diagnostic() *diag.Diagnostic {
	return diag.Errorf("TX0001", "Property does not fit", "%s.", p.Reason).On(DiagnosticPath(p.Path))
}

// DiagnosticPath is a property path in the form in which diagnostics have
// paths.
func DiagnosticPath(path property.Path) cty.Path {
	var out cty.Path
	for segment := range path.Segments {
		switch s := segment.(type) {
		case property.IndexSegment:
			out = out.IndexInt(s.Index())
		case property.KeySegment:
			out = appendKey(out, s.Key())
		}
	}
	return out
}

// appendKey adds a key as a name where it is one, and in brackets otherwise.
func appendKey(path cty.Path, key string) cty.Path {
	if pvalue.PathText(property.PathFromSegments(pvalue.Key(key))) == key {
		return path.GetAttr(key)
	}
	return path.IndexString(key)
}
