package workflow

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/suggest"
	"github.com/formation-iac/formation/internal/importer/read"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

func noSuchType(unknown *tfschema.UnknownTypeError, names []string) *diag.Diagnostic {
	return diag.Errorf("WF0004", "Not in the provider's schema",
		"Its schema has no %s %q.%s `formation schema PROVIDER` lists what it has.", unknown.Kind, unknown.Name, suggest.DidYouMean(unknown.Name, names))
}

func unreadableConfig(path string, err error) *diag.Diagnostic {
	return diag.Errorf("WF0006", "Cannot read the provider's configuration",
		"%s: %s. --provider-config names a file with a provider block, or with what stands inside one.", path, cause(err))
}

func variableInConfig(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("WF0025", "A reference in the provider's configuration",
		"Nothing but functions can be referred to here: text stands in quotes, and a value is written itself, or left out where the provider takes it from the environment. "+
			"What is secret in it goes to secrets.auto.tfvars.").At(at)
}

func wantOneProviderBlock(path, localName string, got int) *diag.Diagnostic {
	return diag.Errorf("WF0007", "Want one provider block",
		"%s has %d blocks `provider %q`; it needs one, or none of any provider and only what stands inside.", path, got, localName)
}

func interrupted(cause error) *diag.Diagnostic {
	return diag.Errorf("WF0008", "Interrupted", "Nothing was written: %s.", cause)
}

func noProofDir(err error) *diag.Diagnostic {
	return diag.Errorf("WF0009", "Cannot lay out the module to prove it", "%s. Set TMPDIR to a directory with room.", err)
}

func unreadableRules(path string, err error) *diag.Diagnostic {
	return diag.Errorf("WF0010", "Cannot read link rules",
		"%s: %s. Name a file with rules such as aws_subnet = { \"vpc_id\" = aws_vpc.id }.", path, cause(err))
}

func noReport(path string, err error) *diag.Diagnostic {
	return diag.Errorf("WF0011", "No report of an import", "%s: %s. Name a directory that `formation import` wrote.", path, cause(err))
}

func noSuchAddress(address, path, hint string) *diag.Diagnostic {
	return diag.Errorf("WF0012", "No such resource", "%s has no %s.%s Without an address, `formation links explain` speaks of all.", path, address, hint)
}

func noDemoPrograms(err error) *diag.Diagnostic {
	return diag.Errorf("WF0015", "The demo's programs are missing", "%s. Run \"make demo\", which builds them.", err)
}

// nothingImported tells of an import of which nothing is left, by the first of
// the reasons and what it concerns.
func nothingImported(listings, objects int, concerned string, reason *diag.Diagnostic) *diag.Diagnostic {
	return diag.Errorf("WF0018", "Nothing could be imported", "%s. The first reason:\n%s\nNothing was written.%s",
		whatFailed(listings, objects), strings.TrimSpace(concerned+": "+reason.Summary+"\n"+reason.Detail), remedy(reason))
}

// allExcluded tells of an import whose type patterns want nothing of what is
// there.
func allExcluded(objects int) *diag.Diagnostic {
	return diag.Errorf("WF0071", "The type patterns leave out all that was found",
		"Objects found that are of no type that --type and --exclude-type want: %d. Nothing was written. Widen the patterns, or take away what names the objects.", objects)
}

// remedy says what to do about a reason that does not say so itself.
func remedy(reason *diag.Diagnostic) string {
	switch reason.Code {
	case tfprovider.CodeProvider:
		return " The provider is configured by its environment variables or --provider-config: see that it reaches what it should."
	case read.CodeGone:
		return " See that the ids have the form that the provider imports by, and that its environment variables or --provider-config lead to where the objects are."
	case tfprovider.CodeCrashed, tfprovider.CodeFailedCall, tfprovider.CodeMalformed:
		return " The provider itself is at fault: another version of it may not be (--version)."
	case tfprovider.CodeUnsupported:
		return " Import by what it does offer: --ids and --ids-from bring ids."
	default:
		return ""
	}
}

func whatFailed(listings, objects int) string {
	var parts []string
	if listings > 0 {
		parts = append(parts, fmt.Sprintf("Lists that failed: %d", listings))
	}
	if objects > 0 {
		parts = append(parts, fmt.Sprintf("Objects that could not be imported: %d, which is all", objects))
	}
	return strings.Join(parts, ". ")
}

// losing refuses to write less than an earlier import wrote.
func losing(dir string, losses []string) *diag.Diagnostic {
	return diag.Errorf("WF0019", fmt.Sprintf("Resources of the earlier import would be lost: %d", len(losses)),
		"%s has them, and this import does not:\n  %s\nNothing was written. See that all of it is found again, let go of them with --prune, or choose another --out.",
		dir, strings.Join(someOf(losses), "\n  "))
}

