package measure

import (
	"fmt"
	"strconv"
	"strings"
)

// Figure is one thing measured.
type Figure struct {
	// Group gathers figures of one scenario, and Name tells them apart in it.
	Group string `json:"group"`
	Name  string `json:"name"`
	// Value is in Unit: "s", "ms", "MB" (2²⁰ bytes), "%", "×" or a noun.
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
	// Target is what must hold, in words; empty where nothing must. Missed
	// says that it does not.
	Target string `json:"target,omitempty"`
	Missed bool   `json:"missed,omitempty"`
	// Of says what a percentage was taken of, such as "41 of 41".
	Of string `json:"of,omitempty"`
}

// Report is one run's figures.
type Report struct {
	// Machine says where they were measured: system, processors, load.
	Machine string   `json:"machine"`
	Figures []Figure `json:"figures"`
	// Missing names what could not be measured here, and why.
	Missing []string `json:"missing"`
}

func (r *Report) add(group, name string, value float64, unit string, wanted target) {
	r.put(Figure{Group: group, Name: name, Value: value, Unit: unit}, wanted)
}

// share adds a part of a whole in percent.
func (r *Report) share(group, name string, part, whole int, wanted target) {
	of := fmt.Sprintf("%s of %s", count(part), count(whole))
	r.put(Figure{Group: group, Name: name, Value: 100 * ratio(part, whole), Unit: "%", Of: of}, wanted)
}

func (r *Report) put(f Figure, wanted target) {
	f.Target, f.Missed = wanted.words(f.Unit), !wanted.met(f.Value)
	r.Figures = append(r.Figures, f)
}

// Misses says which targets were missed; nil where none was.
func (r *Report) Misses() error {
	var missed MissedError
	for _, f := range r.Figures {
		if f.Missed {
			missed = append(missed, f)
		}
	}
	if missed == nil {
		return nil
	}
	return missed
}

// Find returns the figure of a name in a group.
func (r *Report) Find(group, name string) (Figure, bool) {
	for _, f := range r.Figures {
		if f.Group == group && f.Name == name {
			return f, true
		}
	}
	return Figure{}, false
}

// Table is the report as one table for people.
func (r *Report) Table() string {
	var b strings.Builder
	width := 0
	for _, f := range r.Figures {
		width = max(width, len([]rune(f.Name)))
	}
	fmt.Fprintf(&b, "%s\n", r.Machine)
	group := ""
	for _, f := range r.Figures {
		if f.Group != group {
			group = f.Group
			fmt.Fprintf(&b, "\n%s\n", group)
		}
		line := fmt.Sprintf("  %s%s  %10s %-3s", f.Name, strings.Repeat(" ", width-len([]rune(f.Name))), number(f.Value), f.Unit)
		line += fmt.Sprintf(" %-18s %s", f.wanted(), f.Of)
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	if len(r.Missing) > 0 {
		b.WriteString("\nNot measured\n")
	}
	for _, m := range r.Missing {
		fmt.Fprintf(&b, "  %s\n", m)
	}
	return b.String()
}

// wanted is the target, told apart from the value.
func (f Figure) wanted() string {
	if f.Target == "" {
		return ""
	}
	if f.Missed {
		return "(" + f.Target + ", MISSED)"
	}
	return "(" + f.Target + ")"
}

// number writes three digits that count, and no fraction past 100.
func number(v float64) string {
	switch {
	case v == float64(int64(v)) || v >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	default:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
}

// count writes a number the way people read large ones: 10,000.
func count(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
