package discover

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/suggest"
)

// CodeComplaint marks what a command printed beside an inventory. It quotes
// that, and a command may print secrets: the text is for the terminal only.
const CodeComplaint = "DI0050"

// codeSyntax is shared by what the HCL parser says.
const codeSyntax = "DI0030"

const inventoryHelp = "An inventory is JSON lines ({\"type\":\"aws_vpc\",\"id\":\"vpc-1\"}) or an array of them, CSV with a header (type,id), or `import` blocks."

func badGlob(glob string) *diag.Diagnostic {
	return diag.Errorf("DI0001", fmt.Sprintf("Malformed type pattern %q", glob),
		"In a pattern * stands for any run of characters, ? for any one and [a-c] for one of a class. Correct the pattern; to match [, * or ? themselves, put a backslash before them.")
}

func globMatchesNothing(glob string, close []string) *diag.Diagnostic {
	return diag.Errorf("DI0002", fmt.Sprintf("The type pattern %q matches nothing", glob),
		"The provider has no resource type of that name.%s `formation schema PROVIDER` lists them all.", suggest.Question(close))
}

// nothingSelected tells of patterns each of which is well, and that leave no
// type together.
func nothingSelected(asked int, include, exclude []string) *diag.Diagnostic {
	wanted := "every resource type of the provider"
	if len(include) > 0 {
		wanted = "every resource type that --type " + quotedAll(include) + " selects"
	}
	return diag.Errorf("DI0054", "The type patterns leave nothing to import",
		"--exclude-type %s leaves out %s (%d). Nothing was written. Take an --exclude-type away, or narrow it; `formation schema PROVIDER` lists the types.",
		quotedAll(exclude), wanted, asked)
}

func quotedAll(globs []string) string {
	quoted := make([]string, len(globs))
	for i, glob := range globs {
		quoted[i] = fmt.Sprintf("%q", glob)
	}
	return strings.Join(quoted, ", ")
}

func unreadableInventory(name string, err error) *diag.Diagnostic {
	return diag.Errorf("DI0003", fmt.Sprintf("Cannot read the inventory %s", name), "%s. %s", err, inventoryHelp)
}

func unknownFormat(name string) *diag.Diagnostic {
	return diag.Errorf("DI0004", fmt.Sprintf("Cannot tell the format of the inventory %s", name),
		"%s Name the file .jsonl, .csv or .tf, or correct its first line.", inventoryHelp).At(startOf(name))
}

func emptyInventory(name string) *diag.Diagnostic {
	return diag.Warnf("DI0005", fmt.Sprintf("The inventory %s names no resource", name),
		"Nothing is imported from it. %s", inventoryHelp)
}

func moreProblems() *diag.Diagnostic {
	return diag.Errorf("DI0006", "There are more faults",
		"Only the first %d of this inventory are shown. Correct them and run again.", maxProblems)
}

func interrupted(source string, err error) *diag.Diagnostic {
	return diag.Errorf("DI0007", fmt.Sprintf("Discovery was interrupted (%s)", source), "%s. Run again to begin it anew.", err)
}

func entryWithoutType(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("DI0008", "No resource type", "Every entry needs a \"type\", such as \"aws_vpc\". Add it.").At(at)
}

func unknownType(at hcl.Range, typeName string, close []string) *diag.Diagnostic {
	return diag.Errorf("DI0009", fmt.Sprintf("The provider has no resource type %q", typeName),
		"%s", strings.TrimSpace(suggest.Question(close)+" Correct the type, remove the entry, or import it with the provider that has it.")).At(at)
}

func idAndIdentity(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("DI0010", "Both an id and an identity", "An object is imported by one of the two. Remove one.").At(at)
}

func neitherIDNorIdentity(at hcl.Range, typeName string) *diag.Diagnostic {
	return diag.Errorf("DI0011", "Neither an id nor an identity",
		"Give the import id of this %s, as its documentation describes it, or its identity.", typeName).At(at)
}

func typeWithoutIdentity(at hcl.Range, typeName string) *diag.Diagnostic {
	return diag.Errorf("DI0012", fmt.Sprintf("%s has no identity", typeName),
		"This version of the provider imports the type by its id only. Give the id.").At(at)
}

func badIdentitySchema(at hcl.Range, typeName string, err error) *diag.Diagnostic {
	return diag.Errorf("DI0013", fmt.Sprintf("The identity of %s cannot be used", typeName),
		"The provider's schema is at fault: %s. Give the id instead.", err).At(at)
}