// renaming refuses to call otherwise what a state may have by its name.
func renaming(dir string, renamed []string) *diag.Diagnostic {
	return diag.Errorf("WF0070", fmt.Sprintf("Resources of the earlier import would be renamed: %d", len(renamed)),
		"Where the import blocks of %s have been applied, the state has these objects by their names of before, and the next apply would destroy them:\n  %s\nNothing was written. Leave the names as they are. "+
			"If nothing has been applied, or `terraform state mv` gives the state the new names, go on with --prune.", dir, strings.Join(someOf(renamed), "\n  "))
}

// notOurs tells what else there is that keeps a module from being proven.
func notOurs(dir string, left []string) *diag.Diagnostic {
	return diag.Warnf("WF0068", "Files beside the import's are no no-op",
		"%s holds files that were not written here, and Terraform reads all of them together. A plan would change:\n  %s\n`formation verify` says more.",
		dir, strings.Join(someOf(left), "\n  "))
}

// someOf are the first lines of many, and how many more there are.
func someOf(lines []string) []string {
	const most = 10
	if len(lines) <= most {
		return lines
	}
	return append(lines[:most:most], fmt.Sprintf("and %d more", len(lines)-most))
}

func losingState(path string) *diag.Diagnostic {
	return diag.Errorf("WF0020", "The state of the earlier import would be removed",
		"--state import-blocks writes none, and %s holds one. Nothing was written. Use --state tfstate or both, let go of it with --prune, or choose another --out.", path)
}

// appliedState is said before any work: what would be written stands in the way
// of a state that others go on with.
func appliedState(path string) *diag.Diagnostic {
	return diag.Errorf("WF0075", "The state is not an import's",
		"%s was written by whoever applied the import blocks of the earlier import, and --state tfstate would put another in its place. Nothing was asked, and nothing was written. Go on with --state import-blocks, or choose another --out.", path)
}

// stateElsewhere tells of a state that stayed where the import was made, as it
// does when the directory goes through git.
func stateElsewhere(dir string) *diag.Diagnostic {
	return diag.Warnf("WF0072", "The state of the earlier import is not here",
		"States do not go to git. %s gets one with a lineage of its own, which no tool takes for a later one of that state. Where that is in use, put a copy of it there first, or leave it to others with --state import-blocks.", dir)
}

// replacedState tells of a state that something else wrote after the import
// before: what it was, what became of it, and what it said otherwise.
func replacedState(path, was, became, said string) *diag.Diagnostic {
	return diag.Warnf("WF0073", "A state was replaced that no import wrote",
		"%s was changed since an import wrote it here, or was brought from elsewhere: %s. It %s, and is kept as %s.backup, where clients keep the one before, too. %s"+
			"An apply changes a state, and then all is well; otherwise find out what else writes to it.", path, was, became, path, said)
}

func unkeptState(err error) diag.List {
	return diag.FromError("WF0074", "Cannot keep the state that is there", err)
}

func unreadableEarlier(path string, err error) *diag.Diagnostic {
	return diag.Errorf("WF0021", "Cannot read what an earlier import wrote", "%s: %s. Choose another --out, or move it away.", path, cause(err))
}

// badSecrets tells where a file of values is wrong, and quotes nothing of it.
func badSecrets(path string, at hcl.Range, why string) *diag.Diagnostic {
	return diag.Errorf("WF0022", "Cannot keep the values that were filled in",
		"%s, line %d: %s. Nothing was written. Correct the file: each line is NAME = VALUE, without functions or references.", path, at.Start.Line, why)
}

func strayValues(path string, names []string) *diag.Diagnostic {
	return diag.Errorf("WF0023", "Values that were filled in would be lost",
		"%s has values for %s, for which there are no variables any more. Nothing was written. Remove these lines, give the values to the variables that take their place, or choose another --out; --prune lets go of those of an earlier import.", path, strings.Join(names, ", "))
}

func overriddenValues(path string, names []string) *diag.Diagnostic {
	return diag.Errorf("WF0024", "Values that were changed would be lost",
		"%s has other values for %s than those that exist. Nothing was written. Remove these lines, and they are written anew, or choose another --out.", path, strings.Join(names, ", "))
}

func notAModule(dir string) *diag.Diagnostic {
	return diag.Errorf("WF0017", "Not a directory", "%s is a file. Name the directory of a root module.", dir)
}

// cause is what went wrong with a file whose path is said already.
func cause(err error) error {
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		return failed.Err
	}
	return err
}
