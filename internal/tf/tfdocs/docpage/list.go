package docpage

import "strings"

// list is a list of arguments or attributes and what says where they belong.
type list struct {
	titled
	// chain are the blocks of the headings above, outermost first.
	chain []string
	// title is the heading of a list that is about no block by name.
	title string
	items []item
}

// item is the text about some arguments.
type item struct {
	names []string
	text  string
	// items are the bullets below it that are about arguments too, and more
	// is the same as text: values that the argument may have, perhaps.
	items []item
	more  string
}

// outline is the headings above a line of the page.
type outline struct {
	levels []level
	// sentence is what the text before the list says.
	sentence titled
}

type level struct {
	depth int
	title string
	titled
}

// readLists finds the lists of a page.
func readLists(lines []line) []list {
	var lists []list
	var above outline
	continued := false
	for i := 0; i < len(lines); i++ {
		switch l := lines[i]; l.kind {
		case heading:
			above.enter(l)
			continued = false
		case plain:
			if leadsList(lines[i+1:]) {
				if said := parseSentence(l.text); len(said.names) > 0 {
					above.sentence, continued = said, false
				}
			}
		case bullet:
			one, next, ok := readItem(lines, i, 0)
			i = next - 1
			if !ok {
				continue
			}
			if !continued {
				lists = append(lists, above.list())
				continued = true
			}
			lists[len(lists)-1].items = append(lists[len(lists)-1].items, one)
		}
	}
	return lists
}

// leadsList reports whether a bullet is the next thing on the page.
func leadsList(lines []line) bool {
	for _, l := range lines {
		if l.kind != blank {
			return l.kind == bullet
		}
	}
	return false
}

// enter goes on below a heading.
func (o *outline) enter(l line) {
	o.sentence = titled{}
	for len(o.levels) > 0 && o.levels[len(o.levels)-1].depth >= l.level {
		o.levels = o.levels[:len(o.levels)-1]
	}
	title := cleanTitle(l.title)
	if l.level == 1 { // the page's, which is the name of what it is about
		return
	}
	o.levels = append(o.levels, level{l.level, title, parseTitle(title, l.level)})
}

// list is an empty one for the place where the outline is.
func (o *outline) list() list {
	var out list
	for i := len(o.levels) - 1; i >= 0 && !out.settled(); i-- {
		l := o.levels[i]
		out.output = out.output || l.output
		switch {
		case l.whole, len(l.path) > 0, len(l.names) > 0:
			out.titled.whole, out.path, out.names, out.parent = l.whole, l.path, l.names, l.parent
		case !l.part:
			out.title = l.title
		}
		if out.settled() && len(out.names) > 0 {
			out.chain = o.chain(i)
		}
	}
	if len(o.sentence.names) > 0 {
		out.inside(o.sentence)
	}
	return out
}

// settled reports whether it is known what the list is about, or that it is
// not.
func (l *list) settled() bool {
	return l.whole || l.title != "" || len(l.path) > 0 || len(l.names) > 0
}

// chain are the blocks that the headings above one name.
func (o *outline) chain(below int) []string {
	var chain []string
	for _, l := range o.levels[:below] {
		switch {
		case len(l.path) > 0:
			chain = append([]string{}, l.path...)
		case len(l.names) == 1:
			chain = append(chain, l.names[0])
		}
	}
	return chain
}

// inside makes the list one of a block inside what it was about.
func (l *list) inside(said titled) {
	switch {
	case len(l.path) > 0:
		l.chain = l.path
	case len(l.names) == 1 && l.names[0] != said.names[0]:
		l.chain = append(l.chain, l.names[0])
	}
	l.output = l.output || said.output
	l.whole, l.title, l.path = false, "", nil
	l.names, l.parent = said.names, said.parent
}

// maxDepth is how deep bullets about arguments may stand below each other.
const maxDepth = 6

// readItem reads the bullet at lines[i] and what belongs to it, which ends
// before next. ok is false where it is not about an argument.
func readItem(lines []line, i, depth int) (out item, next int, ok bool) {
	names, rest, ok := parseItemHead(lines[i].rest)
	body, below := bodyOf(lines, i)
	next = i + 1 + len(body) + len(below)
	if !ok || depth >= maxDepth {
		return item{}, next, false
	}
	text, replaces := withoutTraits(joinLines(rest, body))
	out = item{names: names, text: clean(text), more: joinLines("", below)}
	for j := 0; j < len(below); {
		if below[j].kind != bullet {
			j++
			continue
		}
		inner, after, ok := readItem(below, j, depth+1)
		if ok {
			out.items = append(out.items, inner)
		}
		j = after
	}
	if replaces && !saysReplacing().MatchString(out.text) {
		out.text = strings.TrimSpace(out.text + " " + replacing)
	}
	return out, next, true
}

// bodyOf are the lines that belong to the bullet at lines[i]: the text, and
// from the first bullet on that is below it, the rest.
func bodyOf(lines []line, i int) (body, below []line) {
	start, bullets := i+1, -1
	end, afterBlank := start, false
	for j := start; j < len(lines); j++ {
		l := lines[j]
		if l.kind == blank {
			afterBlank = true
			continue
		}
		inBlock := l.kind == code && j > start && lines[j-1].kind == code
		if !inBlock && !l.belongsTo(lines[i], afterBlank) {
			break
		}
		if l.kind == bullet && bullets < 0 {
			bullets = j
		}
		end, afterBlank = j+1, false
	}
	if bullets < 0 {
		return lines[start:end], nil
	}
	return lines[start:bullets], lines[bullets:end]
}

// belongsTo reports whether a line goes on with what a bullet began.
func (l line) belongsTo(b line, afterBlank bool) bool {
	deeper := l.indent >= b.indent+2
	switch l.kind {
	case heading, rule:
		return false
	case bullet:
		return deeper
	default:
		return deeper || !afterBlank
	}
}

// joinLines puts the text of an item together. Lines lose the indentation that
// they have from the list; bullets, and lines of code, keep what they have
// among each other.
func joinLines(first string, rest []line) string {
	out := []string{first}
	bullets, block := -1, -1
	for _, l := range rest {
		keep := 0
		switch l.kind {
		case bullet:
			keep = indentAfter(l.indent, &bullets)
		case code:
			keep = indentAfter(l.indent, &block)
		}
		if l.kind != code {
			block = -1
		}
		out = append(out, strings.Repeat(" ", keep)+strings.Trim(l.text, " \t"))
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

// indentAfter is how much deeper an indentation is than the first one was.
func indentAfter(indent int, first *int) int {
	if *first < 0 {
		*first = indent
	}
	return max(indent-*first, 0)
}
