package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/suggest"
)

func badUsage(command string, err error) *diag.Diagnostic {
	text := err.Error()
	if !strings.HasSuffix(text, "?") {
		text = strings.TrimSuffix(text, ".") + "."
	}
	return diag.Errorf("CL0001", "Cannot make sense of the command line", "%s\nSee \"%s --help\".", text, command)
}

func interrupted() *diag.Diagnostic {
	return diag.Errorf("CL0002", "Interrupted", "Files are whole or absent; run the command again to do the rest.")
}

func wrongArguments(want string, got []string) error {
	if len(got) == 0 {
		return fmt.Errorf("want %s; got nothing", want)
	}
	return fmt.Errorf("want %s; got %q", want, got)
}

func emptyArgument(want string, index int) error {
	return fmt.Errorf("want %s; argument %d is empty", want, index+1)
}

// emptyFlag and repeatedFlag follow the flag's name and the value.
func emptyFlag() error {
	return errors.New("it is empty; leave the flag out, or give it a value")
}

func repeatedFlag(before string) error {
	return fmt.Errorf("it has one value, and %q was given before", before)
}

func stdinTwice() error {
	return errors.New("--ids - is given twice, and standard input can be read once")
}

func notParallel(n int) error {
	return fmt.Errorf("--parallel is %d; it must be at least 1", n)
}

func unknownCommand(name, hint string) error {
	return fmt.Errorf("there is no command %q.%s", name, hint)
}

func sourceNotNeeded(source string) *diag.Diagnostic {
	return diag.Errorf("CL0004", "Two addresses for one provider",
		"--source %s is for a provider that is given by its path. Leave it out, or give the path of a binary.", source)
}

func unknownKind(kind string, known []string) error {
	return fmt.Errorf("there is no kind of plugin %q: want %s.%s", kind, strings.Join(known, ", "), suggest.DidYouMean(kind, known))
}

func notConfirmed(plugins int) *diag.Diagnostic {
	return diag.Errorf("CL0006", "Not confirmed",
		"This removes %d of the plugins, and there is no terminal to ask on. Pass --yes; `formation plugin ls` shows what there is.", plugins)
}

func unknownFlag(flag string) error {
	return fmt.Errorf("there is no flag %s; flags of a plugin stand behind SOURCE", flag)
}

func notWritten(err error) *diag.Diagnostic {
	return diag.Errorf("CL0013", "Cannot write to standard output", "%s. What was to be said is lost; what was done is not undone.", err)
}

func misspeltFlag(unknown error, hint string) error {
	return fmt.Errorf("%w.%s", unknown, hint)
}

func noReadme() *diag.Diagnostic {
	return diag.Errorf("CL0011", "No readme", "A published package has one. Put a README.md beside the package, or name one with --readme.")
}
