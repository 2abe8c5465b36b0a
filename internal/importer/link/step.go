package link

import (
	"strconv"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// stepKind says what a step of a walk goes by.
type stepKind uint8

const (
	byName stepKind = iota
	byKey
	byPosition
)

// step is one step of a walk: to a member of an object by name, of a map by
// key, of a list by position.
type step struct {
	kind     stepKind
	name     string
	position int
}

// memberStep is the step to a member of an object or a map.
func memberStep(key string, s shape) step {
	if s.isMap() {
		return step{kind: byKey, name: key}
	}
	return step{kind: byName, name: key}
}

// place writes the step as a reader would.
func (s step) place() string {
	switch {
	case s.kind == byPosition:
		return "[" + strconv.Itoa(s.position) + "]"
	case hclsyntax.ValidIdentifier(s.name) && s.kind == byName:
		return "." + s.name
	}
	return "[" + strconv.Quote(s.name) + "]"
}
