package tflang

import (
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty/function"

	"github.com/formation-iac/formation/internal/testkit/tfcli"
)

// signature is what a client says of a function, as far as it is compared.
type signature struct {
	Parameters []json.RawMessage
	Variadic   json.RawMessage `json:"variadic_parameter"`
}

func (s signature) String() string { return arity(len(s.Parameters), s.Variadic != nil) }

func arity(parameters int, variadic bool) string {
	if variadic {
		return fmt.Sprintf("%d or more", parameters)
	}
	return fmt.Sprint(parameters)
}

func arityOf(f function.Function) string { return arity(len(f.Params()), f.VarParam() != nil) }

// unlisted are functions that clients have and do not list: two that only say
// what took their place, and one of the console.
var unlisted = []string{"list", "map", "type"}

// TestEveryFunctionOfTheClients asks each client for its functions: we must
// have all of them, with as many parameters, and none that no client has.
func TestEveryFunctionOfTheClients(t *testing.T) {
	t.Parallel()
	for _, c := range consoles {
		t.Run(c.program, func(t *testing.T) {
			t.Parallel()
			ours := Functions(Host{})
			for name, theirs := range signatures(t, tfcli.Find(t, c.program)) {
				switch f, ok := ours[name]; {
				case !ok:
					t.Errorf("%s has the function %s, and we do not", c.program, name)
				case arityOf(f) != theirs.String():
					t.Errorf("%s takes %s parameters in %s, and %s here", name, theirs, c.program, arityOf(f))
				}
			}
		})
	}
}

// TestNoFunctionOfOurOwn wants all our functions known to a client.
func TestNoFunctionOfOurOwn(t *testing.T) {
	t.Parallel()
	theirs := map[string]signature{}
	for _, c := range consoles {
		if path, err := exec.LookPath(c.program); err == nil {
			maps.Copy(theirs, signatures(t, path))
		}
	}
	if len(theirs) == 0 {
		tfcli.Find(t, "tofu") // which says what is left out
	}
	for _, name := range slices.Sorted(maps.Keys(Functions(Host{}))) {
		if _, ok := theirs[name]; !ok && !slices.Contains(unlisted, strings.TrimPrefix(name, CorePrefix)) {
			t.Errorf("no client has the function %s", name)
		}
	}
}

// signatures are a client's functions by name.
func signatures(t *testing.T, path string) map[string]signature {
	t.Helper()
	client := tfcli.New(t, path, tfcli.Options{Dir: t.TempDir()})
	var said struct {
		Functions map[string]signature `json:"function_signatures"`
	}
	if err := json.Unmarshal([]byte(client.Must(t, "metadata", "functions", "-json").Stdout), &said); err != nil {
		t.Fatal(err)
	}
	if len(said.Functions) < 100 {
		t.Fatalf("%s names only %d functions", path, len(said.Functions))
	}
	return said.Functions
}
