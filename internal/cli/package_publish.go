package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/packages"
	"github.com/formation-iac/formation/internal/workflow"
)

// publishing is what the flags of `package publish` say.
type publishing struct {
	registry, publisher string
	readme, installDocs string
}

func (a *app) packagePublishCommand() *cobra.Command {
	var flags packageFlags
	var req publishing
	cmd := &cobra.Command{
		Use:   "publish SOURCE [ARG...]",
		Short: "Publish a package to the registry",
		Long: `Publish a package's schema and its documents to the registry of the service at
PULUMI_API, with the token in PULUMI_ACCESS_TOKEN; without these, to where the
pulumi program is logged in.

` + packageSources,
		Example: `  formation package publish ./my-provider --readme README.md
  formation package publish ./schema.json --publisher acme`,
	}
	cmd.Flags().StringVar(&req.registry, "source", "private", "where the registry says that the package is from")
	cmd.Flags().StringVar(&req.publisher, "publisher", "", "the publisher (default: the schema's)")
	cmd.Flags().StringVar(&req.readme, "readme", "", "`FILE` with the package's readme, in Markdown (default: README.md in SOURCE)")
	cmd.Flags().StringVar(&req.installDocs, "installation-configuration", "", "`FILE` with how to install and configure it, in Markdown")
	flags.register(cmd.Flags())
	return passing(cmd, 1, "a SOURCE", func(cmd *cobra.Command, args []string) error {
		source, err := flags.source(args)
		if err != nil {
			return &usageError{command: cmd.CommandPath(), err: err}
		}
		return a.publish(cmd.Context(), source, req)
	})
}

func (a *app) publish(ctx context.Context, source packages.Source, req publishing) error {
	publication, diags := req.read(source)
	if diags.HasErrors() {
		a.say(diags, nil)
		return done(exitFailed)
	}
	var name string
	diags = a.withPlugins(ctx, nil, func(ctx context.Context, p *workflow.Plugins) (diags diag.List) {
		name, diags = p.Packages.Publish(ctx, source, publication)
		return diags
	})
	if a.json {
		if err := a.writeJSON(struct {
			Diagnostics diag.List `json:"diagnostics"`
			Published   string    `json:"published,omitempty"`
		}{orEmpty(diags), name}); err != nil {
			return err
		}
	} else if !diags.HasErrors() {
		a.print(fmt.Sprintf("Published package %s\n", name))
	}
	return ended(diags)
}

// read reads the documents.
func (r publishing) read(source packages.Source) (packages.Publication, diag.List) {
	out := packages.Publication{Registry: r.registry, Publisher: r.publisher}
	if r.readme == "" {
		r.readme = findReadme(source.Text)
	}
	if r.readme == "" {
		return out, diag.List{noReadme()}
	}
	var err error
	if out.Readme, err = os.ReadFile(r.readme); err != nil {
		return out, diag.FromError("CL0010", "Cannot read the readme", err)
	}
	if r.installDocs != "" {
		if out.InstallDocs, err = os.ReadFile(r.installDocs); err != nil {
			return out, diag.FromError("CL0010", "Cannot read how to install it", err)
		}
	}
	return out, nil
}

// findReadme looks for a README.md, in any case, in a source that is a
// directory, or beside a file.
func findReadme(source string) string {
	info, err := os.Stat(source)
	if err != nil {
		return ""
	}
	if !info.IsDir() {
		source = filepath.Dir(source)
	}
	entries, err := os.ReadDir(source)
	if err != nil {
		return ""
	}
	for _, entry := range entries {
		if strings.EqualFold(entry.Name(), "README.md") && !entry.IsDir() {
			return filepath.Join(source, entry.Name())
		}
	}
	return ""
}
