package tfconfig

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// blocksOf reports the second of the blocks of a body that can stand in it but
// once, and those of reserved types.
func (r *reader) blocksOf(content *hcl.BodyContent, reserved ...string) {
	first := map[string]hcl.Range{}
	for _, b := range content.Blocks {
		switch {
		case slices.Contains(reserved, b.Type):
			r.report(reservedBlock(b.Type, b.DefRange))
		case b.Type != "lifecycle" && b.Type != "connection" && b.Type != "_":
		case first[b.Type] != hcl.Range{}:
			r.report(duplicate(b.Type+" block", first[b.Type], b.DefRange))
		default:
			first[b.Type] = b.DefRange
		}
	}
}
