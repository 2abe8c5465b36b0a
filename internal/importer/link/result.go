package link

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// Resource is one imported resource. Body says what will be written, State
// what the provider read. Schema may be nil, where less is known of the body;
// Identity may be cty.NilVal.
type Resource struct {
	Addr     tfaddr.Resource
	Body     *tfconfig.Body
	Schema   *tfschema.Block
	State    cty.Value
	Identity cty.Value
}

// Result is what linking did. Everything is in the order of the resources,
// and of the places in their bodies.
type Result struct {
	// Resources are those given, with references in their bodies.
	Resources []Resource
	Links     []Made
	Skipped   []Skipped
}

// Made is a reference that was written.
type Made struct {
	From tfaddr.Resource
	// Path leads to the value in the body: `ingress[0].source_group_id`.
	Path string
	To   tfaddr.Resource
	// Attribute is the root attribute of To that is referred to.
	Attribute string
	// Rule is the place of the target in the rule file.
	Rule hcl.Range
}

// Reason says why a value that a rule is for stayed as it is.
type Reason string

// The reasons.
const (
	// NotFound: no imported resource has the value.
	NotFound Reason = "not-found"
	// Ambiguous: several resources have it.
	Ambiguous Reason = "ambiguous"
	// Itself: the resource itself has it.
	Itself Reason = "itself"
	// Cycle: the resource that has it depends on this one.
	Cycle Reason = "cycle"
	// Secret: the value is sensitive or write-only, and was not looked at.
	Secret Reason = "secret"
	// Unreferable: the value matches, but a reference would not be the same
	// value, or there is no attribute to refer to.
	Unreferable Reason = "unreferable"
)

// Skipped is a value that a rule is for and that stayed a literal.
type Skipped struct {
	From   tfaddr.Resource
	Path   string
	Reason Reason
	// Candidates are the resources that have the value; for NotFound and
	// Secret there are none. Where many have it these are the first few, and
	// More counts the others: each of many resources may name each other one.
	Candidates []tfaddr.Resource
	More       int
	// Rule is the place of the target that matched, or of the rule.
	Rule hcl.Range
}

// String tells the link in one line.
func (m Made) String() string {
	return fmt.Sprintf("%s: %s = %s.%s (%s)", m.From, m.Path, m.To, m.Attribute, position(m.Rule))
}

// String tells in one line why there is no link.
func (s Skipped) String() string {
	return fmt.Sprintf("%s: %s is no link: %s (%s)", s.From, s.Path, s.Why(), position(s.Rule))
}

// Why tells in a few words why there is no link.
func (s Skipped) Why() string {
	switch s.Reason {
	case NotFound:
		return "no imported resource has the value"
	case Ambiguous:
		return "several resources have the value: " + s.candidates()
	case Itself:
		return "the value is the resource's own"
	case Cycle:
		return s.candidates() + " depends on this resource already"
	case Secret:
		return "the value is secret"
	default:
		return s.candidates() + " has no attribute at its root that could stand for the value"
	}
}

// maxNamed bounds how many candidates are kept and named.
const maxNamed = 5

func (s Skipped) candidates() string {
	var names []string
	for _, c := range s.Candidates {
		names = append(names, c.String())
	}
	list := strings.Join(names, ", ")
	if s.More > 0 {
		list += fmt.Sprintf(" and %d more", s.More)
	}
	return list
}

func position(r hcl.Range) string { return fmt.Sprintf("%s:%d", r.Filename, r.Start.Line) }
