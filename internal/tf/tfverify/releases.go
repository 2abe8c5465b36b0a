package tfverify

import (
	"fmt"
	"slices"

	"github.com/hashicorp/go-version"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
)

// What is known of the clients' releases: those of version 1, up to these
// minor ones, with no more than so many patches each.
const (
	newestTerraform = 16
	oldestOpenTofu  = 6
	newestOpenTofu  = 12
	mostPatches     = 20
)

// The first release of OpenTofu that leaves required_version to Terraform,
// unless a file of its own has it. Source: OpenTofu 1.12.6,
// internal/configs/diagnostics.go.
const tofuOnItsOwn = 12

// release is one of a client's.
type release struct {
	minor   int
	version *version.Version
}

// constraintKey is what a constraint says.
type constraintKey struct {
	text     string
	openTofu bool
}

// checkReleases reports that no known client reads all modules of a tree: a
// proof is one for the clients that do.
func checkReleases(tree *tfconfig.Tree) diag.List {
	var all []*tfconfig.ClientConstraint
	tree.Walk(func(t *tfconfig.Tree) {
		if t.Module != nil {
			all = append(all, t.Module.RequiredVersions...)
		}
	})
	if len(all) == 0 {
		return nil
	}
	own := slices.ContainsFunc(all, func(c *tfconfig.ClientConstraint) bool { return c.OpenTofu })
	left, met := knownReleases(own), map[constraintKey]bool{}
	for _, c := range all {
		key := constraintKey{c.Text, c.OpenTofu}
		if met[key] {
			continue // modules of one author mostly say the same
		}
		met[key] = true
		left = slices.DeleteFunc(left, func(r release) bool {
			ignored := own && !c.OpenTofu && r.minor >= tofuOnItsOwn
			return !ignored && !c.Allows(r.version)
		})
		if len(left) == 0 {
			return diag.List{unmetRelease(c.Text, newestTerraform, newestOpenTofu, c.Range)}
		}
	}
	return nil
}

// knownReleases are those of Terraform and OpenTofu, or of OpenTofu alone:
// what is for that, Terraform does not read.
func knownReleases(openTofu bool) []release {
	first, last := 0, newestTerraform
	if openTofu {
		first, last = oldestOpenTofu, newestOpenTofu
	}
	var out []release
	for minor := first; minor <= last; minor++ {
		for patch := range mostPatches {
			out = append(out, release{minor, version.Must(version.NewVersion(fmt.Sprintf("1.%d.%d", minor, patch)))})
		}
	}
	return out
}
