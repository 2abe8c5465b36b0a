package tfverify

import (
	"fmt"

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

// checkReleases reports that no known client reads all modules of a tree: a
// proof is one for the clients that do.
func checkReleases(tree *tfconfig.Tree) diag.List {
	var met []*tfconfig.ClientConstraint
	var diags diag.List
	tree.Walk(func(t *tfconfig.Tree) {
		if t.Module == nil {
			return
		}
		for _, c := range t.Module.RequiredVersions {
			if met = append(met, c); len(diags) == 0 && !anyRelease(met) {
				diags = diag.List{unmetRelease(c.Text, newestTerraform, newestOpenTofu, c.Range)}
			}
		}
	})
	return diags
}

// anyRelease reports whether a release of a client meets all constraints.
func anyRelease(constraints []*tfconfig.ClientConstraint) bool {
	for minor := newestTerraform; minor >= 0; minor-- {
		for patch := range mostPatches {
			if meets(minor, patch, constraints) {
				return true
			}
		}
	}
	return false
}

// meets reports whether Terraform or OpenTofu 1.minor.patch meets all
// constraints. What is for OpenTofu alone, Terraform does not read.
func meets(minor, patch int, constraints []*tfconfig.ClientConstraint) bool {
	release := version.Must(version.NewVersion(fmt.Sprintf("1.%d.%d", minor, patch)))
	isTofu := minor >= oldestOpenTofu && minor <= newestOpenTofu
	own := false
	for _, c := range constraints {
		own = own || c.OpenTofu
	}
	for _, c := range constraints {
		ignored := own && !c.OpenTofu && minor >= tofuOnItsOwn
		if !ignored && !c.Allows(release) {
			return false
		}
	}
	return isTofu || !own
}
