package docpage

import (
	"cmp"
	"slices"
	"strings"
)

// Shape is the names in an object of a schema, each with the shape of the
// objects in it, or nil.
type Shape map[string]Shape

// Texts is what a page says of the properties in a schema, by their path in
// Terraform's names: "spec.container.image".
type Texts map[string]string

// Texts places the lists of the page in a schema.
func (p *Page) Texts(shape Shape) Texts {
	at := newPlaces(shape)
	loose := 0
	for _, l := range p.lists {
		if l.title != "" {
			if loose++; loose > maxLoose {
				continue
			}
		}
		for _, found := range at.objectsOf(l) {
			at.put(l.items, found.object, offer{rank: found.rank, output: l.output, fit: found.object.fit(l.items)})
		}
	}
	return at.chosen()
}

// maxLoose is for how many lists of a page an object is sought by the names in
// it.
const maxLoose = 100

// object is an object of the schema and where it is.
type object struct {
	path  []string
	shape Shape
}

// fit is what part of the items are about properties of o, of 100.
func (o object) fit(items []item) int {
	known, all := 0, 0
	for _, one := range items {
		for _, name := range one.names {
			all++
			first, _, _ := strings.Cut(name, ".")
			if _, ok := o.shape[first]; ok {
				known++
			}
		}
	}
	if all == 0 {
		return 0
	}
	return 100 * known / all
}

// How sure it is that a text is about a property: a list whose path or heading
// says so, one by blocks of that name in their order, one by the name alone,
// one by what is in it.
const (
	rankContent = 1 + iota
	rankName
	rankChain // and one for every further block
	rankExact = 1000
)

// goodFit is the part of its items that a list must have in common with an
// object that it only seems to be about, of 100.
const goodFit = 50

// bestFit is the same where nothing but its items says what it is about.
const bestFit = 80

// offer is a text for a property.
type offer struct {
	rank   int
	output bool
	fit    int
	text   string
}

func (a offer) compare(b offer) int {
	if c := cmp.Compare(b.rank, a.rank); c != 0 {
		return c
	}
	if a.output != b.output {
		if b.output {
			return -1
		}
		return 1
	}
	return cmp.Compare(b.fit, a.fit)
}

// places is a schema that texts are offered to.
type places struct {
	whole   object
	objects []object
	// byPath and byName find objects by their path and its last part.
	byPath map[string]object
	byName map[string][]object
	// having finds objects by a property.
	having map[string][]object
	offers map[string][]offer
}

func newPlaces(shape Shape) *places {
	at := &places{
		whole: object{shape: shape}, byPath: map[string]object{},
		byName: map[string][]object{}, having: map[string][]object{}, offers: map[string][]offer{},
	}
	at.add(at.whole)
	return at
}

func (at *places) add(o object) {
	at.objects = append(at.objects, o)
	at.byPath[strings.Join(o.path, ".")] = o
	if len(o.path) > 0 {
		last := o.path[len(o.path)-1]
		at.byName[last] = append(at.byName[last], o)
	}
	for _, name := range sortedNames(o.shape) {
		at.having[name] = append(at.having[name], o)
		if inner := o.shape[name]; inner != nil {
			at.add(object{append(slices.Clip(o.path), name), inner})
		}
	}
}

