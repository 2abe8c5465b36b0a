package archtest

import (
	"fmt"
	"strings"
)

// edge is one import: from a package directory to another, or to a package of
// another module.
type edge struct {
	from, to string
	test     bool
}

// imports finds the import declarations that break a rule.
func (t *Tree) imports() []Violation {
	rules := []func(edge) string{arrows, testkitIsForTests, wireHasOneReader, sdksStayOutside, unusable}
	var found []Violation
	for _, file := range t.Files {
		for _, spec := range file.Syntax.Imports {
			e := edge{from: file.Package(), to: t.imported(spec), test: file.Test()}
			for _, rule := range rules {
				if why := rule(e); why != "" {
					found = append(found, t.violation(spec.Pos(), why, "%s imports %s", e.from, e.to))
				}
			}
		}
	}
	return found
}

// arrows says why e points sideways or up, or nothing.
func arrows(e edge) string {
	from, fromRoom, inside := place(e.from)
	to, toRoom, known := place(e.to)
	switch {
	case !inside || !known || fromRoom == toRoom || from < to:
		return ""
	case from > to:
		return fmt.Sprintf("imports point down, and %s is above %s", toRoom, fromRoom)
	case below(e.from, "internal/tf", "internal/pulumi"):
		return "the two banks meet in the crossing above them (mapping, or a feature), never in each other"
	default:
		return fmt.Sprintf("%s and %s are neighbours: they meet through models below, or in a caller above", fromRoom, toRoom)
	}
}

// testkitIsForTests keeps what serves tests out of the programs.
func testkitIsForTests(e edge) string {
	if e.test || !below(e.to, testkit, archtest) || below(e.from, testkit) {
		return ""
	}
	return "what a program contains is no test tool: only tests and testkit itself import it"
}

// wireHasOneReader keeps protocol versions out of everything above tfprovider.
func wireHasOneReader(e edge) string {
	if !below(e.to, "internal/tf/wire") || below(e.from, "internal/tf/tfprovider", "internal/tf/wire") {
		return ""
	}
	return "only tf/tfprovider knows the wire: take tfprovider's messages instead"
}

// sdksStayOutside keeps Terraform's provider SDKs out of clients of providers.
func sdksStayOutside(e edge) string {
	if !strings.HasPrefix(e.to, "github.com/hashicorp/terraform-plugin-") || below(e.from, testkit) {
		return ""
	}
	return "provider SDKs build the test providers in testkit, processes of their own; a client of providers has no use for them"
}

// unusable names modules whose work is done here, and that bring a world along.
func unusable(e edge) string {
	for _, module := range []string{
		"github.com/hashicorp/terraform",
		"github.com/opentofu/opentofu",
		"github.com/pulumi/pulumi/pkg/v3",
		"github.com/pulumi/pulumi-terraform-bridge",
		"github.com/pulumi/pulumi-converter-terraform",
	} {
		if below(e.to, module) {
			return "this module is no library to build on: what it does is written here"
		}
	}
	return ""
}
