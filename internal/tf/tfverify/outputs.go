package tfverify

import (
	"context"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tflang"
)

// outputsOf compares the root module's outputs with those of the state.
func (v *verifier) outputsOf(ctx context.Context, root *module) {
	for _, name := range sortedKeys(root.config.Outputs) {
		v.outputs = append(v.outputs, v.output(ctx, root, name))
	}
	for _, name := range sortedKeys(v.state.state.Outputs) {
		if root.config.Outputs[name] == nil {
			old := v.state.state.Outputs[name]
			before, err := old.Decode()
			out := Output{Name: name, Verdict: Delete}
			if err == nil {
				out.Before = renderValue(before, old.Sensitive)
			}
			v.outputs = append(v.outputs, out)
		}
	}
}

// output compares one. A null output that the state does not have is none:
// the state never keeps those.
func (v *verifier) output(ctx context.Context, root *module, name string) Output {
	out := Output{Name: name, Verdict: NoOp}
	config := root.config.Outputs[name]
	value := root.output(ctx, name)
	if config.Ephemeral {
		out.Verdict, out.Reasons = Failed, diag.List{ephemeralRootOutput(name, config.Range)}
		return out
	}
	if reasons := gapsOf(value); len(reasons) > 0 {
		out.Verdict, out.Reasons = Unevaluated, reasons
		return out
	}
	if tflang.Has(value, tflang.Sensitive) && !config.Sensitive {
		out.Verdict, out.Reasons = Failed, diag.List{sensitiveOutput(name, config.Range)}
		return out
	}
	if tflang.Has(value, tflang.Ephemeral) {
		out.Verdict, out.Reasons = Failed, diag.List{ephemeralOutput(name, config.Range)}
		return out
	}
	value = ctyx.Unmark(value)
	old, exists := v.state.state.Outputs[name]
	if !exists {
		if !value.IsKnown() || !value.IsNull() || config.Deprecated != "" {
			out.Verdict, out.After = Create, renderValue(value, config.Sensitive)
		}
		return out
	}
	before, err := old.Decode()
	if err != nil {
		out.Verdict, out.Reasons = Failed, diag.List{unreadableOutput(name, err)}
		return out
	}
	if sameOutput(before, value) && (old.Sensitive == config.Sensitive || value.IsNull()) && old.Deprecated == config.Deprecated {
		return out
	}
	hidden := old.Sensitive || config.Sensitive
	out.Verdict, out.Before, out.After = Update, renderValue(before, hidden), renderValue(value, hidden)
	return out
}

func sameOutput(before, after cty.Value) bool {
	if !after.IsWhollyKnown() {
		return false
	}
	if before.IsNull() || after.IsNull() {
		return before.IsNull() && after.IsNull()
	}
	same := after.Equals(before)
	return same.IsKnown() && same.True()
}