func sortedNames(shape Shape) []string {
	names := make([]string, 0, len(shape))
	for name := range shape {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// found is an object that a list may be about.
type found struct {
	object object
	rank   int
}

// objectsOf finds what a list is about.
func (at *places) objectsOf(l list) []found {
	switch {
	case l.whole:
		return []found{{at.whole, rankExact}}
	case len(l.path) > 0:
		if o, ok := at.byPath[strings.Join(l.path, ".")]; ok {
			return []found{{o, rankExact}}
		}
		return nil
	case len(l.names) > 0:
		return at.named(l)
	default:
		return at.byContent(l)
	}
}

// named finds the blocks of the list's names: those inside the blocks that the
// headings above name, or where there are none such, the others.
func (at *places) named(l list) []found {
	var out []found
	for _, name := range l.names {
		path := strings.Split(name, ".")
		before := slices.Concat(l.chain, path[:len(path)-1])
		if l.parent != "" {
			before = append(before, strings.Split(l.parent, ".")...)
		}
		out = append(out, at.inside(before, path[len(path)-1], l.items)...)
	}
	return out
}

func (at *places) inside(chain []string, name string, items []item) []found {
	var inChain, others []found
	for _, o := range at.byName[name] {
		switch {
		case o.fit(items) < goodFit:
		case isSubsequence(chain, o.path[:len(o.path)-1]):
			inChain = append(inChain, found{o, rankChain + len(chain)})
		default:
			others = append(others, found{o, rankName})
		}
	}
	if len(inChain) > 0 {
		return inChain
	}
	return others
}

// isSubsequence reports whether all of some come in path, in their order.
func isSubsequence(some, path []string) bool {
	for _, step := range path {
		if len(some) > 0 && some[0] == step {
			some = some[1:]
		}
	}
	return len(some) == 0
}

// byContent finds the one object that has most of what the list is about, or
// of several the one that the title names.
func (at *places) byContent(l list) []found {
	var out []found
	most := bestFit
	for _, o := range at.having[firstName(l.items)] {
		fit := o.fit(l.items)
		if fit < most {
			continue
		}
		if fit > most {
			most, out = fit, nil
		}
		out = append(out, found{o, rankContent})
	}
	if len(out) > 1 {
		out = namedIn(l.title, out)
	}
	if len(out) != 1 || len(l.items) < 2 && len(out[0].object.path) > 0 {
		return nil
	}
	return out
}

func firstName(items []item) string {
	first, _, _ := strings.Cut(items[0].names[0], ".")
	return first
}

// namedIn are the objects whose name is in a title, such as "postgresql" in
// "PostgreSQL Configuration Options": those of the longest name.
func namedIn(title string, objects []found) []found {
	runs := wordRuns(title)
	var out []found
	longest := 0
	for _, f := range objects {
		if len(f.object.path) == 0 {
			continue
		}
		name := strings.Join(words(f.object.path[len(f.object.path)-1]), "")
		if len(name) < longest || !runs[name] {
			continue
		}
		if len(name) > longest {
			longest, out = len(name), nil
		}
		out = append(out, f)
	}
	return out
}

// mostWords is how many words of a title a name may have.
const mostWords = 4

// wordRuns are words of a text that follow each other, put together.
func wordRuns(text string) map[string]bool {
	runs := map[string]bool{}
	all := words(text)
	for i := range all {
		for n := 1; n <= mostWords && i+n <= len(all); n++ {
			runs[strings.Join(all[i:i+n], "")] = true
		}
	}
	return runs
}

// words are the runs of letters and digits in a text.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
}

// put offers the texts of items to an object.
func (at *places) put(items []item, o object, like offer) {
	for _, one := range items {
		for _, name := range one.names {
			at.putOne(one, slices.Concat(o.path, strings.Split(name, ".")), like)
		}
	}
}

// putOne offers the text of an item to the property at a path. Bullets below it
// are about what is in that, or else part of the text.
func (at *places) putOne(one item, path []string, like offer) {
	parent, ok := at.byPath[strings.Join(path[:len(path)-1], ".")]
	if !ok {
		return
	}
	inner, ok := parent.shape[path[len(path)-1]]
	if !ok {
		return
	}
	like.text = one.text
	if inner == nil && one.more != "" {
		like.text = strings.TrimSpace(like.text + "\n\n" + one.more)
	}
	if like.text = shorten(like.text); like.text != "" {
		key := strings.Join(path, ".")
		at.offers[key] = append(at.offers[key], like)
	}
	if inner != nil {
		like.rank++
		at.put(one.items, object{path, inner}, like)
	}
}

// chosen takes the best text for each property. Several that are as good and
// not the same leave none, unless each is surely about it.
func (at *places) chosen() Texts {
	texts := Texts{}
	for key, offers := range at.offers {
		slices.SortStableFunc(offers, offer.compare)
		best := offers[0]
		unclear := len(offers) > 1 && best.rank < rankExact && best.compare(offers[1]) == 0 && best.text != offers[1].text
		if !unclear {
			texts[key] = best.text
		}
	}
	return texts
}
