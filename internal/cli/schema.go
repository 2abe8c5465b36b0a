package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
	"github.com/formation-iac/formation/internal/tf/tfschema"
	"github.com/formation-iac/formation/internal/workflow"
)

func (a *app) schemaCommand() *cobra.Command {
	var constraint, kind string
	cmd := &cobra.Command{
		Use:   "schema PROVIDER [TYPE]",
		Short: "Show a Terraform provider's schema",
		Long: `Show what a Terraform provider has, or the schema of one type of it.

PROVIDER is [host/][namespace/]type, or the path of a terraform-provider-*
binary. Schemas are kept by the binary's content: the provider is started only
for one that was not seen before.`,
		Example: `  formation schema hashicorp/aws
  formation schema hashicorp/aws aws_s3_bucket --version '~> 6.0'
  formation schema ./terraform-provider-mine mine_thing --json
  formation schema hashicorp/aws aws_instance --kind list`,
		Args: between(1, 2, "PROVIDER and at most one TYPE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			k, ok := schemaKind(kind)
			if !ok {
				return &usageError{command: cmd.CommandPath(), err: fmt.Errorf("unknown kind %q: want provider, resource, data, ephemeral or list", kind)}
			}
			req, diags := parseProvider(args[0], constraint)
			if diags.HasErrors() {
				a.say(diags, nil)
				return done(exitUsage)
			}
			return a.schema(cmd.Context(), workflow.SchemaRequest{
				Provider: req, Type: strings.Join(args[1:], ""), Kind: k,
			})
		},
	}
	cmd.Flags().StringVar(&constraint, "version", "", "version constraint of the provider, such as \"~> 5.0\" (default: the newest)")
	cmd.Flags().StringVar(&kind, "kind", "resource", "what TYPE is: resource, data, ephemeral, list, or provider for the provider's own configuration")
	return cmd
}

// schemaKind is the kind of schema that --kind names.
func schemaKind(name string) (kind tfschema.Kind, ok bool) {
	switch name {
	case "provider":
		return tfschema.KindProvider, true
	case "resource":
		return tfschema.KindResource, true
	case "data":
		return tfschema.KindDataSource, true
	case "ephemeral":
		return tfschema.KindEphemeral, true
	case "list":
		return tfschema.KindList, true
	}
	return kind, false
}

// parseProvider reads the PROVIDER argument and its version constraint.
func parseProvider(arg, constraint string) (tfregistry.Request, diag.List) {
	req, err := tfregistry.ParseSource(arg)
	if err != nil {
		return req, diag.FromError("CL0003", "Not a provider", err)
	}
	req.Constraint = constraint
	return req, nil
}

// addressed gives a provider that is a local binary the address that the user
// says it has.
func addressed(req tfregistry.Request, source string) (tfregistry.Request, diag.List) {
	if source == "" {
		return req, nil
	}
	if req.LocalPath == "" {
		return req, diag.List{sourceNotNeeded(source)}
	}
	address, err := tfaddr.ParseProvider(source)
	if err != nil {
		return req, diag.FromError("CL0003", "Not a provider", err)
	}
	req.Provider = address
	return req, nil
}

func (a *app) schema(ctx context.Context, req workflow.SchemaRequest) error {
	ctx, unwatch := a.watched(ctx)
	listing, schema, diags := workflow.Schema(ctx, a.environment(), req)
	unwatch()
	a.say(diags, nil)
	switch {
	case diags.HasErrors():
		return done(exitFailed)
	case listing != nil && a.json:
		return a.writeJSON(listing)
	case listing != nil:
		a.print(listingText(listing))
	case a.json:
		return a.writeJSON(schema)
	default:
		a.print(cmp.Or(schema.Describe(), "It takes no arguments.\n"))
	}
	return nil
}

func listingText(l *workflow.SchemaListing) string {
	var b strings.Builder
	b.WriteString(strings.TrimSpace(l.Provider+" "+l.Version) + "\n")
	for _, group := range []struct {
		title string
		names []string
	}{
		{"Resource types", l.Resources}, {"Of these listable", l.Listable}, {"Data sources", l.DataSources},
		{"Ephemeral resource types", l.Ephemeral}, {"Functions", l.Functions},
	} {
		if len(group.names) > 0 {
			fmt.Fprintf(&b, "\n%s (%d):\n  %s\n", group.title, len(group.names), strings.Join(group.names, "\n  "))
		}
	}
	return b.String()
}
