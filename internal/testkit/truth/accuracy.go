package truth

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/formation-iac/formation/internal/testkit/tfcli"
)

// Import is what an import made of a module that was applied.
type Import struct {
	// Files are what it wrote: content by name.
	Files map[string]string
	// State is the state that it wrote, as a client shows it.
	State []tfcli.Instance
}

// Accuracy is what was measured of one import against its ground truth.
type Accuracy struct {
	// Attributes are those that the author set, that are no defaults and that
	// can be read; Recovered are those of them that the import has.
	Attributes, Recovered int
	Lost                  []string
	// Extra are attributes that the author did not write.
	Extra []string
	// ComputedOnly are attributes that nobody may set.
	ComputedOnly []string
	// Links are the references of the ground truth; it was applied, so it has
	// no cycles, and all of them can be kept.
	Links, LinksFound        int
	LinksWrong, LinksMissing []string
	// Cycles are the resources that depend on themselves.
	Cycles []string
}

// Compare measures an import of what applying m left in the state applied.
func (m Module) Compare(applied []tfcli.Instance, got Import, schemas Schemas) (Accuracy, error) {
	written, err := parseConfig(m.singles, m.files(), applied)
	if err != nil {
		return Accuracy{}, fmt.Errorf("the ground truth: %w", err)
	}
	imported, err := parseConfig(m.singles, got.Files, got.State)
	if err != nil {
		return Accuracy{}, fmt.Errorf("the imported configuration: %w", err)
	}
	address, err := sameObjects(applied, got.State)
	if err != nil {
		return Accuracy{}, err
	}
	var a Accuracy
	for _, r := range m.Resources {
		if err := a.recover(r, written, imported, address[r.Address]); err != nil {
			return Accuracy{}, err
		}
	}
	a.links(m, imported.references(), address)
	return a, a.forbidden(imported, schemas)
}

// sameObjects maps the addresses of one state to those of another by what
// they stand for: the type and the id.
func sameObjects(from, to []tfcli.Instance) (map[string]string, error) {
	key := func(i tfcli.Instance) string { return fmt.Sprint(i.Type, " ", i.Values["id"]) }
	there := map[string]string{}
	for _, i := range to {
		there[key(i)] = i.Address
	}
	out := map[string]string{}
	for _, i := range from {
		if there[key(i)] == "" {
			return nil, fmt.Errorf("%s is not in both states", i.Address)
		}
		out[i.Address] = there[key(i)]
	}
	return out, nil
}

// recover compares one resource, imported under an address of its own.
func (a *Accuracy) recover(r Resource, written, imported config, address string) error {
	body := imported.resources[address]
	if body == nil {
		body = &hclsyntax.Body{}
	}
	want, err := written.object(written.resources[r.Address])
	if err != nil {
		return err
	}
	got, err := imported.object(body)
	if err != nil {
		return err
	}
	said := map[string]bool{} // top-level names that the author wrote
	counts := map[string]int{}
	for _, attribute := range r.Attributes {
		said[strings.TrimSuffix(strings.Split(attribute.Path, ".")[0], "[]")] = true
		if !attribute.Default && !attribute.Unreadable {
			counts[attribute.Path]++
		}
	}
	for _, path := range sortedKeys(counts) {
		a.Attributes += counts[path]
		kept := overlap(lookup(want, path), lookup(got, path))
		a.Recovered += min(kept, counts[path])
		if kept < counts[path] {
			a.Lost = append(a.Lost, r.Address+" "+path)
		}
	}
	for _, name := range sortedKeys(got) {
		if !said[name] {
			a.Extra = append(a.Extra, r.Address+" "+name)
		}
	}
	return nil
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
func (a *Accuracy) links(m Module, imported []reference, address map[string]string) {
	count := map[reference]int{}
	for _, r := range m.Resources {
		for _, ref := range r.References {
			kind, rest, _ := strings.Cut(ref.To, ".")
			name, attribute, _ := strings.Cut(rest, ".")
			count[reference{address[r.Address], ref.Path, address[kind+"."+name] + "." + attribute}]++
			a.Links++
		}
	}
	for _, ref := range imported {
		if count[ref] == 0 {
			a.LinksWrong = append(a.LinksWrong, ref.String())
			continue
		}
		count[ref]--
		a.LinksFound++
	}
	for ref, n := range count {
		if n > 0 {
			a.LinksMissing = append(a.LinksMissing, ref.String())
		}
	}
	slices.Sort(a.LinksWrong)
	slices.Sort(a.LinksMissing)
	a.Cycles = cycles(imported)
}

// forbidden looks for what must not be written.
func (a *Accuracy) forbidden(imported config, schemas Schemas) error {
	for _, at := range sortedKeys(imported.resources) {
		kind, _, _ := strings.Cut(at, ".")
		object, err := imported.object(imported.resources[at])
		if err != nil {
			return err
		}
		a.ComputedOnly = append(a.ComputedOnly, schemas[kind].computedOnly(at, object)...)
	}
	return nil
}
