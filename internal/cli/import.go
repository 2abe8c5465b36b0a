package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/shell"
	"github.com/formation-iac/formation/internal/base/workload"
	"github.com/formation-iac/formation/internal/importer/write"
	"github.com/formation-iac/formation/internal/workflow"
)

const importLong = `Import live resources into Terraform configuration and state.

What exists is found through the provider's own lists, and through what you
name besides: a query file, inventories, or a command that prints one. Each
object is read, its configuration is made as small as the provider lets it be
without changing what it means, references take the place of literals, and the
whole is proven to plan as a no-op before anything is written.

PROVIDER is [host/][namespace/]type, or the path of a terraform-provider-*
binary. The provider is configured by its environment variables, by
--provider-config, or by the provider block of the query file.

An inventory is JSON lines, a JSON array or CSV of type and id (or identity),
or a file with import blocks:

  {"type": "aws_s3_bucket", "id": "logs"}
  {"type": "aws_iam_role", "identity": {"name": "admin"}, "name": "admin"}

Import again into the same directory whenever you like: what you filled in in
secrets.auto.tfvars is kept, and an import that would lose a resource that an
earlier one had, or any other edit, refuses and changes nothing (see --prune).

Exit codes: 0 all is imported and proven; 1 failed, nothing was written;
2 the command line makes no sense; 3 done but for what the report names.`

const importExample = `  # Everything that the provider can list
  formation import hashicorp/aws --out imported

  # Some types, with ids for one that cannot be listed
  formation import hashicorp/aws --type 'aws_s3_*' --type aws_iam_role \
    --ids roles.csv --out imported

  # Ids from a database
  formation import cyrilgdn/postgresql --out roles --ids-from \
    "psql -Atc \"select json_build_object('type', 'postgresql_role', 'id', rolname) from pg_roles where oid >= 16384\""

  # Lists that need configuration, in Terraform's own format
  formation import hashicorp/aws --query all.tfquery.hcl --out imported`

