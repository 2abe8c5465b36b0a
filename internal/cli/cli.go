// Package cli is the command line: flags to a workflow's request, a
// workflow's outcome to text or JSON and an exit code. Nothing else prints.
package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/release"
	"github.com/formation-iac/formation/internal/base/suggest"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/tf/tfhost"
)

// Process is what the program is given by its caller.
type Process struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Env            []string
}

// The exit codes.
const (
	exitDone    = 0 // done and, where that is the point, proven
	exitFailed  = 1
	exitUsage   = 2
	exitPartial = 3 // done but for what the report names
)

// Run executes one command line and returns the exit code.
func Run(ctx context.Context, args []string, process Process) int {
	a := &app{process: process, args: args, stdout: &output{to: process.Stdout}}
	root := a.root()
	root.SetArgs(args)
	code := a.exit(ctx, root, root.ExecuteContext(ctx))
	if code != exitDone {
		a.writeFailure()
	}
	return code
}

// app is one run of the program.
type app struct {
	process Process
	args    []string
	stdout  *output
	// said are the diagnostics that were written to standard error.
	said diag.List
	// Flags that every command has.
	json    bool
	verbose bool
	offline bool
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "formation",
		Short: "Bring infrastructure that exists into code",
		Long: `Formation imports live resources of any Terraform provider into a small,
linked configuration and a state that together are proven to be a no-op.`,
		Version:       release.Version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetIn(a.process.Stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.process.Stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		a.json = a.json || slices.Contains(a.args, "--json") // what follows a mistake is not read
		return &usageError{command: cmd.CommandPath(), err: suggested(cmd, err)}
	})
	flags := root.PersistentFlags()
	flags.BoolVar(&a.json, "json", false, "write the outcome as JSON to standard output")
	flags.BoolVarP(&a.verbose, "verbose", "v", false, "show more: warnings in full, and what providers write to their log")
	flags.BoolVar(&a.offline, "offline", plugin.Switched(a.environment().Lookup, plugin.OfflineVariable),
		"download nothing: caches and local mirrors only")
	group(root, a.importCommand(), a.verifyCommand(), a.schemaCommand(), a.linksCommand(), a.demoCommand(),
		a.packageCommand(), a.pluginCommand(), a.installCommand())
	strictFlags(root)
	return root
}

// group makes cmd one that only has commands below it: alone it shows its
// help, and a word that is none of them is a mistake.
func group(cmd *cobra.Command, below ...*cobra.Command) *cobra.Command {
	var names []string
	for _, c := range below {
		names = append(names, c.Name())
	}
	cmd.AddCommand(below...)
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return &usageError{command: cmd.CommandPath(), err: unknownCommand(args[0], suggest.DidYouMean(args[0], names))}
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	return cmd
}

// environment is what workflows get of the process.
func (a *app) environment() tfhost.Environment {
	env := tfhost.Environment{Vars: a.process.Env, Offline: a.offline, Version: release.Version()}
	if a.verbose {
		env.ProviderLog = a.process.Stderr
	}
	return env
}

// usageError is a command line that does not make sense.
type usageError struct {
	command string
	err     error
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// exitError ends a command with a code; what there is to say was said.
type exitError struct{ code int }

func (e *exitError) Error() string { return "" }

// done returns the error that ends a command with code.
func done(code int) error {
	if code == exitDone {
		return nil
	}
	return &exitError{code: code}
}

// exit turns a command's error into an exit code, saying what was not said.
func (a *app) exit(ctx context.Context, root *cobra.Command, err error) int {
	var ended *exitError
	var usage *usageError
	var lost *outputError
	switch {
	case errors.As(cmp.Or(a.stdout.failure(), err), &lost):
		if !errors.Is(lost, syscall.EPIPE) { // its reader has what it wants
			a.say(diag.List{notWritten(lost)}, nil)
		}
		return exitFailed
	case err == nil:
		return exitDone
	case errors.As(err, &ended):
		return ended.code
	case errors.As(err, &usage):
		a.say(diag.List{badUsage(usage.command, usage.err)}, nil)
		return exitUsage
	case ctx.Err() != nil:
		a.say(diag.List{interrupted()}, nil)
		return exitFailed
	default: // cobra's own: an unknown command or flag
		a.say(diag.List{badUsage(root.Name(), err)}, nil)
		return exitUsage
	}
}

// exactly wants n arguments, and says which where there are others.
func exactly(n int, want string) cobra.PositionalArgs { return between(n, n, want) }

// between wants from least to most arguments, none of them empty: that is a
// shell's variable that is not set.
func between(least, most int, want string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return &usageError{command: cmd.CommandPath(), err: wrongArguments(want, args)}
		}
		return noneEmpty(cmd, args, want)
	}
}

// noneEmpty refuses arguments that are empty.
func noneEmpty(cmd *cobra.Command, args []string, want string) error {
	if i := slices.Index(args, ""); i >= 0 {
		return &usageError{command: cmd.CommandPath(), err: emptyArgument(want, i)}
	}
	return nil
}
