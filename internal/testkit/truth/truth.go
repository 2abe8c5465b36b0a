// Package truth holds root modules whose every attribute and reference is
// known: the ground truth that an import is judged by. Apply one, throw away
// its configuration and state, import the estate, and compare.
//
// [Module.Compare] measures how much of one an import recovered. It reads
// configuration on its own, and asks no part of the program about the
// program's output.
//
// What a module says of itself is derived from its text, so the two cannot
// drift apart; only what the text cannot say (which written values equal the
// provider's defaults) is listed by hand, in modules.go.
package truth

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Module is a root module with what is known of it.
type Module struct {
	// Name is the provider's type: "estate" or "classic".
	Name string
	// Provider is the provider's source address; Binary is the name of its
	// command under internal/testkit/cmd.
	Provider, Binary string
	// Source is the text of main.tf.
	Source []byte
	// Variables are the values of its variables. All of them are secrets.
	Variables map[string]string
	// Resources are in the order of the text.
	Resources []Resource

	// singles are blocks that are objects rather than elements of a list.
	singles []string
	// passwords name the variable of each resource, by its name, that no
	// import can read the value of.
	passwords map[string]string
}

// Resource is one managed resource. Its paths have the form of link rules:
// names joined by dots, "[]" for any element of a list, set, map or of
// repeated blocks. A path stands once for each time that it is written.
type Resource struct {
	Address    string      `json:"address"`
	Attributes []Attribute `json:"attributes"`
	References []Reference `json:"references,omitempty"`
}

// Attribute is an attribute that the author set.
type Attribute struct {
	Path string `json:"path"`
	// Variable names the variable that it is set from; "" where there is none.
	Variable string `json:"variable,omitempty"`
	// Default says that the value is the provider's default: an import may
	// leave the attribute out.
	Default bool `json:"default,omitempty"`
	// Unreadable says that no import can know the value: the API never
	// answers it, or the provider keeps it in the state alone.
	Unreadable bool `json:"unreadable,omitempty"`
}

// Reference is a place that refers to an attribute of another resource, such
// as "estate_network.prod.id".
type Reference struct {
	Path string `json:"path"`
	To   string `json:"to"`
}

// files are the module's own: content by name.
func (m Module) files() map[string]string {
	values := ""
	for _, name := range sortedKeys(m.Variables) {
		values += fmt.Sprintf("%s = %q\n", name, m.Variables[name])
	}
	return map[string]string{"main.tf": string(m.Source), "terraform.tfvars": values}
}

// Save puts the module and its variables' values into a directory.
func (m Module) Save(dir string) error {
	for name, content := range m.files() {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// Write is [Module.Save] for tests.
func (m Module) Write(t testing.TB, dir string) {
	t.Helper()
	if err := m.Save(dir); err != nil {
		t.Fatal(err)
	}
}