func badIdentity(at hcl.Range, typeName string, err error) *diag.Diagnostic {
	return diag.Errorf("DI0014", "Wrong identity", "The identity of %s %s. Correct it.", typeName, err).At(at)
}

func badJSONLine(at hcl.Range, err error) *diag.Diagnostic {
	return diag.Errorf("DI0015", "Malformed JSON line",
		"%s. Every line is one object with type, id or identity, and perhaps name.", err).At(at)
}

func badJSONArray(at hcl.Range, err error) *diag.Diagnostic {
	return diag.Errorf("DI0051", "Malformed JSON array",
		"%s. Every element is one object with type, id or identity, and perhaps name.", err).At(at)
}

func objectOverLines(name string) *diag.Diagnostic {
	return diag.Errorf("DI0052", fmt.Sprintf("The inventory %s has a JSON object over several lines", name),
		"Write each object on a line of its own, as `jq -c .` does, or all of them into one array. %s", inventoryHelp).At(startOf(name))
}

func stateAsInventory(name string) *diag.Diagnostic {
	return diag.Errorf("DI0053", fmt.Sprintf("%s is a state, and no inventory", name),
		"To make an inventory of it, where the ids in it are those that the provider imports by:\n  %s\n%s",
		"jq -c '.resources[] | select(.mode == \"managed\") | {type} + (.instances[] | {id: .attributes.id})' STATE", inventoryHelp).At(startOf(name))
}

func lineTooLong(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("DI0016", "Line too long", "A line of an inventory has at most 1 MiB. Put each object on a line of its own.").At(at)
}

func badCSVHeader(at hcl.Range, err error) *diag.Diagnostic {
	return diag.Errorf("DI0017", "Malformed CSV header",
		"%s. The first line names the columns, such as \"type,id\" or \"type,identity.name,name\".", err).At(at)
}

func badCSVRow(at hcl.Range, err error) *diag.Diagnostic {
	return diag.Errorf("DI0018", "Malformed CSV row", "%s. Correct the row; a cell with a comma or a quote in it is quoted.", err).At(at)
}

func badImportTarget(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("DI0019", "Not the address of a resource",
		"\"to\" is the address of a managed resource, such as aws_vpc.main or aws_vpc.main[each.key]. Correct it.").At(at)
}

func badImportID(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("DI0020", "Not an import id", "An id is a string that is known and not empty. Correct it.").At(at)
}

func badImportIdentity(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("DI0021", "Not an identity", "An identity is an object of known values. Correct it.").At(at)
}

func moduleLeftOut(at hcl.Range, address string) *diag.Diagnostic {
	return diag.Warnf("DI0022", "The module is left out of the address",
		"Everything is written into one module, so this becomes %s.", address).At(at)
}

func badCount(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("DI0023", "Unsuitable count", "A count is a known whole number from 0 to %d. Correct it.", maxCount).At(at)
}

func badForEach(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("DI0024", "Unsuitable for_each",
		"It is a map, or a set of strings (toset([...])), whose keys are known. Correct it.").At(at)
}

func countAndForEach(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("DI0025", "Both count and for_each", "A block is repeated by one of the two. Remove one.").At(at)
}

func unsupportedReference(ref hcl.Traversal) *diag.Diagnostic {
	return diag.Errorf("DI0026", fmt.Sprintf("%s cannot be known here", ref.RootName()),
		"Only literals, functions, var.NAME with a default, local.NAME, and each or count of the same block can be used, since nothing is read yet. Write the value itself.").At(ref.SourceRange())
}

func undeclared(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("DI0027", fmt.Sprintf("%s is not declared", name), "Declare it, or write the value itself.").At(at)
}

func variableWithoutValue(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("DI0028", fmt.Sprintf("var.%s has no value", name), "An import takes no values for variables, neither from the environment nor from .tfvars files. Give the variable a default, or write the value in its place.").At(at)
}

func unsuitableVariable(name string, at hcl.Range, err error) *diag.Diagnostic {
	return diag.Errorf("DI0029", fmt.Sprintf("The value of var.%s does not have its type", name), "%s. Correct the default or the type.", err).At(at)
}

func selfReference(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("DI0032", fmt.Sprintf("%s refers to itself", name), "Its value depends on itself through the values it refers to. Break the circle.").At(at)
}

