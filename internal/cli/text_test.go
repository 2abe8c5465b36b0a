package cli

import (
	"testing"

	"github.com/formation-iac/formation/internal/tf/tfverify"
)

func TestShellWord(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"imported":     "imported",
		"../a-b/c_1.x": "../a-b/c_1.x",
		"my dir/it's":  `'my dir/it'\''s'`,
		"a;b":          "'a;b'",
		"~":            "'~'",
		"größe":        "größe",
	} {
		if got := shellWord(text); got != want {
			t.Errorf("%s is quoted as %s, want %s", text, got, want)
		}
	}
}

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
