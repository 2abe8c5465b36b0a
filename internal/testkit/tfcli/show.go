package tfcli

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// Instance is one resource of a shown state.
type Instance struct {
	Address, Type, Name string
	Values              map[string]any
}

// Show answers the resources in the state, sorted by address.
func (c *Client) Show(t testing.TB) []Instance {
	t.Helper()
	resources, err := DecodeState([]byte(c.Must(t, "show", "-json").Stdout))
	if err != nil {
		t.Fatalf("show -json: %v", err)
	}
	return resources
}

// DecodeState reads what a client prints for `show -json`: the resources in
// the state, sorted by address.
func DecodeState(text []byte) ([]Instance, error) {
	var shown struct {
		Values struct {
			RootModule struct {
				Resources []Instance `json:"resources"`
			} `json:"root_module"`
		} `json:"values"`
	}
	if err := json.Unmarshal(text, &shown); err != nil {
		return nil, err
	}
	resources := shown.Values.RootModule.Resources
	slices.SortFunc(resources, func(a, b Instance) int { return strings.Compare(a.Address, b.Address) })
	return resources, nil
}

// Changes plans and answers what would change, sorted: for each resource its
// address, the actions, and for updates the top-level attributes that differ,
// such as "estate_bucket.logs update force_destroy".
func (c *Client) Changes(t testing.TB) []string {
	t.Helper()
	var changes []string
	for _, change := range c.Plan(t) {
		if change.Actions == "no-op" || change.Actions == "read" {
			continue
		}
		change.Importing = false
		if change.Actions != "update" {
			change.Differing = nil
		}
		changes = append(changes, change.String())
	}
	return changes
}
