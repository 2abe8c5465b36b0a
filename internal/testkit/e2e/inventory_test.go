package e2e_test

import (
	"fmt"
	"testing"

	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/testkit/truth"
)

// inventoryOf lists the objects of an estate as resources of a provider; with
// nouns, only those.
func inventoryOf(t testing.TB, store *estate.Store, m truth.Module, nouns ...string) []truth.Item {
	t.Helper()
	items, err := m.Inventory(store.Dump(estate.DumpOptions{}), nouns...)
	if err != nil {
		t.Fatal(err)
	}
	return items
}

func csv(items []truth.Item) string {
	out := "type,id\n"
	for _, i := range items {
		out += fmt.Sprintf("%s,%q\n", i.Type, i.ID)
	}
	return out
}

// importBlocks name every resource, since import blocks must.
func importBlocks(items []truth.Item) string {
	out := ""
	for n, i := range items {
		out += fmt.Sprintf("import {\n  to = %s.r%d\n  id = %q\n}\n", i.Type, n, i.ID)
	}
	return out
}
