package tfverify

import (
	"context"
	"errors"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/hcltext"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// The functions of the provider inside Terraform and OpenTofu. Their results
// are texts that are compared byte for byte, so that they are written by the
// library that the clients write them with.
const (
	decodeVariables  = "decode_tfvars"
	encodeVariables  = "encode_tfvars"
	encodeExpression = "encode_expr"
)

func (builtinDecoder) FunctionNames() []string {
	return []string{decodeVariables, encodeExpression, encodeVariables}
}

func (builtinDecoder) Function(name string) (*tfschema.Function, error) {
	takes := func(parameter string, ty, result cty.Type) (*tfschema.Function, error) {
		return &tfschema.Function{
			Name: name, Return: result, Parameters: []*tfschema.Parameter{{Name: parameter, Type: ty}},
		}, nil
	}
	switch name {
	case decodeVariables:
		return takes("content", cty.String, cty.DynamicPseudoType)
	case encodeVariables:
		return takes("input", cty.DynamicPseudoType, cty.String)
	case encodeExpression:
		return takes("expr", cty.DynamicPseudoType, cty.String)
	}
	return nil, nil
}

// CallFunction calls one of the three functions, with its one argument.
func (b *builtin) CallFunction(_ context.Context, name string, args []cty.Value) (cty.Value, diag.List) {
	call := map[string]func(cty.Value) (cty.Value, error){
		decodeVariables: decodedVariables, encodeVariables: encodedVariables, encodeExpression: encodedExpression,
	}[name]
	out, err := call(args[0])
	if err != nil {
		return cty.DynamicVal, diag.List{diag.Errorf(tfprovider.CodeProvider, "Function "+name+" failed", "%s", err).On(cty.IndexIntPath(0))}
	}
	return out, nil
}

// decodedVariables reads the text of a tfvars file, whose values are constant.
func decodedVariables(text cty.Value) (cty.Value, error) {
	file, diags := hcltext.Parse([]byte(text.AsString()), "content")
	if diags.HasErrors() {
		return cty.NilVal, diags
	}
	attrs, diags := file.Body.JustAttributes()
	if diags.HasErrors() {
		return cty.NilVal, diags
	}
	values := map[string]cty.Value{}
	for name, attr := range attrs {
		var more hcl.Diagnostics
		values[name], more = attr.Expr.Value(nil)
		diags = append(diags, more...)
	}
	if diags.HasErrors() {
		return cty.NilVal, diags
	}
	return cty.ObjectVal(values), nil
}

var (
	errNoObject   = errors.New("it is no object")
	errNoArgument = errors.New("a key of it cannot be the name of a variable")
)

// encodedVariables writes the members of an object as a tfvars file has them.
func encodedVariables(object cty.Value) (cty.Value, error) {
	if !object.Type().IsObjectType() {
		return cty.NilVal, errNoObject
	}
	file := hclwrite.NewEmptyFile()
	values := object.AsValueMap()
	for _, name := range sortedKeys(values) {
		if !hclsyntax.ValidIdentifier(name) {
			return cty.NilVal, errNoArgument
		}
		file.Body().SetAttributeValue(name, values[name])
	}
	return cty.StringVal(string(file.Bytes())), nil
}

// encodedExpression writes a value as an expression.
func encodedExpression(value cty.Value) (cty.Value, error) {
	file := hclwrite.NewEmptyFile()
	file.Body().AppendUnstructuredTokens(hclwrite.TokensForValue(value))
	return cty.StringVal(string(file.Bytes())), nil
}
