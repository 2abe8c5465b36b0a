package tfverify

import (
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
)

// checkTofuFiles names the files that Terraform leaves alone: what is verified
// is what OpenTofu reads. Where the state is one of Terraform's, that is not
// what was asked for; where it does not tell whose it is, it may not be.
func checkTofuFiles(tree *tfconfig.Tree, state *stateIndex) diag.List {
	var files []string
	terraforms, plain := false, false
	tree.Walk(func(t *tfconfig.Tree) {
		if t.Module == nil {
			return
		}
		for _, name := range sortedKeys(t.Module.Sources) {
			if tfconfig.IsTofuFile(name) {
				files = append(files, name)
			} else {
				plain = true
			}
		}
		for _, p := range t.Module.Required {
			short := strings.Count(p.Source, "/") < 2
			terraforms = terraforms || short && p.Provider.Host == terraformHost
		}
	})
	switch {
	case len(files) == 0:
		return nil
	case terraforms:
		return diag.List{terraformReadsOther(files[0])}
	case plain && !state.has(tfaddr.DefaultHost):
		return diag.List{terraformMayReadOther(files[0])}
	}
	return nil
}
