package tfverify

import (
	"bytes"
	"cmp"
	"net/url"
	"os"
	"slices"
	"strings"

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
	return append(diags, r.checkArguments(lookup)...)
}

// checkArguments names what variables of the environment tell a plan to do
// otherwise.
func (r *Request) checkArguments(lookup func(name string) string) (diags diag.List) {
	for _, name := range []string{"TF_CLI_ARGS", "TF_CLI_ARGS_plan"} {
		for _, word := range strings.Fields(lookup(name)) {
			flag, isFlag := strings.CutPrefix(strings.TrimLeft(word, `"'`), "-")
			if flag = strings.TrimLeft(flag, "-"); isFlag && !slices.Contains(idleFlags(), flagName(flag)) {
				diags = append(diags, notTakenOver(name, "has -"+flagName(flag)))
			}
		}
	}
	if r.StatePath == "" && lookup("TF_ENCRYPTION") != "" {
		diags = append(diags, notTakenOver("TF_ENCRYPTION", "sets how states are encrypted"))
	}
	return diags
}

// flagName is a flag without its value; with it where the value is the one
// that flags have which are not given.
func flagName(flag string) string {
	switch flag = strings.TrimRight(flag, `"'`); flag {
	case "refresh=true", "refresh-only=false", "destroy=false":
		return flag
	}
	name, _, _ := strings.Cut(flag, "=")
	return name
}

// idleFlags are those that leave a plan what it is.
func idleFlags() []string {
	return []string{
		"compact-warnings", "concise", "consolidate-errors", "consolidate-warnings", "deprecation", "detailed-exitcode",
		"generate-config-out", "input", "json", "json-into", "lock", "lock-timeout", "no-color", "out", "parallelism",
		"show-sensitive", "refresh=true", "refresh-only=false", "destroy=false",
	}
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
