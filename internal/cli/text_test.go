package cli

import (
	"testing"

	"github.com/formation-iac/formation/internal/tf/tfverify"
)

func TestCountsText(t *testing.T) {
	t.Parallel()
	r := tfverify.Report{
		Counts:  map[tfverify.Verdict]int{tfverify.NoOp: 47},
		Outputs: []tfverify.Output{{Name: "a", Verdict: tfverify.Update}, {Name: "b", Verdict: tfverify.NoOp}},
	}
	if got, want := countsText(r), "47 no-op, outputs that are no no-op: 1"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
