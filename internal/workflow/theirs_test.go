package workflow

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/importer"
	"github.com/formation-iac/formation/internal/importer/write"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfstate"
)

// TestTheirs holds that what files of the user's own manage is told from what
// an import wrote, and known again.
func TestTheirs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"own.tf":          "resource \"x_a\" \"own\" {}\nmodule \"part\" {}\nmoved {\n  from = x_a.before\n  to = x_a.own\n}\ndata \"x_a\" \"d\" {}\nresource \"x_a\" \"both\" {}\n",
		"own.tf.json":     `{"resource": {"x_a": {"json": {}}}}`,
		"own_override.tf": `resource "x_a" "ours" {}`,
		"broken.tf":       `resource "x_a" {`,
		"notes.txt":       `resource "x_a" "ours" {}`,
		".hidden.tf":      `resource "x_a" "ours" {}`, // clients pass it over
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	state := &tfstate.State{Resources: []tfstate.Resource{
		inState("", "ours", "1"), inState("", "both", "2"), inState("", "own", "3"), inState("", "before", "4"),
		inState("", "json", "5"), inState(`module.part["k"].module.inner`, "deep", "6"), inState("module.other", "own", "7"),
	}}
	state.Resources[2].Instances[0].Key = cty.StringVal("k")
	e := earlier{report: new(reportOf(imported("x_a.both", "2", "")))}
	declared := ownBlocks(dir, []string{".hidden.tf", "broken.tf", "notes.txt", "own.tf", "own.tf.json", "own_override.tf", "gone.tf"})
	e.report.Resources = append(e.report.Resources,
		write.ResourceReport{Type: "x_a", Address: `x_a.own["elsewhere"]`, ID: "8", Outcome: write.Managed, ManagedBy: "own.tf"},
		write.ResourceReport{Type: "x_a", Address: "x_a.forgotten", ID: "9", Outcome: write.Managed, ManagedBy: "gone.tf"})
	e.recall(declared)
	ours := e.split(state, declared)
	var left []string
	for _, r := range ours.Resources {
		left = append(left, r.String())
	}
	if diff := cmp.Diff([]string{"x_a.ours", "x_a.both", "module.other.x_a.own"}, left); diff != "" {
		t.Error(diff)
	}
	objects := []importer.Known{}
	for _, id := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"} {
		objects = append(objects, importer.Known{Type: "x_a", Traces: []importer.Trace{{ID: id}}})
	}
	want := []importer.Manager{
		{}, {}, {Address: `x_a.own["k"]`, File: "own.tf"}, {Address: "x_a.before", File: "own.tf"}, {Address: "x_a.json", File: "own.tf.json"},
		{Address: `module.part["k"].module.inner.x_a.deep`, File: "own.tf"}, {}, {Address: `x_a.own["elsewhere"]`, File: "own.tf"}, {},
	}
	if diff := cmp.Diff(want, e.theirs.managing(objects)); diff != "" {
		t.Error(diff)
	}
	e.state = ours
	if losses := e.losses(write.Module{Report: reportOf(imported("x_a.both", "2", ""), imported("x_a.ours", "1", ""))}); len(losses) > 1 {
		t.Errorf("what is theirs is lost: %v", losses)
	}
	if got := e.continued(&tfstate.State{}); len(got.Resources) != 4 {
		t.Errorf("%d of their resources stay in the state", len(got.Resources))
	}
}

func inState(module, name, id string) tfstate.Resource {
	attributes, _ := json.Marshal(map[string]string{"id": id})
	return tfstate.Resource{
		Module: module, Addr: tfaddr.Resource{Mode: tfaddr.Managed, Type: "x_a", Name: name},
		Instances: []tfstate.Instance{{Attributes: attributes}},
	}
}

func TestBlockOf(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"x_a.n": "x_a.n", `x_a.n["a.b[0]"]`: "x_a.n", "x_a.n[0]": "x_a.n", "module.m.x_a.n": "module.m", `module.m["k.l"].module.o.x_a.n`: "module.m",
		"data.x_a.n": "data.x_a.n", "data.x_a.n[1]": "data.x_a.n", "module.m.data.x_a.n": "module.m", "": "", "x": "x", "x.": "x.", "[": "[",
	} {
		if got := blockOf(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

// TestIsEmpty tells a provider block of nothing, which takes all from the
// environment, from one that says something.
func TestIsEmpty(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config cty.Value
		want   bool
	}{
		"null":    {cty.NullVal(cty.EmptyObject), true},
		"nothing": {cty.ObjectVal(map[string]cty.Value{"a": cty.NullVal(cty.String), "b": cty.ListValEmpty(cty.String)}), true},
		"a value": {cty.ObjectVal(map[string]cty.Value{"a": cty.StringVal("")}), false},
		"unknown": {cty.ObjectVal(map[string]cty.Value{"a": cty.UnknownVal(cty.String)}), false},
	} {
		if got := isEmpty(test.config); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
