package tfcli

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Change is what a plan does to one resource.
type Change struct {
	Address   string
	Actions   string // joined with "+"
	Importing bool
	// Differing are the top-level attributes that the plan changes, or may
	// change: those have " (known after apply)" behind the name. Sorted.
	Differing []string
}

// String is the change in the form "address import update attributes". An
// action that does nothing goes without saying.
func (c Change) String() string {
	words := []string{c.Address}
	if c.Importing {
		words = append(words, "import")
	}
	if c.Actions != "no-op" {
		words = append(words, c.Actions)
	}
	if len(c.Differing) > 0 {
		words = append(words, strings.Join(c.Differing, ","))
	}
	return strings.Join(words, " ")
}

// Does tells whether the plan takes an action, such as "create".
func (c Change) Does(action string) bool {
	return slices.Contains(strings.Split(c.Actions, "+"), action)
}

// Plan plans, and answers what that says of each resource.
func (c *Client) Plan(t testing.TB) []Change {
	t.Helper()
	file := filepath.Join(t.TempDir(), "plan")
	c.Must(t, "plan", "-no-color", "-out", file)
	changes, err := DecodePlan([]byte(c.Must(t, "show", "-json", file).Stdout))
	if err != nil {
		t.Fatalf("show -json of a plan: %v", err)
	}
	return changes
}

// DecodePlan reads what a client prints for `show -json` of a plan, sorted by
// address.
func DecodePlan(text []byte) ([]Change, error) {
	var plan struct {
		Changes []struct {
			Address string
			Change  struct {
				Actions       []string
				Before, After map[string]any
				Unknown       map[string]any `json:"after_unknown"`
				Importing     *struct{}
			}
		} `json:"resource_changes"`
	}
	if err := json.Unmarshal(text, &plan); err != nil {
		return nil, err
	}
	var out []Change
	for _, c := range plan.Changes {
		out = append(out, Change{
			Address: c.Address, Actions: strings.Join(c.Change.Actions, "+"), Importing: c.Change.Importing != nil,
			Differing: differing(c.Change.Before, c.Change.After, c.Change.Unknown),
		})
	}
	slices.SortFunc(out, func(a, b Change) int { return strings.Compare(a.Address, b.Address) })
	return out, nil
}

// differing compares the values before and after. What is unknown throughout is
// not among the latter; what is so in part is there, without that part.
func differing(before, after, unknown map[string]any) []string {
	var names []string
	for name, value := range after {
		if !reflect.DeepEqual(before[name], value) {
			names = append(names, name)
		}
	}
	for name, whole := range unknown {
		if whole == true {
			names = append(names, name+" (known after apply)")
		}
	}
	slices.Sort(names)
	return names
}
