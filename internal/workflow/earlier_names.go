package workflow

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/base/ident"
	"github.com/formation-iac/formation/internal/importer"
	"github.com/formation-iac/formation/internal/importer/write"
)

// names returns the name that each object has from the earlier import, or "".
// A resource that is called otherwise from one import to the next is one to
// destroy and another to import for whoever has applied the first. An object
// keeps its name where there is no doubt about it: by an identity that one
// address and one object have, else by such an id.
func (e earlier) names(objects []importer.Known) []string {
	m := matching(knownBy(e.report, e.state), objects)
	names := make([]string, len(objects))
	for i, address := range m.addresses {
		if name := strings.TrimPrefix(address, objects[i].Type+"."); ident.Valid(name) {
			names[i] = name
		}
	}
	return names
}

// matching finds the address of each object among those that had something.
func matching(had known, objects []importer.Known) *match {
	m := &match{had: had, addresses: make([]string, len(objects)), used: map[string]bool{}}
	for _, o := range objects {
		t := known{}.of("")
		for _, trace := range o.Traces {
			t.add(trace.ID, trace.Identity)
		}
		m.types, m.now = append(m.types, o.Type), append(m.now, t)
	}
	m.by(func(t traces) map[string]bool { return t.identities })
	m.by(func(t traces) map[string]bool { return t.ids })
	return m
}

// match brings the addresses of an earlier import and objects together.
type match struct {
	had       known
	types     []string // of the objects
	now       []traces
	addresses []string        // of the objects; "" where none was found
	used      map[string]bool // addresses
}

// pair is an address that may be an object's.
type pair struct {
	address string
	object  int
}

// by finds the objects that have one address, whose they alone are, by traces of
// a kind.
func (m *match) by(kind func(traces) map[string]bool) {
	pairs := m.pairs(kind)
	addresses, objects := map[string]int{}, map[int]int{}
	for p := range pairs {
		addresses[p.address]++
		objects[p.object]++
	}
	for p := range pairs {
		if addresses[p.address] == 1 && objects[p.object] == 1 {
			m.addresses[p.object], m.used[p.address] = p.address, true
		}
	}
}

// pairs are those that a trace speaks for which no other address and no other
// object has.
func (m *match) pairs(kind func(traces) map[string]bool) map[pair]bool {
	type holders struct {
		addresses []string
		objects   []int
	}
	byTrace := map[string]*holders{} // by type and trace
	of := func(resourceType, trace string) *holders {
		key := resourceType + "\x00" + trace
		if byTrace[key] == nil {
			byTrace[key] = &holders{}
		}
		return byTrace[key]
	}
	for address, t := range m.had {
		for trace := range kind(t) {
			h := of(typeOf(address), trace)
			h.addresses = append(h.addresses, address)
		}
	}
	for i, t := range m.now {
		for trace := range kind(t) {
			h := of(m.types[i], trace)
			h.objects = append(h.objects, i)
		}
	}
	out := map[pair]bool{}
	for _, h := range byTrace {
		if len(h.addresses) != 1 || len(h.objects) != 1 {
			continue
		}
		p := pair{h.addresses[0], h.objects[0]}
		if m.addresses[p.object] == "" && !m.used[p.address] && !contradict(m.had[p.address], m.now[p.object]) {
			out[p] = true
		}
	}
	return out
}

// contradict reports whether both have identities, none of which can be of
// the same object. Sources may know parts of an identity only.
func contradict(a, b traces) bool {
	for one := range a.identities {
		for other := range b.identities {
			if agree(one, other) {
				return false
			}
		}
	}
	return len(a.identities) > 0 && len(b.identities) > 0
}

// agree reports whether no part of two canonical identities differs.
func agree(a, b string) bool {
	var one, other map[string]json.RawMessage
	_, _ = json.Unmarshal([]byte(a), &one), json.Unmarshal([]byte(b), &other) // canonical made them
	for part, value := range one {
		if there, ok := other[part]; ok && string(there) != string(value) {
			return false
		}
	}
	return true
}

// renamed names, a line each and sorted, what module calls otherwise than the
// earlier import did, where that left it to others to write a state: it has
// the addresses of before, and no import changes it.
func (e earlier) renamed(module write.Module) []string {
	if e.report == nil || e.report.Handover == write.HandoverState {
		return nil
	}
	had, has := knownBy(e.report, nil), knownBy(&module.Report, module.State)
	byTrace := has.addresses()
	var out []string
	for _, address := range slices.Sorted(maps.Keys(had)) {
		if same, there := has[address]; there && meet(had[address], same) {
			continue
		}
		met := map[string]bool{}
		for _, key := range had[address].keys(typeOf(address)) {
			for _, now := range byTrace[key] {
				met[now] = met[now] || !contradict(had[address], has[now])
			}
		}
		for _, now := range slices.Sorted(maps.Keys(met)) {
			if met[now] {
				out = append(out, address+": now "+now)
				break
			}
		}
	}
	return out
}

// addresses finds what objects are called by the keys of their traces.
func (k known) addresses() map[string][]string {
	out := map[string][]string{}
	for address, t := range k {
		for _, key := range t.keys(typeOf(address)) {
			out[key] = append(out[key], address)
		}
	}
	return out
}

// keys are those that two objects of a type share where their traces meet.
func (t traces) keys(resourceType string) []string {
	var out []string
	for id := range t.ids {
		out = append(out, resourceType+"\x00id\x00"+id)
	}
	for identity := range t.identities {
		out = append(out, resourceType+"\x00identity\x00"+identity)
	}
	return out
}
