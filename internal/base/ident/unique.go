package ident

import (
	"cmp"
	"slices"
	"strconv"
)

// Wish is what one thing would like to be called.
type Wish struct {
	// Key orders wishes, so that names do not depend on the order of asking.
	// Give every thing its own: its type and identity, for example.
	Key string
	// Base is the name it takes where nothing else wants it: a valid
	// identifier. "" is read as "_".
	Base string
	// Hints tell it from others of the same Base, best first: a zone, a
	// parent, an identity. Each is free text; "" is skipped. They are asked
	// for where there are such others; nil has none.
	Hints func() []string
	// Pinned wishes are served before all others: the user chose the name.
	Pinned bool
}

// Unique gives every wish a name of its own, in the order of wishes. Names
// depend on the set of wishes only. A base that one wish has is taken as it
// is. Wishes that share a base all get the first hint by which they differ
// (`web_eu`, `web_us`), and numbers from 2 in the order of Key where none
// does. Names that reserved reports are never given; nil reserves nothing.
func Unique(wishes []Wish, reserved func(name string) bool) []string {
	n := &namer{
		wishes: wishes, names: make([]string, len(wishes)), taken: make(map[string]bool, len(wishes)), reserved: reserved,
		told: map[int][]string{},
	}
	n.serve(func(w Wish) bool { return w.Pinned })
	n.serve(func(w Wish) bool { return !w.Pinned })
	return n.names
}

type namer struct {
	wishes   []Wish
	names    []string
	told     map[int][]string // hints, of the wishes that were asked
	taken    map[string]bool
	reserved func(string) bool
}

// serve names the wishes that want admits: those alone with their base
// first, so that no derived name can take it from them.
func (n *namer) serve(want func(Wish) bool) {
	groups := map[string][]int{}
	for i, w := range n.wishes {
		if want(w) {
			base := n.base(w)
			groups[base] = append(groups[base], i)
		}
	}
	bases := make([]string, 0, len(groups))
	for base, members := range groups {
		n.sortByKey(members)
		bases = append(bases, base)
	}
	slices.Sort(bases)
	for _, base := range bases {
		if len(groups[base]) == 1 && n.free(base) {
			n.take(groups[base][0], base)
			delete(groups, base)
		}
	}
	for _, base := range bases {
		n.tellApart(base, groups[base])
	}
}

func (n *namer) base(w Wish) string {
	if w.Base == "" {
		return "_"
	}
	return w.Base
}

func (n *namer) sortByKey(members []int) {
	slices.SortStableFunc(members, func(a, b int) int {
		if c := cmp.Compare(n.wishes[a].Key, n.wishes[b].Key); c != 0 {
			return c
		}
		return slices.Compare(n.hints(a), n.hints(b))
	})
}

func (n *namer) hints(i int) []string {
	hints, known := n.told[i]
	if !known && n.wishes[i].Hints != nil {
		hints = n.wishes[i].Hints()
		n.told[i] = hints
	}
	return hints
}

func (n *namer) free(name string) bool {
	return !n.taken[name] && (n.reserved == nil || !n.reserved(name))
}

func (n *namer) take(i int, name string) {
	n.names[i] = name
	n.taken[name] = true
}

// tellApart names a group that shares base, members sorted by key.
func (n *namer) tellApart(base string, members []int) {
	for hint := range n.mostHints(members) {
		if names := n.hinted(base, members, hint); names != nil {
			for i, m := range members {
				n.take(m, names[i])
			}
			return
		}
	}
	next := 1
	for _, m := range members {
		var name string
		for name == "" || !n.free(name) {
			name = numbered(base, next)
			next++
		}
		n.take(m, name)
	}
}

func (n *namer) mostHints(members []int) int {
	most := 0
	for _, m := range members {
		most = max(most, len(n.hints(m)))
	}
	return most
}

// hinted returns the members' names by one hint, or nil where it is missing
// somewhere or does not tell them apart.
func (n *namer) hinted(base string, members []int, hint int) []string {
	names := make([]string, 0, len(members))
	seen := map[string]bool{}
	for _, m := range members {
		hints := n.hints(m)
		if hint >= len(hints) {
			return nil
		}
		suffix := Snake(hints[hint])
		if suffix == "" {
			return nil
		}
		name := suffixed(base, suffix)
		if seen[name] || !n.free(name) {
			return nil
		}
		seen[name] = true
		names = append(names, name)
	}
	return names
}

// suffixed joins base and suffix within MaxLength. The suffix tells names
// apart, so the base gives way first.
func suffixed(base, suffix string) string {
	suffix = Shorten(suffix, MaxLength/2)
	return Shorten(base, MaxLength-1-len(suffix)) + "_" + suffix
}

func numbered(base string, number int) string {
	if number == 1 {
		return base
	}
	return suffixed(base, strconv.Itoa(number))
}
