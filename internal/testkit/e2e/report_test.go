package e2e_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// report is what these tests read of report.json, written from the format's
// documentation and not from the program's own types.
type report struct {
	Summary struct {
		Found, Imported, Failed, Links, Variables int
		NoOp                                      int `json:"no_op"`
		Settled                                   int `json:"settled_attributes"`
	}
	Resources []struct {
		Type, Address, ID, Source, Outcome, Reason string
		NoOp                                       bool `json:"no_op"`
		Settled, Ignored, Wavering                 []string
		Links                                      []struct{ Path, Target, Rule string }
		Unlinked                                   []struct{ Path, Reason, Rule string }
		Diagnostics                                []diagnostic
	}
	Variables []struct {
		Name, Owner, Path string
		Sensitive         bool
		StandIn           bool `json:"stand_in"`
	}
	Types struct {
		Enumerated    []string
		NeedConfig    []string `json:"need_configuration"`
		NotEnumerable []string `json:"not_enumerable"`
		Failed        []struct {
			Type        string
			Diagnostics []diagnostic
		}
	}
}

type diagnostic struct{ Severity, Code, Summary, Detail, Address string }

// loadReport reads the report of an import.
func loadReport(t testing.TB, dir string) report {
	t.Helper()
	var r report
	if err := json.Unmarshal([]byte(get(t, filepath.Join(dir, "report.json"))), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// failures are the resources that are not imported and proven: "type id" to
// the reason with all that the diagnostics say.
func (r report) failures() map[string]string {
	out := map[string]string{}
	for _, res := range r.Resources {
		if res.NoOp {
			continue
		}
		text := res.Outcome + ": " + res.Reason
		for _, d := range res.Diagnostics {
			text += "\n" + d.Summary + ": " + d.Detail
		}
		out[strings.TrimSpace(res.Type+" "+res.ID)] = text
	}
	return out
}
