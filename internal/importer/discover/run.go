package discover

import (
	"context"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/progress"
)

// Result is everything that was discovered.
type Result struct {
	// Found has every object once, sorted by type, then identity or id.
	Found []Found
	// Coverage says which types were looked at.
	Coverage Coverage
	// Rejected were named, and the provider cannot have them.
	Rejected []Rejected
}

// Run asks every source in turn and puts together what they found. Where
// two know the same object, the parts of the first win and the second fills
// in what it lacks. They are the same where type and identity agree, or type
// and id; an id is also compared with the "id" of a listed object and with
// an identity of a single part, and an identity with unknown parts with the
// full ones. Errors in the list mean that a source was at fault and the
// result is not whole; what failed for one type is in Coverage.Failed, and for
// one object in Rejected.
func Run(ctx context.Context, scope Scope, sources []Source) (Result, diag.List) {
	var diags diag.List
	var outcome Outcome
	merged := newMerger()
	listener := progress.From(ctx)
	event := progress.Event{Task: "discover", Unit: "objects"}
	for _, source := range sources {
		event.Label = source.Name()
		got, more := source.Discover(ctx, scope, func(f Found) error {
			merged.add(f)
			event.Done = int64(len(merged.found))
			listener.Send(event)
			return ctx.Err()
		})
		diags = append(diags, more...)
		outcome.merge(got)
	}
	event.End = true
	listener.Send(event)
	found := merged.finish()
	return Result{Found: found, Coverage: cover(scope, outcome, found), Rejected: outcome.Rejected}, diags
}

// merger keeps one Found per object.
type merger struct {
	found []Found
	byKey map[string]int
}

func newMerger() *merger { return &merger{byKey: map[string]int{}} }

// add merges f with an earlier one of the same key.
func (m *merger) add(f Found) {
	key := exactKey(f)
	if i, ok := m.byKey[key]; ok {
		m.found[i] = fill(m.found[i], f)
		return
	}
	m.byKey[key] = len(m.found)
	m.found = append(m.found, f)
}

// exactKey tells an identity from an id of the same text.
func exactKey(f Found) string {
	if f.Identity != cty.NilVal {
		return "identity\x00" + f.Key()
	}
	return "id\x00" + f.Key()
}

// fill adds to first what it lacks and second has.
func fill(first, second Found) Found {
	if first.ID == "" {
		first.ID = second.ID
	}
	if first.Identity == cty.NilVal {
		first.Identity = second.Identity
	}
	if first.DisplayName == "" {
		first.DisplayName = second.DisplayName
	}
	if first.Object == cty.NilVal {
		first.Object = second.Object
	}
	if first.Name == "" {
		first.Name = second.Name
	}
	if first.Range == nil {
		first.Range = second.Range
	}
	return first
}

// finish merges what is the same under different keys, and sorts.
func (m *merger) finish() []Found {
	found := mergePartial(m.found)
	found = mergeIDs(found)
	slices.SortStableFunc(found, func(a, b Found) int { return strings.Compare(a.Key(), b.Key()) })
	return found
}

// mergeIDs merges an object known by its id alone into the one object whose
// listing gives it that id. Where several would do, such as the same name in
// two regions, it stays on its own.
func mergeIDs(found []Found) []Found {
	byID := map[string][]int{}
	var bare []int
	for i, f := range found {
		if f.Identity == cty.NilVal {
			bare = append(bare, i)
		} else if id := listedID(f); id != "" {
			byID[f.Type+"\x00"+id] = append(byID[f.Type+"\x00"+id], i)
		}
	}
	return mergeInto(found, bare, func(i int) []int { return byID[found[i].Type+"\x00"+found[i].ID] })
}

// mergePartial merges an identity with null parts into the one that agrees
// on all others, the fullest first, so that what remains is never vaguer
// than what went.
func mergePartial(found []Found) []Found {
	parts := make([][]string, len(found))
	having := map[string][]int{} // which objects have a part
	var partial []int
	for i, f := range found {
		parts[i] = identityParts(f)
		for _, part := range parts[i] {
			having[part] = append(having[part], i)
		}
		if len(parts[i]) > 0 && len(parts[i]) < len(f.Identity.Type().AttributeTypes()) {
			partial = append(partial, i)
		}
	}
	slices.SortStableFunc(partial, func(a, b int) int { return len(parts[b]) - len(parts[a]) })
	return mergeInto(found, partial, func(i int) []int {
		rarest := slices.MinFunc(parts[i], func(a, b string) int { return len(having[a]) - len(having[b]) })
		var fuller []int
		for _, other := range having[rarest] {
			if len(parts[other]) > len(parts[i]) && containsAll(parts[other], parts[i]) {
				fuller = append(fuller, other)
			}
		}
		return fuller
	})
}

// identityParts are the non-null parts of an identity, each with the type.
func identityParts(f Found) []string {
	if f.Identity == cty.NilVal {
		return nil
	}
	var out []string
	for name, v := range f.Identity.AsValueMap() {
		if !v.IsNull() {
			out = append(out, f.Type+"\x00"+name+"\x00"+valueText(v))
		}
	}
	slices.Sort(out)
	return out
}

func containsAll(set, subset []string) bool {
	for _, s := range subset {
		if !slices.Contains(set, s) {
			return false
		}
	}
	return true
}

// mergeInto merges each of the members into the one object that candidates
// names and that is still there; a member with no or several stays.
func mergeInto(found []Found, members []int, candidates func(int) []int) []Found {
	out := slices.Clone(found)
	gone := make([]bool, len(found))
	for _, i := range members {
		targets := slices.DeleteFunc(slices.Clone(candidates(i)), func(t int) bool { return gone[t] })
		if len(targets) == 1 {
			out[targets[0]] = combine(out[targets[0]], out[i], i < targets[0])
			gone[i] = true
		}
	}
	var kept []Found
	for i, f := range out {
		if !gone[i] {
			kept = append(kept, f)
		}
	}
	return kept
}

// combine fills the fuller object from the poorer one. The name, place and
// source are those of the one found first.
func combine(fuller, poorer Found, poorerFirst bool) Found {
	if !poorerFirst {
		return fill(fuller, poorer)
	}
	out := fill(poorer, fuller)
	out.Identity = fuller.Identity
	return out
}
