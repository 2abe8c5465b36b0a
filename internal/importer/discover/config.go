package discover

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/dynblock"
	"github.com/hashicorp/hcl/v2/hcldec"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// decodeConfig decodes the body of a block by the provider's schema, dynamic
// blocks included. The value has the schema's implied type. What concerns
// the block as a whole is reported at its place.
func decodeConfig(ev *evaluator, body hcl.Body, at hcl.Range, block *tfschema.Block, vars map[string]cty.Value) (cty.Value, diag.List) {
	spec := block.DecoderSpec()
	refs := dynblock.ExpandVariablesHCLDec(body, spec)
	refs = append(refs, dynblock.VariablesHCLDec(body, spec)...)
	ctx, diags := ev.context(refs, vars)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	v, hclDiags := hcldec.Decode(dynblock.Expand(body, ctx), spec, ctx)
	for _, d := range diag.FromHCL(codeSyntax, hclDiags) {
		if d.Subject == nil || d.Subject.Filename == "" {
			d = d.At(at)
		}
		diags = append(diags, d)
	}
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	v = ctyx.Unmark(v)
	v, err := convert.Convert(v, block.ImpliedType())
	if err != nil {
		return cty.DynamicVal, append(diags, unsuitableConfig(at, err))
	}
	return v, diags
}
