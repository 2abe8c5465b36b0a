package e2e_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// noted is what a state file says of a resource beside its attributes. No plan
// shows whether it is right.
type noted struct {
	SchemaVersion   int    `json:"schema_version"`
	Sensitive       []path `json:"sensitive_attributes"`
	Private         string
	Dependencies    []string
	Identity        any
	IdentityVersion any `json:"identity_schema_version"`
}

// path leads to a sensitive value, a step at a time.
type path []struct {
	Type  string
	Value any
}

// notedIn reads a state file, written from the format's documentation and not
// from the program's own types. Resources, dependencies too, go by their types
// and ids, since names are not the author's. What has no order is sorted.
func notedIn(t testing.TB, file string) map[string]noted {
	t.Helper()
	var state struct {
		Resources []struct {
			Type, Name string
			Instances  []struct {
				noted
				Attributes struct{ ID string }
			}
		}
	}
	if err := json.Unmarshal([]byte(get(t, file)), &state); err != nil {
		t.Fatal(err)
	}
	called, out := map[string]string{}, map[string]noted{}
	for _, r := range state.Resources {
		called[r.Type+"."+r.Name] = r.Type + " " + r.Instances[0].Attributes.ID
	}
	for _, r := range state.Resources {
		n := r.Instances[0].noted
		for i, address := range n.Dependencies {
			n.Dependencies[i] = called[address]
		}
		slices.Sort(n.Dependencies)
		slices.SortFunc(n.Sensitive, func(a, b path) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		out[called[r.Type+"."+r.Name]] = n
	}
	return out
}

// notesAsApplied holds that the state says of each resource what the client
// noted that made it.
func (r *recovery) notesAsApplied(t *testing.T, out string) {
	t.Helper()
	legacy := r.Name == "classic"
	identities := false
	for _, n := range r.noted {
		identities = identities || n.Identity != nil
	}
	got, want := notedIn(t, filepath.Join(out, "terraform.tfstate")), map[string]noted{}
	for name, n := range r.noted {
		want[name] = n.comparable(legacy, identities)
	}
	for name, n := range got {
		got[name] = n.comparable(legacy, identities)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the state notes of its resources (-applied +imported):\n%s", diff)
	}
}

// comparable leaves out what cannot be the same: the legacy SDK keeps how an
// object came to be among its private data, and Terraform before 1.12 keeps no
// identities.
func (n noted) comparable(legacy, identities bool) noted {
	if legacy {
		n.Private = fmt.Sprint(n.Private != "")
	}
	if !identities {
		n.Identity, n.IdentityVersion = nil, nil
	}
	return n
}
