package cli

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/formation-iac/formation/internal/tf/tfregistry"
	"github.com/formation-iac/formation/internal/workflow"
)

func (a *app) linksCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "links", Short: "Look into the rules that link resources"}
	return group(cmd, a.linksCheckCommand(), a.linksExplainCommand())
}

func (a *app) linksCheckCommand() *cobra.Command {
	var constraint string
	cmd := &cobra.Command{
		Use:   "check PROVIDER FILE...",
		Short: "Check link rules against a provider's schema",
		Long: `Check that every type, path and attribute that rules name exists in a
provider's schema.

A rule says which attribute may refer to what. Paths go through nested blocks,
lists, sets and maps with []; of several targets the first that matches wins:

  aws_s3_bucket = {
    "logging[].target_bucket" = aws_s3_bucket.id
    "policy.Statement[].Principal.AWS" = [aws_iam_role.arn, aws_iam_user.arn]
  }

Inside of nested blocks, paths can be written as these:

  resource "aws_s3_bucket" {
    logging {
      target_bucket = aws_s3_bucket.id
    }
  }

A name that is unique within something alone is looked for there, by an
attribute that both resources have, or by theirs and ours:

  postgresql_grant = {
    "schema" = postgresql_schema[database].name
  }
  postgresql_default_privileges = {
    "schema" = postgresql_schema[{ database = database }].name
  }`,
		Example: `  formation links check hashicorp/aws rules.hcl`,
		Args:    between(2, math.MaxInt, "PROVIDER and at least one FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			req, diags := parseProvider(args[0], constraint)
			if diags.HasErrors() {
				a.say(diags, nil)
				return done(exitUsage)
			}
			return a.checkLinks(cmd.Context(), req, args[1:])
		},
	}
	cmd.Flags().StringVar(&constraint, "version", "", "version constraint of the provider (default: the newest)")
	return cmd
}

func (a *app) checkLinks(ctx context.Context, provider tfregistry.Request, files []string) error {
	ctx, unwatch := a.watched(ctx)
	sources, diags := workflow.CheckRules(ctx, a.environment(), provider, files)
	unwatch()
	if a.json {
		if err := a.writeJSON(map[string]any{"valid": !diags.HasErrors(), "diagnostics": orEmpty(diags)}); err != nil {
			return err
		}
	} else {
		a.say(diags, sources)
	}
	if diags.HasErrors() {
		return done(exitFailed)
	}
	if !a.json {
		a.print(fmt.Sprintf("The rules fit the schema of %s.\n", provider.Provider))
	}
	return nil
}

func (a *app) linksExplainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain DIR [ADDRESS]",
		Short: "Say why links of an import were made, or were not",
		Long: `Say, from the report in a directory that an import wrote, by which rule each
reference was made, and why values that a rule speaks of stayed literals.`,
		Example: `  formation links explain imported
  formation links explain imported aws_s3_bucket.logs`,
		Args: between(1, 2, "DIR and at most one ADDRESS"),
		RunE: func(_ *cobra.Command, args []string) error {
			explained, diags := workflow.ExplainLinks(args[0], strings.Join(args[1:], ""))
			a.say(diags, nil)
			switch {
			case diags.HasErrors():
				return done(exitFailed)
			case a.json:
				return a.writeJSON(explained)
			default:
				a.print(linksText(explained))
				return nil
			}
		},
	}
}

func linksText(explained []workflow.ExplainedLink) string {
	var b strings.Builder
	for _, e := range explained {
		if e.Target != "" {
			fmt.Fprintf(&b, "%s: %s = %s\n    by %s\n", e.Address, e.Path, e.Target, e.Rule)
		} else {
			fmt.Fprintf(&b, "%s: %s is no link: %s\n    by %s\n", e.Address, e.Path, e.Reason, e.Rule)
		}
	}
	if len(explained) == 0 {
		b.WriteString("No rule speaks of anything there.\n")
	}
	return b.String()
}
