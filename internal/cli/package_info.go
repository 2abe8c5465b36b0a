package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/packages"
	"github.com/formation-iac/formation/internal/workflow"
)

func (a *app) packageInfoCommand() *cobra.Command {
	var flags packageFlags
	var question packages.Question
	cmd := &cobra.Command{
		Use:   "info SOURCE [ARG...]",
		Short: "Show what a package offers",
		Long:  "Show what a package offers: its modules, the members of one, or a resource or\nfunction with its properties.\n\n" + packageSources,
		Example: `  formation package info terraform-bridge hashicorp/random
  formation package info terraform-bridge hashicorp/random --resource Pet
  formation package info random --module index --json`,
	}
	cmd.Flags().StringVarP(&question.Module, "module", "m", "", "show the members of a `MODULE`")
	cmd.Flags().StringVarP(&question.Resource, "resource", "r", "", "show a `RESOURCE`")
	cmd.Flags().StringVarP(&question.Function, "function", "f", "", "show a `FUNCTION`")
	flags.register(cmd.Flags())
	return passing(cmd, 1, "a SOURCE", func(cmd *cobra.Command, args []string) error {
		source, err := flags.source(args)
		if err == nil && question.Resource != "" && question.Function != "" {
			err = errors.New("--resource and --function are two questions")
		}
		if err != nil {
			return &usageError{command: cmd.CommandPath(), err: err}
		}
		return a.packageInfo(cmd.Context(), source, question, args)
	})
}

func (a *app) packageInfo(ctx context.Context, source packages.Source, question packages.Question, args []string) error {
	var info packages.Info
	diags := a.withPlugins(ctx, nil, func(ctx context.Context, p *workflow.Plugins) diag.List {
		pkg, diags := p.Packages.Open(ctx, source)
		if diags.HasErrors() {
			return diags
		}
		var more diag.List
		info, more = pkg.Info(question)
		return append(diags, more...)
	})
	switch {
	case a.json:
		if err := a.writeJSON(struct {
			Diagnostics diag.List `json:"diagnostics"`
			packages.Info
		}{orEmpty(diags), info}); err != nil {
			return err
		}
	case diags.HasErrors():
	case question.Resource != "":
		a.print(memberText(info.Resources[0], info))
	case question.Function != "":
		a.print(memberText(info.Functions[0], info))
	default:
		a.print(infoText(info, strings.Join(args, " ")))
	}
	return ended(diags)
}

// manyModules is from how many modules on a package is shown by these.
const manyModules = 2

func infoText(i packages.Info, args string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Name: %s\n", i.Name)
	if i.Module != "" {
		fmt.Fprintf(&b, "Module: %s\n", i.Module)
	}
	fmt.Fprintf(&b, "Version: %s\n", i.Version)
	if i.Description != "" {
		fmt.Fprintf(&b, "Description: %s\n", i.Description)
	}
	if i.Module == "" && len(i.Modules) >= manyModules {
		fmt.Fprintf(&b, "Total resources: %d\nTotal functions: %d\nTotal modules: %d\n\nModules: %s\n",
			len(i.Resources), len(i.Functions), len(i.Modules), strings.Join(i.Modules, ", "))
		fmt.Fprintf(&b, "\nUse 'formation package info %s --module MODULE' to list what is in one.\n", args)
		return b.String()
	}
	membersText(&b, "Resources", i.Resources)
	membersText(&b, "Functions", i.Functions)
	if len(i.Resources)+len(i.Functions) == 0 {
		return b.String()
	}
	fmt.Fprintf(&b, "\nUse 'formation package info %s --resource NAME' to see one.\n", args)
	return b.String()
}

func membersText(b *strings.Builder, title string, members []packages.Member) {
	fmt.Fprintf(b, "\n%s: %d\n", title, len(members))
	for _, m := range members {
		fmt.Fprintf(b, "%s\n", strings.TrimRight(" - "+m.Name+": "+m.Description, ": "))
	}
}

func memberText(m packages.Member, i packages.Info) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nFrom: %s %s\n", m.Token, i.Name, i.Version)
	if m.Deprecated != "" {
		fmt.Fprintf(&b, "Deprecated: %s\n", m.Deprecated)
	}
	if m.Description != "" {
		fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(m.Description))
	}
	fieldsText(&b, "Inputs", i.Inputs)
	fieldsText(&b, "Outputs", i.Outputs)
	return b.String()
}

func fieldsText(b *strings.Builder, title string, fields []packages.Field) {
	if len(fields) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s:\n", title)
	for _, f := range fields {
		notes := ""
		if f.Required {
			notes += ", required"
		}
		if f.Secret {
			notes += ", secret"
		}
		fmt.Fprintf(b, "%s\n", strings.TrimRight(fmt.Sprintf(" - %s (%s%s): %s", f.Name, f.Type, notes, f.Description), ": "))
	}
}
