package importer

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/importer/discover"
	"github.com/formation-iac/formation/internal/importer/read"
	"github.com/formation-iac/formation/internal/importer/write"
)

// feed is an object found as one id and read with another.
func feed(found, id, name string) read.Object {
	return read.Object{
		Found: discover.Found{Type: "x_feed", ID: found}, Type: "x_feed",
		State: cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal(id), "name": cty.StringVal(name)}),
	}
}

func outcome(list ...read.Object) read.Outcome {
	return read.Outcome{Found: list[0].Found, Objects: list}
}

// TestDistinct holds that only what is proven to be the same object is
// merged, and that what was asked for and merged is told.
func TestDistinct(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		outcomes []read.Outcome
		want     []string // what stays, by what it was found as
		repeats  map[string]string
	}{
		"two ids of one object": {
			outcomes: []read.Outcome{outcome(feed("a", "1", "news")), outcome(feed("b", "1", "news"))},
			want:     []string{"a"}, repeats: map[string]string{"b": "a"},
		},
		"one id of two objects": {
			outcomes: []read.Outcome{outcome(feed("a", "app.", "news")), outcome(feed("b", "app.", "jobs")), outcome(feed("c", "app.", "jobs"))},
			want:     []string{"a", "b"}, repeats: map[string]string{"c": "b"},
		},
		"brought along and found, read a little differently": {
			outcomes: []read.Outcome{outcome(feed("a", "1", "news"), feed("a", "2", "")), outcome(feed("b", "2", "jobs"))},
			want:     []string{"a", "b"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := distinct(test.outcomes)
			var kept []string
			for _, o := range got.list {
				kept = append(kept, o.Found.ID)
			}
			if diff := cmp.Diff(test.want, kept); diff != "" {
				t.Errorf("kept: %s", diff)
			}
			var repeats map[string]string
			for _, r := range got.repeats {
				if repeats == nil {
					repeats = map[string]string{}
				}
				repeats[r.found.ID] = r.of.ID
			}
			if diff := cmp.Diff(test.repeats, repeats); diff != "" {
				t.Errorf("repeats: %s", diff)
			}
		})
	}
}

// TestReportQuotesNoCommand holds that what a command printed stays on the
// terminal.
func TestReportQuotesNoCommand(t *testing.T) {
	t.Parallel()
	said := diag.List{diag.Warnf(discover.CodeComplaint, "It complained", "PGPASSWORD=hunter2"), diag.Warnf("X1", "Other", "words")}
	report := (&run{}).report(discover.Result{}, nil, nil, &assembly{}, said)
	if got := report.Diagnostics[0].Detail; strings.Contains(got, "hunter2") || report.Diagnostics[1].Detail != "words" {
		t.Errorf("got %q and %q", got, report.Diagnostics[1].Detail)
	}
	if said[0].Detail != "PGPASSWORD=hunter2" {
		t.Error("the terminal's has changed")
	}
}

// TestReportNamesAll holds that everything found is in the report, and what
// reading said of it.
func TestReportNamesAll(t *testing.T) {
	t.Parallel()
	partly := outcome(feed("a", "1", "news"))
	partly.Diagnostics = diag.List{diag.Errorf("X1", "A companion is out of reach", "")}
	lost := []repeat{{found: discover.Found{Type: "x_feed", ID: "b"}, of: partly.Found}}
	report := (&run{}).report(discover.Result{}, []read.Outcome{partly}, lost, &assembly{}, nil)
	got := map[string]string{}
	for _, r := range report.Resources {
		if r.Outcome != write.Failed {
			t.Errorf("%s: outcome %s", r.ID, r.Outcome)
		}
		got[r.ID] = r.Reason
	}
	want := map[string]string{"a": "A companion is out of reach", "b": "Found twice, and failed"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestLeaveOut holds that what is managed already goes, with all that it was
// found as, and nothing else.
func TestLeaveOut(t *testing.T) {
	t.Parallel()
	along := feed("a", "9", "along")
	along.Type = "x_part"
	all := distinct([]read.Outcome{
		outcome(feed("a", "1", "news"), along), outcome(feed("b", "1", "news")), outcome(feed("c", "2", "jobs")), outcome(feed("d", "2", "jobs")),
	})
	rest, left := all.leaveOut(func(objects []Known) []Manager {
		out := make([]Manager, len(objects))
		for i, o := range objects {
			if o.Type == "x_feed" && o.Traces[1].ID == "a" {
				out[i] = Manager{Address: "x_feed.own", File: "own.tf"}
			}
		}
		return out
	})
	var kept, gone []string
	for _, o := range rest.list {
		kept = append(kept, o.Type+" "+o.Found.ID)
	}
	for _, m := range left {
		r := m.report(secrets{})
		gone = append(gone, r.Type+" "+r.ID+": "+r.Reason)
	}
	if diff := cmp.Diff([]string{"x_feed c", "x_part a"}, kept); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"x_feed a: already managed by own.tf", "x_feed b: already managed by own.tf"}, gone); diff != "" {
		t.Error(diff)
	}
	if len(rest.repeats) != 1 || rest.repeats[0].found.ID != "d" {
		t.Errorf("repeats: %v", rest.repeats)
	}
}
