package tflang

import (
	"errors"
	"maps"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/formation-iac/formation/internal/base/hcltext"
)

// maxTemplateDepth is how deep templates may include each other.
const maxTemplateDepth = 1024

// templateFileFunc renders a file with variables. A template may render
// others, up to [maxTemplateDepth].
func templateFileFunc(h Host, table map[string]function.Function, depth int) function.Function {
	render := func(args []cty.Value) (cty.Value, error) {
		path, marks := args[0].Unmark()
		if depth > maxTemplateDepth {
			return cty.DynamicVal, errors.New("templates include each other too deeply")
		}
		src, err := h.readText(path.AsString())
		if err != nil {
			return cty.DynamicVal, function.NewArgError(0, err)
		}
		inner := maps.Clone(table)
		inner["templatefile"] = templateFileFunc(h, table, depth+1)
		inner[CorePrefix+"templatefile"] = inner["templatefile"]
		out, err := renderTemplate(src, redactedName(path, marks), args[1], inner)
		return out.WithMarks(marks), err
	}
	return templateFunc("path", render)
}

func redactedName(path cty.Value, marks cty.ValueMarks) string {
	if len(marks) > 0 {
		return "template"
	}
	return path.AsString()
}

// templateStringFunc renders a string with variables.
func templateStringFunc(table map[string]function.Function) function.Function {
	return templateFunc("template", func(args []cty.Value) (cty.Value, error) {
		src, marks := args[0].Unmark()
		out, err := renderTemplate(src.AsString(), "template", args[1], table)
		return out.WithMarks(marks), err
	})
}

// templateFunc makes a function whose result type is that of a rendering: a
// template of a single interpolation is of any type.
func templateFunc(first string, render func(args []cty.Value) (cty.Value, error)) function.Function {
	source, vars := param(first, cty.String), param("vars", cty.DynamicPseudoType)
	source.AllowMarked, vars.AllowMarked = true, true
	return function.New(&function.Spec{
		Params: []function.Parameter{source, vars},
		Type: func(args []cty.Value) (cty.Type, error) {
			if !args[0].IsKnown() || !args[1].IsKnown() {
				return cty.DynamicPseudoType, nil
			}
			out, err := render(args)
			return out.Type(), err
		},
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return render(args) },
	})
}

func renderTemplate(src, filename string, vars cty.Value, table map[string]function.Function) (cty.Value, error) {
	expr, diags := hcltext.ParseTemplate([]byte(src), filename)
	if diags.HasErrors() {
		return cty.DynamicVal, function.NewArgError(0, diags)
	}
	vars, marks := vars.Unmark()
	if ty := vars.Type(); !ty.IsMapType() && !ty.IsObjectType() {
		return cty.DynamicVal, function.NewArgErrorf(1, "invalid vars value: must be a map")
	}
	values := vars.AsValueMap()
	for name := range values {
		if !hclsyntax.ValidIdentifier(name) {
			return cty.DynamicVal, function.NewArgErrorf(1, "invalid template variable name %q: want a letter, then letters, digits and underscores", name)
		}
	}
	for _, traversal := range expr.Variables() {
		if _, ok := values[traversal.RootName()]; !ok {
			return cty.DynamicVal, function.NewArgErrorf(1, "vars map does not contain key %q, referenced at %s", traversal.RootName(), traversal.SourceRange())
		}
	}
	out, diags := expr.Value(&hcl.EvalContext{Variables: values, Functions: table})
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	return out.WithMarks(marks), nil
}
