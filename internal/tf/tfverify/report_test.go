package tfverify

import (
	"encoding/json"
	"testing"
)

// TestReportHasItsLists also where nothing was verified.
func TestReportHasItsLists(t *testing.T) {
	t.Parallel()
	for name, main := range map[string]string{"nothing": "locals {}", "no state": "terraform {\n backend \"s3\" {}\n}", "cycle": "locals {\n a = local.a\n}"} {
		report, _ := newSetting(t, header+"-- main.tf --\n"+main+"\n").verify(t, nil)
		report.Proven = false
		got, err := json.Marshal(report)
		if want := `{"proven":false,"counts":{},"resources":[],"outputs":[],"gaps":[]}`; err != nil || string(got) != want {
			t.Errorf("%s: %s %v", name, got, err)
		}
	}
}
