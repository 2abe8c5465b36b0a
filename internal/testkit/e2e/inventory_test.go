package e2e_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/testkit/truth"
)

// item is one object for an inventory.
type item struct{ kind, id string }

// inventoryOf lists the objects of an estate as resources of a provider; with
// nouns, only those.
func inventoryOf(t testing.TB, store *estate.Store, m truth.Module, nouns ...string) []item {
	t.Helper()
	var all map[string][]struct{ ID string }
	if err := json.Unmarshal(store.Dump(estate.DumpOptions{}), &all); err != nil {
		t.Fatal(err)
	}
	var out []item
	for _, kind := range slices.Sorted(maps.Keys(all)) {
		noun := strings.TrimSuffix(kind, "s")
		if len(nouns) > 0 && !slices.Contains(nouns, noun) {
			continue
		}
		for _, object := range all[kind] {
			out = append(out, item{m.Name + "_" + noun, object.ID})
		}
	}
	return out
}

func csv(items []item) string {
	out := "type,id\n"
	for _, i := range items {
		out += fmt.Sprintf("%s,%q\n", i.kind, i.id)
	}
	return out
}

func jsonLines(items []item) string {
	out := ""
	for _, i := range items {
		out += fmt.Sprintf("{\"type\": %q, \"id\": %q}\n", i.kind, i.id)
	}
	return out
}

// importBlocks name every resource, since import blocks must.
func importBlocks(items []item) string {
	out := ""
	for n, i := range items {
		out += fmt.Sprintf("import {\n  to = %s.r%d\n  id = %q\n}\n", i.kind, n, i.id)
	}
	return out
}
