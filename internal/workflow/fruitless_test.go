package workflow

import (
	"strings"
	"testing"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/importer/read"
	"github.com/formation-iac/formation/internal/importer/write"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// TestFruitless holds that the advice fits the first reason, and repeats none
// that the reason gives itself.
func TestFruitless(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		tfprovider.CodeProvider:    "see that it reaches what it should",
		read.CodeGone:              "the ids have the form",
		tfprovider.CodeCrashed:     "another version of it",
		tfprovider.CodeMalformed:   "another version of it",
		tfprovider.CodeUnsupported: "--ids",
		"RD0003":                   "",
	} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			got := fruitless(write.Module{Report: write.Report{Resources: []write.ResourceReport{
				{Type: "x_a", ID: "1", Outcome: write.Failed, Diagnostics: diag.List{diag.Warnf("W", "beside", ""), diag.Errorf(code, "Why", "Because.")}},
				{Type: "x_b", ID: "2", Outcome: write.Failed, Diagnostics: diag.List{diag.Errorf("ZZ0000", "Another", "")}},
			}}})
			if got == nil {
				t.Fatal("no error")
			}
			_, advice, found := strings.Cut(got.Detail, "Objects that could not be imported: 2, which is all. The first reason:\nx_a 1: Why\nBecause.\nNothing was written.")
			if !found || !strings.Contains(advice, want) || (want == "") != (advice == "") {
				t.Errorf("%s", got.Detail)
			}
		})
	}
	partly := write.Module{Report: write.Report{Resources: []write.ResourceReport{{Outcome: write.Failed, Diagnostics: diag.List{diag.Errorf("A", "a", "")}}, {Outcome: write.Imported}}}}
	if got := fruitless(partly); got != nil {
		t.Errorf("something was imported: %v", got)
	}
}
