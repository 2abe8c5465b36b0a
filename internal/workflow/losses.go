package workflow

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/importer/write"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfstate"
)

// traces are what one object is known by: the ids and identities that a
// report and a state have of it. Two with one in common are of one object.
type traces struct {
	ids, identities map[string]bool
}

// known maps addresses to what their objects are known by.
type known map[string]traces

func (k known) of(address string) traces {
	if _, ok := k[address]; !ok {
		k[address] = traces{ids: map[string]bool{}, identities: map[string]bool{}}
	}
	return k[address]
}

func (t traces) add(id string, identity json.RawMessage) {
	if id != "" {
		t.ids[id] = true
	}
	if text := canonical(identity); text != "" {
		t.identities[text] = true
	}
}

// canonical is an identity without its nulls, members in order; "" is none.
func canonical(identity json.RawMessage) string {
	dec := json.NewDecoder(bytes.NewReader(identity))
	dec.UseNumber()
	var parts map[string]any
	if dec.Decode(&parts) != nil || len(parts) == 0 {
		return ""
	}
	maps.DeleteFunc(parts, func(_ string, v any) bool { return v == nil })
	text, _ := json.Marshal(parts) // it was JSON before: cannot fail
	return string(text)
}

// knownBy gathers what a report and a state, either of which may be nil, know
// of what was imported. The id in a state is not always one: providers that
// have no use for it write the same into all of them. So it counts only where
// the report has none.
func knownBy(report *write.Report, state *tfstate.State) known {
	out := known{}
	if report != nil {
		for _, r := range report.Resources {
			if r.Outcome == write.Imported {
				out.of(r.Address).add(r.ID, r.Identity)
			}
		}
	}
	if state == nil {
		return out
	}
	for _, r := range state.Resources {
		if r.Addr.Mode == tfaddr.Data {
			continue
		}
		for _, instance := range r.Instances {
			out.addObject(r.InstanceAddress(instance), instance)
		}
	}
	return out
}

// addObject adds what an object in a state is known by.
func (k known) addObject(address string, instance tfstate.Instance) {
	var attributes struct {
		ID any `json:"id"`
	}
	_ = json.Unmarshal(instance.Attributes, &attributes) // an object without an id has none
	id, _ := attributes.ID.(string)
	if len(k.of(address).ids) > 0 {
		id = ""
	}
	var identity json.RawMessage
	if instance.Identity != nil {
		identity = instance.Identity.JSON
	}
	k.of(address).add(id, identity)
}

// losses names, a line each and sorted, what the earlier import had and
// module has not. An object that has another name now is no loss.
func (e earlier) losses(module write.Module) []string {
	had := knownBy(e.report, e.state)
	if len(had) == 0 {
		return nil
	}
	has := knownBy(&module.Report, module.State)
	now := map[string]traces{} // by type
	for address, t := range has {
		all, ok := now[typeOf(address)]
		if !ok {
			all = traces{ids: map[string]bool{}, identities: map[string]bool{}}
			now[typeOf(address)] = all
		}
		maps.Copy(all.ids, t.ids)
		maps.Copy(all.identities, t.identities)
	}
	shown := module.FinalReport() // without secrets in its messages
	var out []string
	for _, address := range slices.Sorted(maps.Keys(had)) {
		t := had[address]
		same, there := has[address]
		if meet(t, now[typeOf(address)]) || there && !alike(t, same) {
			continue
		}
		out = append(out, address+": "+whyLost(shown, typeOf(address), t))
	}
	return out
}

func typeOf(address string) string {
	resourceType, _, _ := strings.Cut(address, ".")
	return resourceType
}

func meet(a, b traces) bool { return overlap(a.ids, b.ids) || overlap(a.identities, b.identities) }

func overlap(a, b map[string]bool) bool {
	for key := range a {
		if b[key] {
			return true
		}
	}
	return false
}

// alike reports whether both are known by ids, or both by identities.
func alike(a, b traces) bool {
	return len(a.ids) > 0 && len(b.ids) > 0 || len(a.identities) > 0 && len(b.identities) > 0
}

// whyLost says why an object was not imported, as far as the report tells.
func whyLost(report write.Report, resourceType string, lost traces) string {
	for _, r := range report.Resources {
		t := known{}.of("")
		t.add(r.ID, r.Identity)
		if r.Type != resourceType || r.Outcome == write.Imported || !meet(lost, t) {
			continue
		}
		return cmp.Or(r.Why(), "it could not be imported")
	}
	for _, failed := range report.Types.Failed {
		if failed.Type != resourceType {
			continue
		}
		if why := failed.Why(); why != "" {
			return "the list of its type failed: " + why
		}
		return "the list of its type failed"
	}
	switch types := report.Types; {
	case slices.Contains(types.Truncated, resourceType):
		return "the list of its type was cut short by a limit"
	case slices.Contains(types.Enumerated, resourceType):
		return "no longer found"
	case slices.Contains(types.NamedOnly, resourceType), slices.Contains(types.NeedConfig, resourceType),
		slices.Contains(types.NotEnumerable, resourceType):
		return "its type was not listed, and nothing else names it"
	}
	return "its type was left out"
}
