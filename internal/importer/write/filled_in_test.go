package write

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"
)

// TestFilledIn holds that a value that was filled in is written, is asked for
// no more, and is shown nowhere.
func TestFilledIn(t *testing.T) {
	t.Parallel()
	m := small()
	m.Variables = []Variable{{Name: "v", Type: cty.String, StandIn: true, FilledIn: true, Value: cty.StringVal("synthetic")}}
	m.Report.Variables = []VariableReport{{Name: "v", Owner: "estate_user.u", Path: "password", StandIn: true}}
	m.Report.Resources = []ResourceReport{{Type: "estate_user", ID: "u", Outcome: Failed, Reason: "synthetic is too short"}}
	tree, diags := Files(m)
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	file, _ := tree.File(SecretsFile)
	if d := cmp.Diff("# "+secretsHeader+"\n# "+filledHeader+"\nv = \"synthetic\"\n", string(file.Data)); d != "" {
		t.Error(d)
	}
	r := m.FinalReport()
	if text := r.Text(TextOptions{}); strings.Contains(text, "Values to fill in") || strings.Contains(text, "synthetic") {
		t.Error(text)
	}
	if !r.Variables[0].FilledIn || !r.Variables[0].StandIn || m.Report.Variables[0].FilledIn {
		t.Errorf("%+v, made of %+v", r.Variables, m.Report.Variables)
	}
}

func TestNothingToWrite(t *testing.T) {
	t.Parallel()
	m := small()
	m.Resources, m.State = nil, nil
	tree, diags := Files(m)
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	for _, f := range tree.Files() {
		if strings.HasSuffix(f.Path, ".tf") && len(f.Data) == 0 {
			t.Errorf("%s is empty", f.Path)
		}
	}
	if _, there := tree.File("main.tf"); there {
		t.Error("there is a main.tf without resources")
	}
}
