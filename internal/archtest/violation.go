package archtest

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
)

// Violation is one place that breaks a rule: what stands there, and why it
// should not.
type Violation struct {
	Position token.Position
	What     string
	Why      string
}

// String is one line, beginning with file:line:column.
func (v Violation) String() string {
	return fmt.Sprintf("%s: %s: %s", v.Position, v.What, v.Why)
}

// Check holds t against every rule and returns what breaks one, by place.
func (t *Tree) Check() []Violation {
	found := slices.Concat(t.misplaced(), t.imports(), t.sameNames(), t.calls())
	slices.SortStableFunc(found, func(a, b Violation) int {
		return cmp.Or(
			cmp.Compare(a.Position.Filename, b.Position.Filename),
			cmp.Compare(a.Position.Offset, b.Position.Offset))
	})
	return found
}

func (t *Tree) violation(at token.Pos, why, format string, args ...any) Violation {
	return Violation{Position: t.positions.Position(at), What: fmt.Sprintf(format, args...), Why: why}
}
