package tfverify

import (
	"bytes"
	"cmp"
	"net/url"
	"os"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
)

// defaultWorkspace is the one that is always there.
const defaultWorkspace = "default"

// UseEnvironment sets what the clients take from variables of their
// environment, and from files that those lead to: where the data directory is,
// and which workspace is selected.
func (r *Request) UseEnvironment(lookup func(name string) string) diag.List {
	if dir := lookup("TF_DATA_DIR"); dir != "" {
		r.Options.DataDir = within(r.Dir, dir)
	}
	var diags diag.List
	r.Workspace, diags = selectedWorkspace(r.Dir, r.Options, lookup)
	return diags
}

// selectedWorkspace is the workspace that a variable or else a file names.
func selectedWorkspace(dir string, opts tfconfig.Options, lookup func(name string) string) (string, diag.List) {
	if name := lookup("TF_WORKSPACE"); name != "" {
		if url.PathEscape(name) != name {
			return "", diag.List{invalidWorkspace(name)}
		}
		return name, nil
	}
	text, _ := os.ReadFile(opts.DataPath(dir, "environment")) // the clients, too, go by what they get
	return cmp.Or(string(bytes.TrimSpace(text)), defaultWorkspace), nil
}
