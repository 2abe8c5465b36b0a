package measure

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/formation-iac/formation/internal/testkit/tfcli"
)

func TestTargets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		wanted target
		value  float64
		unit   string
		met    bool
		words  string
	}{
		{target{}, 7, "s", true, ""},
		{exactly(100), 100, "%", true, "100 %"},
		{exactly(100), 99.99, "%", false, "100 %"},
		{exactly(0), 0, "", true, "0"},
		{exactly(0), 1, "", false, "0"},
		{atLeast(99), 99, "%", true, "≥ 99 %"},
		{atLeast(99), 98.9, "%", false, "≥ 99 %"},
		{atLeast(10), 9.99, "×", false, "≥ 10 ×"},
		{atLeast(10), math.NaN(), "×", false, "≥ 10 ×"},
		{atMost(1.3), 1.3, "ms", true, "≤ 1.3"},
		{atMost(1.3), 1.31, "ms", false, "≤ 1.3"},
	} {
		if c.wanted.met(c.value) != c.met || c.wanted.words(c.unit) != c.words {
			t.Errorf("%+v of %v %s: met is %t in the words %q", c.wanted, c.value, c.unit, !c.met, c.wanted.words(c.unit))
		}
	}
}

// TestMissesAreMarked: at full scale, nine of ten recovered is a miss.
func TestMissesAreMarked(t *testing.T) {
	t.Parallel()
	report := &Report{Machine: "here"}
	s := &suite{report: report}
	run := imported{want: 1000}
	run.Report.Summary.Imported, run.Report.Summary.NoOp = 900, 1000
	s.recovered("Clocks", run)
	report.add("Clocks", "as fast as it is", 3, "s", target{})
	report.add("Clocks", "leaks", 2, "", exactly(0))
	err := report.Misses()
	var missed MissedError
	if !errors.As(err, &missed) || len(missed) != 2 {
		t.Fatalf("missed: %v", err)
	}
	const want = "2 targets missed: Clocks: recovered (90 %, 900 of 1,000 instead of 100 %); Clocks: leaks (2 instead of 0)"
	if err.Error() != want {
		t.Errorf("got  %s\nwant %s", err, want)
	}
	marked := map[string]bool{}
	for line := range strings.Lines(report.Table()) {
		if strings.Contains(line, "MISSED") {
			marked[strings.Fields(line)[0]] = true
		}
	}
	if len(marked) != 2 || !marked["recovered"] || !marked["leaks"] {
		t.Errorf("the table marks %v:\n%s", marked, report.Table())
	}
	text, err := json.Marshal(report)
	if err != nil || strings.Count(string(text), `"missed":true`) != 2 {
		t.Errorf("%v in %s", err, text)
	}
}

func TestNothingIsMissed(t *testing.T) {
	t.Parallel()
	report := &Report{}
	report.share("g", "all", 7, 7, exactly(100))
	if err := report.Misses(); err != nil || strings.Contains(report.Table(), "MISSED") {
		t.Errorf("%v\n%s", err, report.Table())
	}
}

// TestBlockFigures has a plan of import blocks that does all that it must not.
func TestBlockFigures(t *testing.T) {
	t.Parallel()
	const text = `{"resource_changes": [
		{"address": "a.settled", "change": {"actions": ["update"], "before": {"x": null}, "after": {"x": 1}, "importing": {}}},
		{"address": "a.changed", "change": {"actions": ["update"], "before": {"x": null, "y": 1}, "after": {"x": 1, "y": 2}, "importing": {}}},
		{"address": "a.unknown", "change": {"actions": ["update"], "before": {"y": 1}, "after": {}, "after_unknown": {"y": true}, "importing": {}}},
		{"address": "a.added", "change": {"actions": ["create"]}},
		{"address": "a.replaced", "change": {"actions": ["delete", "create"]}}
	]}`
	plan, err := tfcli.DecodePlan([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r := &recovery{suite: &suite{report: &Report{}}}
	settled := map[string][]string{"a.settled": {"x"}, "a.changed": {"x"}}
	r.blockFigures("blocks", settled, plan, plan[:2])
	for name, want := range map[string]float64{
		"imported": 60, "to add": 2, "to destroy": 1, "changes that settle nothing": 2, "changes after apply": 2,
	} {
		f, ok := r.report.Find("", "blocks: "+name)
		if !ok || f.Value != want || !f.Missed {
			t.Errorf("%s: %+v, want %v and a miss", name, f, want)
		}
	}
}
