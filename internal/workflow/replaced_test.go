package workflow

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/base/outtree"
	"github.com/formation-iac/formation/internal/importer/write"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfstate"
)

func TestLostOf(t *testing.T) {
	t.Parallel()
	of := func(instances ...tfstate.Instance) *tfstate.State {
		return &tfstate.State{Resources: []tfstate.Resource{{Addr: tfaddr.Resource{Mode: tfaddr.Managed, Type: "x_a", Name: "n"}, Instances: instances}}}
	}
	with := func(attributes string) tfstate.Instance {
		return tfstate.Instance{Attributes: json.RawMessage(attributes)}
	}
	now := of(with(`{"big":12345678901234567890,"id":"1","list":[1,2],"new":"x","none":null}`))
	tainted, deposed := with(`{"id":"1"}`), with(`{"id":"2"}`)
	tainted.Status, deposed.Deposed = tfstate.StatusTainted, "0a1b2c3d"
	for name, test := range map[string]struct {
		was, now *tfstate.State
		want     []string
	}{
		"nothing":          {of(), now, nil},
		"the same":         {of(with(`{ "list": [1, 2], "id": "1", "big": 12345678901234567890, "gone": null }`)), now, nil},
		"others":           {of(with(`{"id":"2","list":[2,1],"big":12345678901234567891,"gone":false}`)), now, []string{"x_a.n: big, gone, id, list"}},
		"tainted":          {of(tainted), now, []string{"x_a.n: no longer tainted"}},
		"deposed":          {of(with(`{"id":"1"}`), deposed), now, []string{"x_a.n (deposed object 0a1b2c3d): not there any more"}},
		"gone":             {stateOf("x_a", "m", `{}`, ""), now, []string{"x_a.m: not there any more"}},
		"in another form":  {of(tfstate.Instance{Flatmap: map[string]string{"id": "2"}}), now, nil},
		"without a secret": {of(with(`{"id":"TOPSECRET"}`)), now, []string{"x_a.n: id"}},
	} {
		if d := cmp.Diff(test.want, lostOf(test.was, test.now)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// TestSetAside holds that a state is kept and spoken of where something else
// wrote it and it is not to stay, and nowhere else.
func TestSetAside(t *testing.T) {
	t.Parallel()
	encode := func(s tfstate.State) []byte {
		text, err := tfstate.Encode(&s)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	state := func(serial uint64, lineage string) tfstate.State {
		return tfstate.State{Serial: serial, Lineage: lineage, TerraformVersion: "1.11.4"}
	}
	ours, theirs := state(3, "l"), state(7, "l")
	for name, test := range map[string]struct {
		there tfstate.State
		next  *tfstate.State
		want  string // of what is said; "" is nothing
	}{
		"ours":              {ours, new(state(4, "l")), ""},
		"as it stands":      {theirs, &theirs, ""},
		"theirs":            {theirs, new(state(8, "l")), "serial 7, lineage \"l\", terraform_version \"1.11.4\". It was replaced by serial 8, and is kept as "},
		"without a lineage": {state(7, ""), new(state(1, "m")), "serial 7, no lineage, terraform_version \"1.11.4\". It was replaced by serial 1 of a new lineage, m, and"},
		"removed":           {theirs, nil, "too. An apply"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "out")
			written := &outtree.Tree{}
			if err := written.Add(write.StateFile, encode(ours), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, diags := outtree.Commit(t.Context(), dir, written, outtree.Options{}); diags.HasErrors() {
				t.Fatal(diags.Err())
			}
			text := encode(test.there)
			if err := os.WriteFile(filepath.Join(dir, write.StateFile), text, 0o600); err != nil {
				t.Fatal(err)
			}
			e := earlier{state: &test.there, options: outtree.Options{Merged: map[string][]byte{write.StateFile: text}}}
			tree := &outtree.Tree{}
			if test.next != nil {
				if err := tree.Add(write.StateFile, encode(*test.next), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			said, diags := e.setAside(dir, tree, test.next)
			if len(diags) > 0 {
				t.Fatal(diags.Err())
			}
			if copied, aside := tree.File(write.BackupFile); aside != (test.want != "") || aside && (string(copied.Data) != string(text) || copied.Mode != 0o600) {
				t.Errorf("set aside: %t, %v", aside, copied)
			}
			if (len(said) > 0) != (test.want != "") || len(said) > 0 && !strings.Contains(said[0].Detail, test.want) {
				t.Errorf("said: %v", said)
			}
		})
	}
}
