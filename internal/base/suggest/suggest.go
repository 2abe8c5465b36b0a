// Package suggest finds what a misspelt name may have meant.
package suggest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agext/levenshtein"
)

// most is how many names are offered.
const most = 3

// Nearest returns up to three of all that name may have meant, best first.
// Ties are in the order of all.
func Nearest(name string, all []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	var near []candidate
	limit := max(2, len(name)/4)
	for _, other := range all {
		distance := levenshtein.Distance(strings.ToLower(name), strings.ToLower(other), nil)
		if distance <= limit || (len(name) > 2 && strings.Contains(other, name)) {
			near = append(near, candidate{other, distance})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return a.distance - b.distance })
	var out []string
	for _, c := range near[:min(most, len(near))] {
		out = append(out, c.name)
	}
	return out
}

// DidYouMean is a question for the end of a message, with a space before it,
// or "" where nothing is near.
func DidYouMean(name string, all []string) string { return Question(Nearest(name, all)) }

// Question asks whether one of the names was meant, as [DidYouMean] does.
func Question(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = fmt.Sprintf("%q", n)
	}
	switch last := len(quoted) - 1; last {
	case -1:
		return ""
	case 0:
		return " Did you mean " + quoted[0] + "?"
	default:
		return " Did you mean " + strings.Join(quoted[:last], ", ") + " or " + quoted[last] + "?"
	}
}