func (a *app) importCommand() *cobra.Command {
	req := workflow.ImportRequest{}
	var constraint, source, state string
	cmd := &cobra.Command{
		Use:     "import PROVIDER",
		Short:   "Import live resources into Terraform configuration and state",
		Long:    importLong,
		Example: importExample,
		Args:    exactly(1, "one PROVIDER"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var ok bool
			if req.State, req.ImportBlocks, ok = handover(state); !ok {
				return &usageError{command: cmd.CommandPath(), err: fmt.Errorf("unknown --state %q: want tfstate, import-blocks or both", state)}
			}
			if req.Parallel < 1 {
				return &usageError{command: cmd.CommandPath(), err: notParallel(req.Parallel)}
			}
			if count(req.Inventories, "-") > 1 {
				return &usageError{command: cmd.CommandPath(), err: stdinTwice()}
			}
			if !cmd.Flags().Changed("parallel") {
				req.MostParallel = mostParallel
			}
			provider, diags := parseProvider(args[0], constraint)
			if diags.HasErrors() {
				a.say(diags, nil)
				return done(exitUsage)
			}
			if provider, diags = addressed(provider, source); diags.HasErrors() {
				a.say(diags, nil)
				return done(exitUsage)
			}
			req.Stdin = a.process.Stdin
			req.Provider = provider
			return a.importResources(cmd.Context(), req)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&constraint, "version", "", "version constraint of the provider, such as \"~> 5.0\" (default: the newest)")
	flags.StringVar(&source, "source", "", "`ADDRESS` to write for a provider given by its path: [host/][namespace/]type")
	flags.StringVar(&req.ConfigFile, "provider-config", "", "`FILE` with the provider's configuration: a provider block, or what stands inside one")
	flags.StringArrayVar(&req.Include, "type", nil, "import only types that match this `GLOB`; may repeat")
	flags.StringArrayVar(&req.Exclude, "exclude-type", nil, "leave out types that match this `GLOB`; may repeat")
	flags.StringVar(&req.QueryFile, "query", "", "`FILE` with list blocks (*.tfquery.hcl)")
	flags.StringArrayVar(&req.Inventories, "ids", nil, "`FILE` with ids or identities: JSON, CSV or import blocks; - is standard input; may repeat")
	flags.StringArrayVar(&req.Commands, "ids-from", nil, "shell `COMMAND` that prints such an inventory; may repeat")
	flags.BoolVar(&req.NoList, "no-list", false, "import only what is named; ask none of the provider's own lists")
	flags.StringArrayVar(&req.RuleFiles, "links", nil, "`FILE` with link rules, tried before those built in; may repeat")
	flags.BoolVar(&req.NoLinks, "no-links", false, "write literals; link nothing")
	flags.BoolVar(&req.Smallest, "smallest", false, "also leave out what the provider chose and could choose otherwise when made anew")
	flags.StringVar(&req.OutDir, "out", "imported", "`DIR` to write to")
	flags.BoolVar(&req.Prune, "prune", false, "let go of what an earlier import into DIR had and this one did not find")
	flags.StringVar(&state, "state", "tfstate", "how what exists is handed over: tfstate, import-blocks or both")
	flags.IntVar(&req.Parallel, "parallel", usualParallel, fmt.Sprintf("calls to the provider at one time; by default up to %d where it answers without a network", mostParallel))
	return cmd
}

func count(list []string, of string) int {
	n := 0
	for _, member := range list {
		if member == of {
			n++
		}
	}
	return n
}

// How many calls to a provider are made at one time where nobody says it: as
// many as Terraform makes, and more where that presses no service.
const (
	usualParallel = 10
	mostParallel  = 100
)

// handover is what --state asks for.
func handover(name string) (state, blocks, ok bool) {
	switch name {
	case "tfstate":
		return true, false, true
	case "import-blocks":
		return false, true, true
	case "both":
		return true, true, true
	}
	return false, false, false
}

func (a *app) importResources(ctx context.Context, req workflow.ImportRequest) error {
	workload.Batch()
	watched, unwatch := a.watched(ctx)
	outcome, diags := workflow.Import(watched, a.environment(), req)
	unwatch()
	a.say(diags, outcome.Sources)
	written := !diags.HasErrors()
	if a.json {
		if err := a.writeJSON(importJSON{Diagnostics: orEmpty(diags), ImportOutcome: outcome}); err != nil {
			return err
		}
	} else if written {
		a.print(importText(outcome, a.verbose))
	}
	switch {
	case !written:
		return done(exitFailed)
	case !outcome.Complete():
		return done(exitPartial)
	default:
		return done(exitDone)
	}
}

// importJSON is the outcome for machines.
type importJSON struct {
	Diagnostics diag.List `json:"diagnostics"`
	workflow.ImportOutcome
}

func orEmpty(diags diag.List) diag.List {
	if diags == nil {
		return diag.List{}
	}
	return diags
}

// importText is the summary for people: what there is now, what is missing,
// and what to do next.
func importText(o workflow.ImportOutcome, all bool) string {
	var b strings.Builder
	most := 10
	if all {
		most = 0
	}
	b.WriteString(o.Report.Text(write.TextOptions{Most: most}))
	fmt.Fprintf(&b, "\nWritten to %s:\n", o.Dir)
	for _, file := range slices.Sorted(slices.Values(slices.Concat(o.Files.Written, o.Files.Unchanged))) {
		fmt.Fprintf(&b, "  %s\n", file)
	}
	if len(o.Files.Removed) > 0 {
		b.WriteString("\nRemoved:\n")
	}
	for _, file := range o.Files.Removed {
		fmt.Fprintf(&b, "  %s\n", file)
	}
	if len(o.LetGo) > 0 {
		b.WriteString("\nLet go of:\n")
	}
	for _, resource := range o.LetGo {
		fmt.Fprintf(&b, "  %s\n", resource)
	}
	switch {
	case o.Report.Summary.Imported == 0:
		b.WriteString("\nNothing was imported. What could not be listed needs --ids, --ids-from or --query.\n")
	case o.Proven:
		fmt.Fprintf(&b, "\nProven: %s.\n", proven(o))
		b.WriteString(nextStep(o))
	case o.Report.Summary.NoOp == o.Report.Summary.Imported:
		fmt.Fprintf(&b, "\nNot proven, for the files that stand beside it: see the warning above.\n")
	default:
		fmt.Fprintf(&b, "\nNot all of it is proven; %s/report.json says what is not.\n", o.Dir)
	}
	return b.String()
}

// proven says what a plan of the directory does.
func proven(o workflow.ImportOutcome) string {
	s := o.Report.Summary
	switch {
	case o.Report.Handover != write.HandoverBlocks:
		return fmt.Sprintf("a plan of %s changes nothing", o.Dir)
	case s.Settled > 0:
		return fmt.Sprintf("a plan of %s imports %d and sets only what is named above", o.Dir, s.Imported)
	default:
		return fmt.Sprintf("a plan of %s imports %d and changes nothing", o.Dir, s.Imported)
	}
}

// nextStep says how to go on with tofu or terraform, which find a provider
// that was given by its path only where they are told to.
func nextStep(o workflow.ImportOutcome) string {
	if o.LocalProvider == "" {
		return fmt.Sprintf("Next: cd %s && tofu init && tofu plan (or terraform).\n", shell.Word(o.Dir))
	}
	return fmt.Sprintf(`Next: cd %s && tofu plan (or terraform). The provider is a local build, so they need to be
told where it is, in the file that TF_CLI_CONFIG_FILE names:

  provider_installation {
    dev_overrides { %q = %q }
    direct {}
  }
`, shell.Word(o.Dir), o.Report.Provider.Source, o.LocalProvider)
}
