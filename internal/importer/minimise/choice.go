package minimise

// choice is the set of units kept, by id. A unit inside one that is left
// out is left out with it, whatever its own bit says.
type choice []bool

func keepAll(n int) choice {
	c := make(choice, n)
	for i := range c {
		c[i] = true
	}
	return c
}

// key is a string equal for equal choices.
func (c choice) key() string {
	out := make([]byte, len(c))
	for i, kept := range c {
		if kept {
			out[i] = 1
		}
	}
	return string(out)
}

// without returns c with one unit left out.
func (c choice) without(id int) choice {
	out := append(choice(nil), c...)
	out[id] = false
	return out
}

// add keeps a unit and every unit around it; it reports whether that changed
// anything.
func (c choice) add(units []unit, id int) bool {
	changed := false
	for outer := range id + 1 {
		if units[outer].end > id && !c[outer] {
			c[outer], changed = true, true
		}
	}
	return changed
}

// leftOut calls visit with each unit that is left out and not inside
// another that is.
func (c choice) leftOut(units []unit, visit func(*unit)) {
	for id := 0; id < len(units); {
		if c[id] {
			id++
			continue
		}
		visit(&units[id])
		id = units[id].end
	}
}

// keptUnits calls visit with each unit that is kept along with all around it.
func (c choice) keptUnits(units []unit, visit func(*unit)) {
	for id := 0; id < len(units); {
		if !c[id] {
			id = units[id].end
			continue
		}
		visit(&units[id])
		id++
	}
}

// has reports whether a unit is kept along with all around it.
func (c choice) has(units []unit, id int) bool {
	for outer := range id + 1 {
		if units[outer].end > id && !c[outer] {
			return false
		}
	}
	return true
}
