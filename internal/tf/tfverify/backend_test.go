package tfverify

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
)

// TestLocalState holds the place of the state against the clients' rules. The
// notes are those that tofu left after init.
func TestLocalState(t *testing.T) {
	t.Parallel()
	const (
		partial    = "-- .terraform/terraform.tfstate --\n{\"version\": 3, \"backend\": {\"type\": \"local\", \"config\": {\"path\": \"sub/y.tfstate\", \"workspace_dir\": null}, \"hash\": 666019178}}\n"
		whole      = "-- .terraform/terraform.tfstate --\n{\"version\": 3, \"backend\": {\"type\": \"local\", \"config\": {\"path\": \"sub/x.tfstate\", \"workspace_dir\": \"wsd\"}, \"hash\": 532899246}}\n"
		remote     = "-- .terraform/terraform.tfstate --\n{\"version\": 3, \"backend\": {\"type\": \"s3\", \"config\": {}, \"hash\": 1}}\n"
		unused     = "-- .terraform/terraform.tfstate --\n{\"version\": 3}\n"
		other      = "-- .terraform/environment --\nother\n"
		emptyBlock = "terraform {\n backend \"local\" {}\n}\n"
	)
	block := func(inner string) string { return "terraform {\n backend \"local\" {\n" + inner + "\n}\n}\n" }
	for name, c := range map[string]struct {
		main, files, env, want string
	}{
		"default":                       {want: "terraform.tfstate"},
		"a workspace":                   {files: other, want: "terraform.tfstate.d/other/terraform.tfstate"},
		"a workspace of the variable":   {files: other, env: "mine", want: "terraform.tfstate.d/mine/terraform.tfstate"},
		"an impossible workspace":       {env: "a/../b", want: "TV0085"},
		"path":                          {main: block(`path = "a.tfstate"`), want: "a.tfstate"},
		"path is for the default alone": {main: block(`path = "a.tfstate"`), files: other, want: "terraform.tfstate.d/other/terraform.tfstate"},
		"workspace_dir":                 {main: block(`workspace_dir = "w"`), files: other, want: "w/other/terraform.tfstate"},
		"empty path":                    {main: block(`path = ""`), want: "TV0116"},
		"no such argument":              {main: block(`pth = "a.tfstate"`), want: "TL0001"},
		"completed by init":             {main: emptyBlock, files: partial, want: "sub/y.tfstate"},
		"changed after init":            {main: block(`path = "a.tfstate"`), files: partial, want: "TV0084"},
		"completed, then written":       {main: block(`path = "sub/y.tfstate"`), files: partial, want: "sub/y.tfstate"},
		"set up as written":             {main: block("path = \"sub/x.tfstate\"\nworkspace_dir = \"wsd\""), files: whole + other, want: "wsd/other/terraform.tfstate"},
		"less written than set up":      {main: block(`path = "sub/x.tfstate"`), files: whole, want: "TV0084"},
		"set up and taken away":         {files: partial, want: "TV0084"},
		"another was set up":            {main: emptyBlock, files: remote, want: "TV0084"},
		"another is written":            {main: "terraform {\n backend \"s3\" {}\n}\n", files: partial, want: "TV0030"},
		"nothing was set up":            {main: block(`path = "a.tfstate"`), files: unused, want: "a.tfstate"},
		"a note that is none":           {files: "-- .terraform/terraform.tfstate --\n{", want: "TV0083"},
		"a note at another place":       {main: emptyBlock, files: "-- data/environment --\nother\n" + partial, env: "@data", want: "terraform.tfstate.d/other/terraform.tfstate"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSetting(t, "-- main.tf --\n"+c.main+c.files)
			if diff := cmp.Diff(c.want, s.localState(t, c.env)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// localState is where the state is, with a workspace in the environment or,
// behind an @, a data directory; or the code of why that cannot be told.
func (s *setting) localState(t *testing.T, env string) string {
	t.Helper()
	req := Request{Dir: s.dir}
	diags := req.UseEnvironment(func(name string) string {
		switch dataDir := len(env) > 0 && env[0] == '@'; {
		case name == "TF_DATA_DIR" && dataDir:
			return env[1:]
		case name == "TF_WORKSPACE" && !dataDir:
			return env
		}
		return ""
	})
	module, more := tfconfig.LoadModule(s.dir, req.Options)
	diags = append(diags, more...)
	var path string
	if !diags.HasErrors() {
		path, diags = localState(req.withDefaults(), module.Backend)
	}
	if diags.HasErrors() {
		return codeOf(diags)
	}
	path, err := filepath.Rel(s.dir, path)
	if err != nil {
		t.Fatal(err)
	}
	return filepath.ToSlash(path)
}

func codeOf(diags diag.List) string { return diags.Errors()[0].Code }
