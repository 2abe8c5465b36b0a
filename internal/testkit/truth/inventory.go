package truth

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Item is one object of an inventory.
type Item struct {
	// Type is a resource type of the module's provider.
	Type, ID string
}

// Inventory lists the objects in an estate's dump as resources of the module's
// provider; with nouns, such as "db_user", only those.
func (m Module) Inventory(dump []byte, nouns ...string) ([]Item, error) {
	var all map[string][]struct{ ID string }
	if err := json.Unmarshal(dump, &all); err != nil {
		return nil, err
	}
	var out []Item
	for _, kind := range sortedKeys(all) {
		noun := strings.TrimSuffix(kind, "s")
		if len(nouns) > 0 && !slices.Contains(nouns, noun) {
			continue
		}
		for _, object := range all[kind] {
			out = append(out, Item{m.Name + "_" + noun, object.ID})
		}
	}
	return out, nil
}

// JSONLines is an inventory in the form that imports read.
func JSONLines(items []Item) string {
	out := ""
	for _, i := range items {
		out += fmt.Sprintf("{\"type\": %q, \"id\": %q}\n", i.Type, i.ID)
	}
	return out
}
