package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/workload"
	"github.com/formation-iac/formation/internal/tf/tfverify"
	"github.com/formation-iac/formation/internal/workflow"
)

func (a *app) verifyCommand() *cobra.Command {
	req := workflow.VerifyRequest{}
	var vars []string
	cmd := &cobra.Command{
		Use:   "verify [DIR]",
		Short: "Prove that a root module and its state are a no-op",
		Long: `Prove that a plan of a root module would change nothing, through its
providers alone: neither terraform nor tofu is needed.

Variables, locals, references, count, for_each, dynamic blocks and local
modules are evaluated. What cannot be evaluated is named, and never called
proven.

Exit codes: 0 proven; 1 could not be verified; 2 the command line makes no
sense; 3 something would change, or could not be evaluated.`,
		Example: `  formation verify imported
  formation verify . --var-file prod.tfvars --json`,
		Args: between(0, 1, "at most one DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			req.Dir = "."
			if len(args) == 1 {
				req.Dir = args[0]
			}
			if req.Parallel < 1 {
				return &usageError{command: cmd.CommandPath(), err: notParallel(req.Parallel)}
			}
			var err error
			if req.Vars, err = parseVars(vars); err != nil {
				return &usageError{command: cmd.CommandPath(), err: err}
			}
			return a.verify(cmd.Context(), req)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&req.StatePath, "state", "", "state `FILE` (default: where the module's local backend keeps it)")
	flags.StringArrayVar(&req.VarFiles, "var-file", nil, "`FILE` with values for variables; may repeat")
	flags.StringArrayVar(&vars, "var", nil, "a variable's value, as `NAME=VALUE`; may repeat")
	flags.BoolVar(&req.SkipRefresh, "skip-refresh", false, "take the state's word for what exists")
	flags.IntVar(&req.Parallel, "parallel", 10, "calls to providers at one time")
	return cmd
}

func parseVars(list []string) (map[string]string, error) {
	out := map[string]string{}
	for _, v := range list {
		name, value, ok := strings.Cut(v, "=")
		if !ok {
			return nil, fmt.Errorf("--var %q is not NAME=VALUE", v)
		}
		out[name] = value
	}
	return out, nil
}

func (a *app) verify(ctx context.Context, req workflow.VerifyRequest) error {
	workload.Batch()
	watched, unwatch := a.watched(ctx)
	report, diags := workflow.Verify(watched, a.environment(), req)
	unwatch()
	a.say(diags, report.Sources)
	if a.json {
		err := a.writeJSON(struct {
			Diagnostics diag.List `json:"diagnostics"`
			tfverify.Report
		}{orEmpty(diags), report})
		if err != nil {
			return err
		}
	} else if !diags.HasErrors() {
		a.print(verifyText(report))
	}
	switch {
	case diags.HasErrors():
		return done(exitFailed)
	case !report.Proven:
		return done(exitPartial)
	default:
		return done(exitDone)
	}
}

// verifyText says first whether it is proven, then all that is not a no-op.
func verifyText(r tfverify.Report) string {
	var b strings.Builder
	if r.Proven {
		fmt.Fprintf(&b, "Proven: a plan changes nothing. %d resources are a no-op.\n", r.Counts[tfverify.NoOp])
		return b.String()
	}
	fmt.Fprintf(&b, "Not proven: %s.\n", countsText(r))
	said := map[string]bool{}
	for _, res := range r.Resources {
		if res.Verdict != tfverify.NoOp {
			resourceText(&b, res, r.Sources, said)
		}
	}
	for _, out := range r.Outputs {
		if out.Verdict != tfverify.NoOp {
			outputText(&b, out, r.Sources, said)
		}
	}
	for _, gap := range r.Gaps {
		b.WriteString(diag.Text(gap, r.Sources, diag.Style{}))
	}
	return b.String()
}

// resourceText tells about one resource.
func resourceText(b *strings.Builder, res tfverify.Resource, sources diag.Sources, said map[string]bool) {
	fmt.Fprintf(b, "  %-12s %s\n", res.Verdict, res.Address)
	for _, c := range res.Changes {
		if c.Path == "" { // all of it, which the verdict says
			continue
		}
		if c.Sensitivity {
			fmt.Fprintf(b, "    %s: its sensitivity\n", c.Path)
			continue
		}
		fmt.Fprintf(b, "    %s: %s -> %s\n", c.Path, c.Before, c.After)
	}
	reasonsText(b, res.Reasons, sources, said)
}

// outputText tells about one output. What is not there is null.
func outputText(b *strings.Builder, out tfverify.Output, sources diag.Sources, said map[string]bool) {
	fmt.Fprintf(b, "  %-12s output.%s\n", out.Verdict, out.Name)
	if out.Before != nil || out.After != nil {
		fmt.Fprintf(b, "    %s -> %s\n", orNull(out.Before), orNull(out.After))
	}
	reasonsText(b, out.Reasons, sources, said)
}

func orNull(value json.RawMessage) string {
	if value == nil {
		return "null"
	}
	return string(value)
}

// reasonsText tells why. A reason that many have, such as a provider that cannot
// be had, is told with the first of them.
func reasonsText(b *strings.Builder, reasons diag.List, sources diag.Sources, said map[string]bool) {
	for _, reason := range reasons {
		text := diag.Text(reason, sources, diag.Style{})
		if said[text] {
			fmt.Fprintf(b, "    %s: as above\n", reason.Summary)
			continue
		}
		said[text] = true
		for line := range strings.Lines(text) {
			b.WriteString("    " + line)
		}
	}
}

func countsText(r tfverify.Report) string {
	var parts []string
	for _, verdict := range []tfverify.Verdict{
		tfverify.Create, tfverify.Update, tfverify.Replace, tfverify.Delete, tfverify.Move, tfverify.Import,
		tfverify.Forget, tfverify.Read, tfverify.Unevaluated, tfverify.Failed, tfverify.NoOp,
	} {
		if n := r.Counts[verdict]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, verdict))
		}
	}
	if n := changingOutputs(r); n > 0 {
		parts = append(parts, fmt.Sprintf("outputs that are no no-op: %d", n))
	}
	if n := len(r.Gaps); n > 0 {
		parts = append(parts, fmt.Sprintf("%d that could not be evaluated at all", n))
	}
	return strings.Join(parts, ", ")
}

// changingOutputs counts the outputs that are no no-op.
func changingOutputs(r tfverify.Report) int {
	n := 0
	for _, out := range r.Outputs {
		if out.Verdict != tfverify.NoOp {
			n++
		}
	}
	return n
}
