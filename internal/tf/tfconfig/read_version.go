package tfconfig

import (
	"slices"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// ClientConstraint says which releases of the clients a module is for.
type ClientConstraint struct {
	Text string
	// OpenTofu says that it is about OpenTofu alone: it is in a file or a block
	// that Terraform does not read.
	OpenTofu bool
	Range    hcl.Range

	set version.Constraints
}

// Allows reports whether a release meets c.
func (c *ClientConstraint) Allows(release *version.Version) bool { return c.set.Check(release) }

// requiredVersion reads required_version.
func (r *reader) requiredVersion(content *hcl.BodyContent) {
	attr := content.Attributes["required_version"]
	if attr == nil {
		return
	}
	r.clientConstraint(attr.Expr, IsTofuFile(attr.Range.Filename))
}

func (r *reader) clientConstraint(expr hcl.Expression, isTofu bool) {
	text, set := r.constraint(expr)
	for _, part := range set {
		if part.Prerelease() {
			r.report(prereleaseConstraint(text, expr.Range()))
			return
		}
	}
	if set == nil {
		return
	}
	if r.overriding { // an override file has what counts instead of all others
		r.module.RequiredVersions = slices.DeleteFunc(r.module.RequiredVersions, func(c *ClientConstraint) bool {
			return !c.OpenTofu && c.Range.Filename != expr.Range().Filename
		})
	}
	r.module.RequiredVersions = append(r.module.RequiredVersions, &ClientConstraint{Text: text, OpenTofu: isTofu, Range: expr.Range(), set: set})
}

// constraint reads a version constraint, nil for none: null is as good as
// that. One that is malformed is reported.
func (r *reader) constraint(expr hcl.Expression) (string, version.Constraints) {
	v, diags := expr.Value(nil)
	r.hcl(diags)
	if diags.HasErrors() {
		return "", nil
	}
	v, err := convert.Convert(v, cty.String)
	switch {
	case err != nil:
		r.report(wantLiteral("a version constraint", expr.Range()))
		return "", nil
	case v.IsNull(), !v.IsKnown(): // a syntax error, which is said of the file, leaves it unknown
		return "", nil
	}
	set, err := version.NewConstraint(v.AsString())
	if err != nil {
		r.report(malformedConstraint(v.AsString(), expr.Range()))
		return "", nil
	}
	return v.AsString(), set
}

// languageBlock reads what OpenTofu has for the settings of a module.
// Source: OpenTofu 1.12.6, internal/configs/language.go.
func (r *reader) languageBlock(b *hcl.Block) {
	if r.overriding {
		r.report(notOverridable("language blocks", b.DefRange))
		return
	}
	content, diags := b.Body.Content(&hcl.BodySchema{
		Attributes: attributes("edition", "experiments"),
		Blocks:     []hcl.BlockHeaderSchema{{Type: "compatible_with"}},
	})
	r.hcl(diags)
	if attr := content.Attributes["edition"]; attr != nil && hcl.ExprAsKeyword(attr.Expr) != "tofu2024" {
		r.report(unknownEdition(attr.Expr.Range()))
	}
	if attr := content.Attributes["experiments"]; attr != nil {
		exprs, diags := hcl.ExprList(attr.Expr)
		if r.hcl(diags); len(exprs) > 0 {
			r.report(unknownExperiment(exprs[0].Range()))
		}
	}
	var first *hcl.Attribute
	for _, inner := range content.Blocks {
		content, _, diags := inner.Body.PartialContent(&hcl.BodySchema{Attributes: attributes("opentofu")})
		r.hcl(diags)
		switch attr := content.Attributes["opentofu"]; {
		case attr == nil:
		case first != nil:
			r.report(duplicate("constraint on OpenTofu", first.Range, attr.Range))
		default:
			first = attr
			r.clientConstraint(attr.Expr, true)
		}
	}
}
