package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/packages"
	"github.com/formation-iac/formation/internal/workflow"
)

func (a *app) packageAddCommand() *cobra.Command {
	var flags packageFlags
	var selection selectionFlags
	var language string
	cmd := &cobra.Command{
		Use:   "add SOURCE [ARG...]",
		Short: "Add a package to the project here",
		Long: `Add a package to the project here: write its SDK below sdks, name it among the
program's dependencies, and record the package in Pulumi.yaml.

` + packageSources + "\n\n" + packageSelection + `

The selection is recorded in Pulumi.yaml as well, below "formation", so that
` + "`formation install`" + ` writes the same SDK again; the pulumi program passes it over,
and writes all of the package.`,
		Example: `  # A Terraform provider, through the bridge that comes with formation
  formation package add terraform-bridge hashicorp/random 3.6.0
  formation package add terraform-bridge hashicorp/aws --include aws_s3_bucket

  # One resource, one function and all of a module
  formation package add --include Bucket,getZones,aws:ec2:* aws@6.0.0

  formation package add random@4.16.0
  formation package add ./my-component
  formation package add github.com/acme/component@1.2.3`,
	}
	cmd.Flags().StringVar(&language, "language", "", "write the SDK for a `LANGUAGE` where there is no project: nodejs, python, go, …")
	flags.register(cmd.Flags())
	selection.register(cmd.Flags())
	return passing(cmd, 1, "a SOURCE", func(cmd *cobra.Command, args []string) error {
		source, err := flags.source(args)
		if err == nil {
			source.Selection, err = selection.selection(cmd.Flags())
		}
		if err != nil {
			return &usageError{command: cmd.CommandPath(), err: err}
		}
		return a.addPackage(cmd.Context(), source, language)
	})
}

func (a *app) addPackage(ctx context.Context, source packages.Source, language string) error {
	var added packages.Added
	diags := a.withPlugins(ctx, nil, func(ctx context.Context, p *workflow.Plugins) (diags diag.List) {
		added, diags = p.AddPackage(ctx, source, language)
		return explainFlags(source, diags)
	})
	if a.json {
		if err := a.writeJSON(struct {
			Diagnostics diag.List `json:"diagnostics"`
			packages.Added
		}{orEmpty(diags), added}); err != nil {
			return err
		}
	} else if !diags.HasErrors() {
		a.print(addedText(added))
	}
	return ended(diags)
}

func addedText(a packages.Added) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Added package %s", a.Name)
	if a.Version != "" {
		fmt.Fprintf(&b, " %s", a.Version)
	}
	fmt.Fprintf(&b, ": %s\n", a.SDK)
	if a.Import != "" {
		fmt.Fprintf(&b, "  %s\n", a.Import)
	}
	if a.Next != "" {
		fmt.Fprintf(&b, "Next: %s\n", a.Next)
	}
	return b.String()
}
