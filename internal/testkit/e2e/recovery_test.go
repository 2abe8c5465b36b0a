package e2e_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/formation-iac/formation/internal/testkit/tfcli"
	"github.com/formation-iac/formation/internal/testkit/truth"
)

// figures is what was measured of one import against its ground truth.
type figures struct {
	// attributes are those that the author set, that are no defaults and that
	// can be read; recovered are those of them that the import has.
	attributes, recovered int
	// extra are attributes that the author did not write.
	extra []string
	// computedOnly are attributes that nobody may set.
	computedOnly []string
	lost         []string
	// written are the references of the ground truth; the ground truth was
	// applied, so it has no cycles, and all of them can be kept.
	written, found int
	wrong, missing []string
}

// sameObjects maps the addresses of one state to those of another by what
// they stand for: the type and the id.
func sameObjects(t testing.TB, from, to []tfcli.Instance) map[string]string {
	t.Helper()
	key := func(i tfcli.Instance) string { return fmt.Sprint(i.Type, " ", i.Values["id"]) }
	there := map[string]string{}
	for _, i := range to {
		there[key(i)] = i.Address
	}
	out := map[string]string{}
	for _, i := range from {
		if there[key(i)] == "" {
			t.Errorf("%s is not in both states", i.Address)
		}
		out[i.Address] = there[key(i)]
	}
	return out
}

// measure compares an import with the ground truth.
func measure(t testing.TB, m truth.Module, written, imported config, address map[string]string, schemas map[string]block) figures {
	t.Helper()
	var f figures
	for _, r := range m.Resources {
		f.recover(t, r, written, imported, address[r.Address])
	}
	f.links(m, imported, address)
	for _, at := range slices.Sorted(maps.Keys(imported.resources)) {
		kind, _, _ := strings.Cut(at, ".")
		f.computedOnly = append(f.computedOnly, schemas[kind].computedOnly(at, imported.object(t, imported.resources[at]))...)
	}
	return f
}

func (f *figures) recover(t testing.TB, r truth.Resource, written, imported config, address string) {
	t.Helper()
	body := imported.resources[address]
	if body == nil {
		body = &hclsyntax.Body{}
	}
	want, got := written.object(t, written.resources[r.Address]), imported.object(t, body)
	said := map[string]bool{} // top-level names that the author wrote
	counts := map[string]int{}
	for _, a := range r.Attributes {
		said[strings.TrimSuffix(strings.Split(a.Path, ".")[0], "[]")] = true
		if a.Default || a.Unreadable {
			continue
		}
		counts[a.Path]++
	}
	for _, path := range slices.Sorted(maps.Keys(counts)) {
		f.attributes += counts[path]
		kept := overlap(lookup(want, path), lookup(got, path))
		f.recovered += min(kept, counts[path])
		if kept < counts[path] {
			f.lost = append(f.lost, r.Address+" "+path)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if !said[name] {
			f.extra = append(f.extra, r.Address+" "+name)
		}
	}
}

// overlap counts what two sorted lists share.
func overlap(a, b []string) int {
	n := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch strings.Compare(a[i], b[j]) {
		case 0:
			n, i, j = n+1, i+1, j+1
		case -1:
			i++
		default:
			j++
		}
	}
	return n
}

// links compares references, each as often as it is written.
func (f *figures) links(m truth.Module, imported config, address map[string]string) {
	count := map[reference]int{}
	for _, r := range m.Resources {
		for _, ref := range r.References {
			kind, rest, _ := strings.Cut(ref.To, ".")
			name, attribute, _ := strings.Cut(rest, ".")
			count[reference{address[r.Address], ref.Path, address[kind+"."+name] + "." + attribute}]++
			f.written++
		}
	}
	for _, ref := range imported.references() {
		if count[ref] == 0 {
			f.wrong = append(f.wrong, fmt.Sprint(ref))
			continue
		}
		count[ref]--
		f.found++
	}
	for ref, n := range count {
		if n > 0 {
			f.missing = append(f.missing, fmt.Sprint(ref))
		}
	}
	slices.Sort(f.wrong)
	slices.Sort(f.missing)
}

// block is a block of a provider's schema, as `providers schema -json` has it.
type block struct {
	Attributes map[string]attribute   `json:"attributes"`
	Blocks     map[string]nestedBlock `json:"block_types"`
}

type attribute struct {
	Required, Optional, Computed bool
	Nested                       *block `json:"nested_type"`
}

type nestedBlock struct{ Block block }

// loadSchemas asks a command line for a provider's resource types.
func loadSchemas(t testing.TB, client *tfcli.Client, provider string) map[string]block {
	t.Helper()
	var all struct {
		Schemas map[string]struct {
			Resources map[string]struct{ Block block } `json:"resource_schemas"`
		} `json:"provider_schemas"`
	}
	if err := json.Unmarshal([]byte(client.Must(t, "providers", "schema", "-json").Stdout), &all); err != nil {
		t.Fatal(err)
	}
	out := map[string]block{}
	for name, schema := range all.Schemas[provider].Resources {
		out[name] = schema.Block
	}
	if len(out) == 0 {
		t.Fatalf("no schema of %s", provider)
	}
	return out
}

// computedOnly lists what an object sets and nobody may set.
func (b block) computedOnly(path string, value any) []string {
	var out []string
	switch v := value.(type) {
	case []any:
		for _, elem := range v {
			out = append(out, b.computedOnly(path+"[]", elem)...)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			a, isAttribute := b.Attributes[name]
			nested, isBlock := b.Blocks[name]
			switch {
			case isBlock:
				out = append(out, nested.Block.computedOnly(path+"."+name, v[name])...)
			case !isAttribute:
				out = append(out, b.computedOnly(path+"[]", v[name])...) // the key of a map of objects
			case a.Computed && !a.Optional && !a.Required:
				out = append(out, path+"."+name)
			case a.Nested != nil:
				out = append(out, a.Nested.computedOnly(path+"."+name, v[name])...)
			}
		}
	}
	return out
}
