package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/formation-iac/formation/internal/importer/write"
	"github.com/formation-iac/formation/internal/workflow"
)

func (a *app) demoCommand() *cobra.Command {
	req := workflow.DemoRequest{}
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Import a synthetic estate, from end to end",
		Long: `Start a small synthetic cloud, put resources into it that no code knows of,
import them, and prove the outcome a no-op, by the provider alone and by tofu
or terraform where they are on the PATH. Then do the same with some objects of
a real provider, hashicorp/time, where terraform-provider-time is on the PATH.

The estate's server and provider are built beside this program by "make demo",
which builds the real provider and tofu as well.`,
		Args: exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.demo(cmd.Context(), req) },
	}
	cmd.Flags().StringVar(&req.Programs, "programs", "", "`DIR` with the estate's programs (default: testkit beside this program)")
	cmd.Flags().StringVar(&req.OutDir, "out", "", "`DIR` to write to (default: a new temporary directory)")
	cmd.Flags().IntVar(&req.Resources, "resources", 60, "how many resources to put into the estate")
	return cmd
}

func (a *app) demo(ctx context.Context, req workflow.DemoRequest) error {
	watched, unwatch := a.watched(ctx)
	outcome, diags := workflow.Demo(watched, a.environment(), req)
	unwatch()
	a.say(diags, outcome.Import.Sources)
	if diags.HasErrors() {
		return done(exitFailed)
	}
	if a.json {
		if err := a.writeJSON(outcome); err != nil {
			return err
		}
	} else {
		a.print(demoText(outcome, a.verbose))
	}
	if !outcome.Agreed() {
		return done(exitPartial)
	}
	return nil
}

// demoText is the summary of each import, and what the judges say of it. The
// estate ends with the demo, so there is no next step.
func demoText(o workflow.DemoOutcome, all bool) string {
	text := fmt.Sprintf("A synthetic estate with %d resources that no code knew of, imported in %.2f s.\n\n", o.Resources, o.Seconds)
	text += judgedText(o.DemoImport, all)
	if o.Real == nil {
		return text + "\nThe demo goes on with hashicorp/time, a real provider, where terraform-provider-time is on the PATH.\n"
	}
	text += fmt.Sprintf("\nObjects of hashicorp/time, a real provider, imported in %.2f s.\n\n", o.Real.Seconds)
	return text + judgedText(*o.Real, all)
}

func judgedText(i workflow.DemoImport, all bool) string {
	text := i.Import.Report.Text(write.TextOptions{Most: listed(all)})
	text += fmt.Sprintf("\nWritten to %s\n", i.Import.Dir)
	for _, judge := range i.Judges {
		text += fmt.Sprintf("%s plan: %s\n", judge.Tool, judge.Verdict)
	}
	return text
}

// listed is how many members of each list a summary names; 0 is all.
func listed(all bool) int {
	if all {
		return 0
	}
	return 10
}
