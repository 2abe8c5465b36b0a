package measure

import (
	"fmt"
	"strconv"
	"strings"
)

// target is the bound that a figure must keep to. The zero target is none.
type target struct {
	relation string
	bound    float64
}

func exactly(bound float64) target { return target{"=", bound} }
func atLeast(bound float64) target { return target{"≥", bound} }
func atMost(bound float64) target  { return target{"≤", bound} }

// met compares so that what is no number meets nothing.
func (t target) met(value float64) bool {
	switch t.relation {
	case "=":
		return value == t.bound
	case "≥":
		return value >= t.bound
	case "≤":
		return value <= t.bound
	default:
		return true
	}
}

// words are the target in words; empty for none. Unit is the figure's.
func (t target) words(unit string) string {
	text := strconv.FormatFloat(t.bound, 'f', -1, 64)
	switch {
	case t.relation == "":
		return ""
	case t.relation != "=":
		text = t.relation + " " + text
	}
	if unit == "%" || unit == "×" { // the others stand beside the value already
		text += " " + unit
	}
	return text
}

// MissedError names the figures that missed their targets.
type MissedError []Figure

func (e MissedError) Error() string {
	each := make([]string, len(e))
	for i, f := range e {
		value := strings.TrimSpace(number(f.Value) + " " + f.Unit)
		if f.Of != "" {
			value += ", " + f.Of
		}
		each[i] = fmt.Sprintf("%s: %s (%s instead of %s)", f.Group, f.Name, value, f.Target)
	}
	noun := "targets"
	if len(e) == 1 {
		noun = "target"
	}
	return fmt.Sprintf("%d %s missed: %s", len(e), noun, strings.Join(each, "; "))
}
