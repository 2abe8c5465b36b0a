package tfcli

import (
	"encoding/json"
	"path/filepath"
	"reflect"
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
	file := filepath.Join(t.TempDir(), "plan")
	c.Must(t, "plan", "-no-color", "-out", file)
	var plan struct {
		ResourceChanges []struct {
			Address string `json:"address"`
			Change  struct {
				Actions       []string       `json:"actions"`
				Before, After map[string]any `json:",omitempty"`
			} `json:"change"`
		} `json:"resource_changes"`
	}
	if err := json.Unmarshal([]byte(c.Must(t, "show", "-json", file).Stdout), &plan); err != nil {
		t.Fatalf("show -json of a plan: %v", err)
	}
	var changes []string
	for _, resource := range plan.ResourceChanges {
		actions := strings.Join(resource.Change.Actions, "+")
		if actions == "no-op" || actions == "read" {
			continue
		}
		line := resource.Address + " " + actions
		if actions == "update" {
			line += " " + strings.Join(differing(resource.Change.Before, resource.Change.After), ",")
		}
		changes = append(changes, line)
	}
	slices.Sort(changes)
	return changes
}

func differing(before, after map[string]any) []string {
	var names []string
	for name, value := range after {
		if !reflect.DeepEqual(before[name], value) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
