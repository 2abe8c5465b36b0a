package estateprovider

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// arnParse is provider::estate::arn_parse(arn): the parts of an ARN.
type arnParse struct{}

func newARNParse() function.Function { return arnParse{} }

// arnParts are the parts of an ARN after "arn", in order.
func arnParts() []string { return []string{"partition", "service", "region", "account", "resource"} }

func (arnParse) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "arn_parse"
}

func (arnParse) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	members := map[string]attr.Type{}
	for _, part := range arnParts() {
		members[part] = types.StringType
	}
	resp.Definition = function.Definition{
		Summary:    "The parts of an ARN",
		Parameters: []function.Parameter{function.StringParameter{Name: "arn"}},
		Return:     function.ObjectReturn{AttributeTypes: members},
	}
}

func (arnParse) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var arn string
	if resp.Error = req.Arguments.Get(ctx, &arn); resp.Error != nil {
		return
	}
	parts := strings.SplitN(arn, ":", 6)
	if len(parts) != 6 || parts[0] != "arn" {
		resp.Error = function.NewArgumentFuncError(0, "not an ARN: it must be arn and five more parts, joined by colons")
		return
	}
	kinds, values := map[string]attr.Type{}, map[string]attr.Value{}
	for i, part := range arnParts() {
		kinds[part], values[part] = types.StringType, types.StringValue(parts[i+1])
	}
	object, diags := types.ObjectValue(kinds, values)
	if resp.Error = function.FuncErrorFromDiags(ctx, diags); resp.Error == nil {
		resp.Error = resp.Result.Set(ctx, object)
	}
}

// arnBuild is provider::estate::arn_build(service, parts...).
type arnBuild struct{}

func newARNBuild() function.Function { return arnBuild{} }

func (arnBuild) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "arn_build"
}

func (arnBuild) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary:           "An ARN of a service from the parts of its resource",
		Parameters:        []function.Parameter{function.StringParameter{Name: "service"}},
		VariadicParameter: function.StringParameter{Name: "part", AllowNullValue: true},
		Return:            function.StringReturn{},
	}
}

func (arnBuild) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var service string
	var parts []types.String
	if resp.Error = req.Arguments.Get(ctx, &service, &parts); resp.Error != nil {
		return
	}
	var kept []string
	for _, part := range parts {
		if !part.IsNull() {
			kept = append(kept, part.ValueString())
		}
	}
	resp.Error = resp.Result.Set(ctx, "arn:estate:"+service+":::"+strings.Join(kept, "/"))
}
