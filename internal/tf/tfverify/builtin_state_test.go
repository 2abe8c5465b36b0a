package tfverify

import "testing"

// TestRemoteState: the outputs of a state that a local backend has are read, as
// terraform and tofu read them.
func TestRemoteState(t *testing.T) {
	t.Parallel()
	const (
		other = "\n-- other/x.tfstate --\n" + `{"version":4,"terraform_version":"1.5.0","serial":1,"lineage":"o","outputs":{"name":{"value":"x","type":"string"},"hidden":{"value":"x","type":"string","sensitive":true}},"resources":[]}` +
			"\n-- spaces/w/terraform.tfstate --\n" + `{"version":4,"terraform_version":"1.5.0","serial":1,"lineage":"w","outputs":{"name":{"value":"y","type":"string"}},"resources":[]}`
		same = "no-op mem_thing.a; proven"
		gap  = "unevaluated data.terraform_remote_state.r TV0022; unevaluated mem_thing.a TV0022"
	)
	state := func(backend, body, name string) string {
		return "data \"terraform_remote_state\" \"r\" {\n backend = " + backend + "\n" + body + "\n}\nresource \"mem_thing\" \"a\" { name = data.terraform_remote_state.r.outputs." + name + " }\n"
	}
	failed := func(code string) string {
		return "failed data.terraform_remote_state.r " + code + "; unevaluated mem_thing.a " + code
	}
	for name, c := range map[string]struct{ files, want string }{
		"output":           {state(`"local"`, `config = { path = "other/x.tfstate" }`, "name"), same},
		"sensitive output": {state(`"local"`, `config = { path = "${path.module}/other/x.tfstate" }`, "hidden"), same},
		"another workspace": {state(`"local"`, "config = { path = \"other/x.tfstate\", workspace_dir = \"spaces\" }\nworkspace = \"w\"", "name"),
			"update mem_thing.a"},
		"default":            {state(`"local"`, "config = tomap({ path = \"other/x.tfstate\" })\ndefaults = { none = \"x\", name = \"z\" }", "none"), same},
		"no such output":     {state(`"local"`, `config = { path = "other/x.tfstate" }`, "none"), "failed mem_thing.a TL0001"},
		"no state":           {state(`"local"`, `config = { path = "none.tfstate" }`, "name"), failed("TV0127")},
		"no state, defaults": {state(`"local"`, "config = { path = \"none.tfstate\" }\ndefaults = { name = \"x\" }", "name"), failed("TV0127")},
		"unknown setting":    {state(`"local"`, `config = { paths = "other/x.tfstate" }`, "name"), failed("TV0126")},
		"empty path":         {state(`"local"`, `config = { path = "" }`, "name"), failed("TV0126")},
		"no object":          {state(`"local"`, `config = ["other/x.tfstate"]`, "name"), failed("TV0126")},
		"defaults, no object": {state(`"local"`, "config = { path = \"other/x.tfstate\" }\ndefaults = \"x\"", "name"),
			failed("TV0126")},
		"another backend": {state(`"s3"`, `config = { bucket = "x" }`, "name"), gap},
		"no backend":      {thingA + "data \"terraform_remote_state\" \"r\" {\n count = 0\n backend = \"nope\"\n}\n", "no-op mem_thing.a; error TV0126"},
		"encrypted":       {state(`"local"`, `config = { path = "other/x.tfstate" }`, "name") + "terraform {\n encryption {}\n}\n", gap},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSetting(t, header+"-- main.tf --\n"+c.files+other).object(t, "mem_thing.a", "x")
			named := func(r *Request) { r.StatePath = s.dir + "/terraform.tfstate" }
			if got := outcome(s.verify(t, named)); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}
