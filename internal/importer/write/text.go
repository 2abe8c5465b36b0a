package write

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
)

// TextOptions say how much of a report is told.
type TextOptions struct {
	// Most is how many members of a list are named; 0 is all.
	Most int
}

// Text is the summary for a terminal, over several lines, ending with a
// newline. It says what was done first, then what is missing. Ask it of
// [Module.FinalReport].
func (r Report) Text(opts TextOptions) string {
	r = r.Sorted()
	t := &text{most: opts.Most}
	s := r.Summary
	t.line("Imported %d of %s from %s.", s.Imported, counted(s.Found, "resource"), r.providerText())
	t.line("  %d proven to need no change%s", s.NoOp, s.gains())
	t.list(counted(s.Failed, "resource")+" could not be imported", resourcesWith(r, func(res ResourceReport) bool { return res.Outcome == Failed }))
	t.list("Not found when read", resourcesWith(r, func(res ResourceReport) bool { return res.Outcome == Gone }))
	t.list("Left out, since files of your own beside the import's have them", resourcesWith(r, func(res ResourceReport) bool { return res.Outcome == Managed }))
	t.list("Imported, but a plan would still change", resourcesWith(r, func(res ResourceReport) bool { return res.Outcome == Imported && !res.NoOp }))
	t.list("Imported with a warning, which report.json has in full", byType(r, warnings))
	settled := "Settled in the state, because the provider never reads it"
	if r.Handover == HandoverBlocks {
		settled = "To be set by the first apply, which has the provider update them (--state tfstate settles them without), because it never reads it"
	}
	t.list(settled, byType(r, func(res ResourceReport) []string { return res.Settled }))
	t.list("In ignore_changes, because the provider reads another value each time", byType(r, func(res ResourceReport) []string { return res.Wavering }))
	t.list("Not written; made anew, these may get other values", byType(r, func(res ResourceReport) []string { return res.LeftOut }))
	t.list("Left as literals where a rule would have a reference (formation links explain says which)", unlinkedLines(r))
	t.list("Values to fill in, which the provider cannot read", standIns(r))
	t.types(r.Types)
	return t.String()
}

func (r Report) providerText() string {
	return strings.TrimSpace(cmp.Or(r.Provider.Source, "the provider") + " " + r.Provider.Version)
}

// gains are the counts that say what is good about the result.
func (s Summary) gains() string {
	out := ""
	for _, g := range []struct {
		n    int
		noun string
	}{{s.Links, "link"}, {s.Variables, "variable"}} {
		if g.n > 0 {
			out += ", " + counted(g.n, g.noun)
		}
	}
	return out
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func resourcesWith(r Report, want func(ResourceReport) bool) []string {
	var out []string
	for _, res := range r.Resources {
		if want(res) {
			line := cmp.Or(res.Address, strings.TrimSpace(res.Type+" "+cmp.Or(res.ID, string(res.Identity), res.DisplayName)))
			if why := res.Why(); why != "" {
				line += ": " + why
			}
			out = append(out, line)
		}
	}
	return out
}

// warnings are the summaries of what is to be said of an object that was
// imported, each once. What is not written and what is not linked have lists of
// their own.
func warnings(res ResourceReport) []string {
	if res.Outcome != Imported {
		return nil
	}
	var out []string
	for _, d := range res.Diagnostics {
		if d.Severity == diag.Warning && !d.Listed {
			out = append(out, d.Summary)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// byType tells of attributes by type, since all resources of one type usually
// share them.
func byType(r Report, attributes func(ResourceReport) []string) []string {
	count := map[string]int{}
	for _, res := range r.Resources {
		if names := attributes(res); len(names) > 0 {
			count[res.Type+": "+strings.Join(names, ", ")]++
		}
	}
	var out []string
	for _, what := range slices.Sorted(maps.Keys(count)) {
		out = append(out, fmt.Sprintf("%s (%s)", what, counted(count[what], "resource")))
	}
	return out
}

// unlinkedLines tells, by the reason, how many values stayed literals that a
// reference could have stood for.
func unlinkedLines(r Report) []string {
	count := map[string]int{}
	for _, res := range r.Resources {
		for _, u := range res.Unlinked {
			count[u.Kind]++
		}
	}
	var out []string
	for _, reason := range []struct{ kind, text string }{
		{"cycle", "a reference would close a cycle"},
		{"ambiguous", "several resources have the value"},
		{"unreferable", "no attribute of the resource would stand for it"},
	} {
		if n := count[reason.kind]; n > 0 {
			out = append(out, fmt.Sprintf("%s: %s", counted(n, "value"), reason.text))
		}
	}
	return out
}

func standIns(r Report) []string {
	var out []string
	for _, v := range r.Variables {
		if v.StandIn && !v.FilledIn {
			out = append(out, fmt.Sprintf("var.%s, for %s of %s", v.Name, v.Path, v.Owner))
		}
	}
	return out
}

type text struct {
	strings.Builder
	most int
}

func (t *text) line(format string, args ...any) { fmt.Fprintf(t, format+"\n", args...) }

// list names the members under a heading, each in one line; nothing where there
// are none.
func (t *text) list(heading string, members []string) {
	if len(members) == 0 {
		return
	}
	t.line("%s:", heading)
	for i, m := range members {
		if t.most > 0 && i == t.most {
			t.line("  and %d more, in %s", len(members)-i, ReportFile)
			return
		}
		t.line("  %s", strings.ReplaceAll(m, "\n", " "))
	}
}

func (t *text) types(types TypesReport) {
	var failed []string
	for _, f := range types.Failed {
		line := f.Type
		if why := f.Why(); why != "" {
			line += ": " + why
		}
		failed = append(failed, line)
	}
	t.list("Types whose listing failed", failed)
	t.list("Types with more objects than the limit", types.Truncated)
	t.list("Types known only by the ids given, so that there may be more objects", types.NamedOnly)
	t.list("Types that can be listed with a query file (--query)", types.NeedConfig)
	t.list(counted(len(types.NotEnumerable), "type")+" of the provider could not be listed by any source (bring ids with --ids)", types.NotEnumerable)
	if types.Excluded > 0 {
		t.line("%s left out by the type patterns.", counted(types.Excluded, "object"))
	}
}