func declaredTwice(what, name string, at, earlier hcl.Range) *diag.Diagnostic {
	return diag.Errorf("DI0033", fmt.Sprintf("The %s %q is declared twice", what, name), "The other place is %s. Remove one.", earlier).At(at)
}

func unsuitableLimit(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("DI0035", "Unsuitable limit", "A limit is a known whole number above 0. Correct it.").At(at)
}

func unsuitableFlag(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("DI0036", "Unsuitable include_resource", "It is true or false. Correct it.").At(at)
}

func unknownListType(at hcl.Range, typeName string, close []string) *diag.Diagnostic {
	return diag.Errorf("DI0037", fmt.Sprintf("The provider cannot list %q", typeName),
		"It has no list resource of that type.%s Bring the ids in an inventory instead.", suggest.Question(close)).At(at)
}

func badListSchema(typeName string, err error) *diag.Diagnostic {
	return diag.Errorf("DI0038", fmt.Sprintf("%s cannot be listed", typeName), "The provider's schema is at fault: %s. Bring the ids in an inventory instead.", err)
}

func otherProvider(at hcl.Range, what, given, want string) *diag.Diagnostic {
	return diag.Warnf("DI0039", fmt.Sprintf("The %s is of the provider %q and is left out", what, given),
		"This run imports with %q. Import with the other provider in a run of its own.", want).At(at)
}

func aliasedProvider(at hcl.Range, given string) *diag.Diagnostic {
	return diag.Errorf("DI0040", fmt.Sprintf("The provider configuration %s cannot be used", given),
		"One run imports with one configuration of the provider. Move what belongs to another one into a file of its own, without the alias, and import that in a run of its own with that configuration.").At(at)
}

func badProviderReference(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("DI0041", "Not a provider", "\"provider\" is the name of a provider, such as aws. Correct it.").At(at)
}

func secondConfig(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("DI0042", "More than one config block", "A list has one. Put all arguments into the first.").At(at)
}

func unknownConfig(at hcl.Range, typeName string) *diag.Diagnostic {
	return diag.Errorf("DI0043", "Configuration that is not known", "The list of %s needs every value of its config to be known before anything is read.", typeName).At(at)
}

func unreadableQuery(path string, err error) *diag.Diagnostic {
	return diag.Errorf("DI0044", fmt.Sprintf("Cannot read the query %s", path),
		"%s. A query file has `list \"TYPE\" \"NAME\" { provider = ... }` blocks.", err)
}

func emptyQuery(path string) *diag.Diagnostic {
	return diag.Warnf("DI0045", fmt.Sprintf("The query %s lists nothing", path),
		"It has no `list \"TYPE\" \"NAME\" { provider = ... }` block for this provider.")
}

func listCutShort(label string, limit int64, at *hcl.Range) *diag.Diagnostic {
	d := diag.Warnf("DI0046", fmt.Sprintf("%s has more than its limit of %d", label, limit),
		"What lies beyond the limit is not imported. Raise it to import everything.")
	d.Subject = at
	return d
}

func listedWithoutIdentity(typeName, displayName string) *diag.Diagnostic {
	return diag.Errorf("DI0047", fmt.Sprintf("An object of %s was listed without an identity", typeName),
		"The provider lists it as %q and does not say how to import it. Bring its id in an inventory.", displayName)
}

func commandFailed(command string, how error, stderr string) *diag.Diagnostic {
	if stderr != "" {
		stderr = " It printed:\n" + stderr
	}
	return diag.Errorf("DI0048", fmt.Sprintf("The command for ids failed: %s", command),
		"%s. Nothing of its output is used; run it by hand to see what is wrong.%s", how, stderr)
}

// commandSaid shows what a command printed beside an inventory: scripts that go
// on after a failure end well and print too little.
func commandSaid(command, stderr string) *diag.Diagnostic {
	return diag.Warnf(CodeComplaint, fmt.Sprintf("The command for ids complained: %s", command),
		"It ended well, so its output was used. If that is not all, let the command end with an exit code other than 0. It printed:\n%s", stderr)
}

func unsuitableConfig(at hcl.Range, err error) *diag.Diagnostic {
	return diag.Errorf("DI0049", "Unsuitable configuration", "%s. Correct the block.", err).At(at)
}

func startOf(name string) hcl.Range {
	return hcl.Range{Filename: name, Start: hcl.InitialPos, End: hcl.InitialPos}
}
