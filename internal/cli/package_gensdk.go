package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/packages"
	"github.com/formation-iac/formation/internal/workflow"
)

func (a *app) packageGenSDKCommand() *cobra.Command {
	var flags packageFlags
	var selection selectionFlags
	var req packages.GenerateRequest
	cmd := &cobra.Command{
		Use:   "gen-sdk SOURCE [ARG...]",
		Short: "Write the SDKs of a package",
		Long: `Write the SDKs of a package, each into a directory called after its language:
nodejs, python and go, and other languages where their plugin is installed.

` + packageSources + "\n\n" + packageSelection,
		Example: `  formation package gen-sdk terraform-bridge hashicorp/random --language nodejs
  formation package gen-sdk ./schema.json --out sdk --version 1.2.3
  formation package gen-sdk --include 'Random*' --exclude RandomShuffle random --language go`,
	}
	cmd.Flags().StringSliceVar(&req.Languages, "language", nil, "`LANGUAGE` to write for, or several (default: nodejs, python and go)")
	cmd.Flags().StringVarP(&req.Out, "out", "o", "./sdk", "`DIR` to write to")
	cmd.Flags().StringVar(&req.Version, "version", "", "version of the SDKs (default: the schema's)")
	cmd.Flags().BoolVar(&req.Local, "local", false, "write SDKs that one program uses from where they are")
	flags.register(cmd.Flags())
	selection.register(cmd.Flags())
	return passing(cmd, 1, "a SOURCE", func(cmd *cobra.Command, args []string) error {
		var err error
		req.Source, err = flags.source(args)
		if err == nil {
			req.Source.Selection, err = selection.selection(cmd.Flags())
		}
		if err != nil {
			return &usageError{command: cmd.CommandPath(), err: err}
		}
		return a.generateSDKs(cmd.Context(), req)
	})
}

func (a *app) generateSDKs(ctx context.Context, req packages.GenerateRequest) error {
	var generated []packages.Generated
	diags := a.withPlugins(ctx, nil, func(ctx context.Context, p *workflow.Plugins) (diags diag.List) {
		generated, diags = p.Packages.Generate(ctx, req)
		return explainFlags(req.Source, diags)
	})
	if a.json {
		if err := a.writeJSON(struct {
			Diagnostics diag.List            `json:"diagnostics"`
			SDKs        []packages.Generated `json:"sdks"`
		}{orEmpty(diags), append([]packages.Generated{}, generated...)}); err != nil {
			return err
		}
	} else {
		var b strings.Builder
		for _, g := range generated {
			fmt.Fprintf(&b, "%s: %s\n", g.Language, filepath.ToSlash(g.Dir))
		}
		a.print(b.String())
	}
	if diags.HasErrors() && len(generated) > 0 {
		return done(exitPartial)
	}
	return ended(diags)
}
