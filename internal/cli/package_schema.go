package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/wholefile"
	"github.com/formation-iac/formation/internal/packages"
	"github.com/formation-iac/formation/internal/plugin/broker"
	"github.com/formation-iac/formation/internal/plugin/host"
	"github.com/formation-iac/formation/internal/workflow"
)

func (a *app) packageGetSchemaCommand() *cobra.Command {
	var flags packageFlags
	cmd := &cobra.Command{
		Use:   "get-schema SOURCE [ARG...]",
		Short: "Write the schema of a package, as JSON",
		Long:  "Write the schema of a package to standard output, as JSON.\n\n" + packageSources,
		Example: `  formation package get-schema terraform-bridge hashicorp/random > random.json
  formation package get-schema random@4.16.0 | jq .resources`,
	}
	flags.register(cmd.Flags())
	return passing(cmd, 1, "a SOURCE", func(cmd *cobra.Command, args []string) error {
		source, err := flags.source(args)
		if err != nil {
			return &usageError{command: cmd.CommandPath(), err: err}
		}
		return a.getSchema(cmd.Context(), source)
	})
}

// getSchema writes a document of JSON in either case, so that diagnostics
// always go to standard error.
func (a *app) getSchema(ctx context.Context, source packages.Source) error {
	var schema *broker.Document
	diags := a.withPlugins(ctx, nil, func(ctx context.Context, p *workflow.Plugins) (diags diag.List) {
		schema, diags = p.Packages.Document(ctx, source)
		return diags
	})
	if a.json {
		a.say(diags, nil)
	}
	if diags.HasErrors() {
		return done(exitFailed)
	}
	defer schema.Close()
	if err := schema.Write(a.stdout); err != nil {
		return &outputError{err}
	}
	return nil
}

func (a *app) packageGetMappingCommand() *cobra.Command {
	var flags packageFlags
	var out string
	cmd := &cobra.Command{
		Use:   "get-mapping KEY SOURCE [PROVIDER [ARG...]]",
		Short: "Write how a package relates to a provider of another ecosystem",
		Long: `Write what a converter needs to know about a package: how its resources relate
to those of a provider of another ecosystem. KEY is the ecosystem, such as
terraform; PROVIDER the provider's name there, which may be "" where the package
has one only.

` + packageSources,
		Example: `  formation package get-mapping terraform aws
  formation package get-mapping terraform terraform-bridge random hashicorp/random --out random.json`,
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "`FILE` to write to (default: standard output)")
	flags.register(cmd.Flags())
	return passing(cmd, 2, "KEY and SOURCE", func(cmd *cobra.Command, args []string) error {
		provider := ""
		params := args[2:]
		if len(params) > 0 {
			provider, params = params[0], params[1:]
		}
		source, err := flags.source(append([]string{args[1]}, params...))
		if err != nil {
			return &usageError{command: cmd.CommandPath(), err: err}
		}
		return a.getMapping(cmd.Context(), source, args[0], provider, out)
	})
}

func (a *app) getMapping(ctx context.Context, source packages.Source, key, provider, out string) error {
	var mapping host.Mapping
	diags := a.withPlugins(ctx, nil, func(ctx context.Context, p *workflow.Plugins) (diags diag.List) {
		mapping, diags = p.Packages.Mapping(ctx, source, key, provider)
		return diags
	})
	if a.json {
		a.say(diags, nil)
	}
	if diags.HasErrors() {
		return done(exitFailed)
	}
	if out == "" {
		_, _ = a.stdout.Write(mapping.Data) // bytes for a program; a failure is remembered
		return nil
	}
	if err := wholefile.Replace(out, mapping.Data, 0o644); err != nil {
		a.say(diag.FromError("CL0009", "Cannot write "+out, err), nil)
		return done(exitFailed)
	}
	fmt.Fprintf(a.process.Stderr, "%s maps to provider %s: %s\n", source.Text, mapping.Provider, out)
	return nil
}
