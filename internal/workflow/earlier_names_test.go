package workflow

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/importer"
	"github.com/formation-iac/formation/internal/importer/write"
	"github.com/formation-iac/formation/internal/tf/tfstate"
)

// seen is an object of x_a with one trace for each pair of an id and an
// identity.
func seen(pairs ...string) importer.Known {
	out := importer.Known{Type: "x_a"}
	for i := 0; i < len(pairs); i += 2 {
		out.Traces = append(out.Traces, importer.Trace{ID: pairs[i], Identity: json.RawMessage(pairs[i+1])})
	}
	return out
}

// TestRenamed holds that another address is seen where a state of others may
// have the one before, and that a lost object is no renamed one.
func TestRenamed(t *testing.T) {
	t.Parallel()
	before := reportOf(imported("x_a.m", "2", ""), imported("x_a.n", "1", ""), imported("x_a.lost", "3", ""))
	now := write.Module{Report: reportOf(imported("x_a.m", "2", ""), imported("x_a.o", "1", ""), imported("x_b.lost", "3", ""))}
	for handover, want := range map[string][]string{
		write.HandoverState: nil, write.HandoverBlocks: {"x_a.n: now x_a.o"}, write.HandoverBoth: {"x_a.n: now x_a.o"},
	} {
		before.Handover = handover
		if d := cmp.Diff(want, earlier{report: &before}.renamed(now)); d != "" {
			t.Errorf("%s: %s", handover, d)
		}
	}
	if got := (earlier{}).renamed(now); got != nil {
		t.Errorf("without an earlier import: %s", got)
	}
}

func TestEarlierNames(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		report  []write.ResourceReport
		state   *tfstate.State
		objects []importer.Known
		want    []string
	}{
		"first import": {objects: []importer.Known{seen("1", "")}, want: []string{""}},
		"by id": {
			report:  []write.ResourceReport{imported("x_a.keepme", "keepme", "")},
			objects: []importer.Known{seen("Keepme", ""), seen("keepme", "")}, want: []string{"", "keepme"},
		},
		"by identity, whatever its form": {
			report:  []write.ResourceReport{imported("x_a.n", "", `{"b":1,"a":"q","c":null}`)},
			objects: []importer.Known{seen("", `{"a":"q","b":1}`)}, want: []string{"n"},
		},
		"by the state": {state: stateOf("x_a", "n", `{"id":"1"}`, ""), objects: []importer.Known{seen("eu/1", "", "1", "")}, want: []string{"n"}},
		"of another type": {
			report: []write.ResourceReport{imported("x_b.n", "1", "")}, state: stateOf("x_b", "n", `{"id":"1"}`, ""),
			objects: []importer.Known{seen("1", "")}, want: []string{""},
		},
		"one id, two identities": {
			report:  []write.ResourceReport{imported("x_a.n", "1", `{"a":"q"}`), imported("x_a.m", "1", `{"a":"r"}`)},
			objects: []importer.Known{seen("1", `{"a":"r"}`), seen("1", `{"a":"q"}`)}, want: []string{"m", "n"},
		},
		"one id, the other identity": {
			report:  []write.ResourceReport{imported("x_a.n", "1", `{"a":"q"}`)},
			objects: []importer.Known{seen("1", `{"a":"r"}`)}, want: []string{""},
		},
		"one id, a part of the identity": {
			report:  []write.ResourceReport{imported("x_a.n", "1", `{"a":"q"}`)},
			objects: []importer.Known{seen("1", `{"a":"q","b":"r"}`)}, want: []string{"n"},
		},
		"one id of two objects": {
			report:  []write.ResourceReport{imported("x_a.n", "1", "")},
			objects: []importer.Known{seen("1", ""), seen("1", "")}, want: []string{"", ""},
		},
		"one id of two resources": {
			report:  []write.ResourceReport{imported("x_a.n", "1", ""), imported("x_a.m", "1", "")},
			objects: []importer.Known{seen("1", "")}, want: []string{""},
		},
		"found twice, now apart": {
			report:  []write.ResourceReport{imported("x_a.n", "1", ""), imported("x_a.n", "2", "")},
			objects: []importer.Known{seen("1", ""), seen("2", "")}, want: []string{"", ""},
		},
		"an id in common, and an identity in the state": {
			report: []write.ResourceReport{imported("x_a.n", "1", ""), imported("x_a.m", "1", "")}, state: stateOf("x_a", "m", `{"id":"1"}`, `{"k":"b"}`),
			objects: []importer.Known{seen("1", `{"k":"b"}`), seen("1", `{"k":"a"}`)}, want: []string{"m", ""},
		},
		"a word for an id in every state": {
			report: []write.ResourceReport{imported("x_a.n", "1", "")}, state: stateOf("x_a", "n", `{"id":"none"}`, ""),
			objects: []importer.Known{seen("2", "", "none", "")}, want: []string{""},
		},
		"an instance of many": {
			report:  []write.ResourceReport{imported("x_a.n[0]", "1", "")},
			objects: []importer.Known{seen("1", "")}, want: []string{""},
		},
		"not imported": {
			report:  []write.ResourceReport{{Type: "x_a", Address: "x_a.n", ID: "1", Outcome: write.Failed}},
			objects: []importer.Known{seen("1", "")}, want: []string{""},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := earlier{report: new(reportOf(test.report...)), state: test.state}.names(test.objects)
			if d := cmp.Diff(test.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}
