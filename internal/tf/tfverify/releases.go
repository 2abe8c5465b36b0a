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

// The first minor release of OpenTofu that leaves required_version to
// Terraform, unless a file of its own has it. Source: OpenTofu 1.12.6,
// internal/configs/diagnostics.go.
const tofuOnItsOwn = 12

// release is one of a client's.
type release struct {
	openTofu bool
	minor    int
	version  *version.Version
}

func (r release) isTerraforms() bool { return !r.openTofu }

// meets reports whether a release reads what a constraint is on.
func (r release) meets(c *tfconfig.ClientConstraint) bool {
	leftAlone := r.openTofu && r.minor >= tofuOnItsOwn && !c.OpenTofu
	return leftAlone || c.Allows(r.version)
}

// constraintKey is what a constraint says.
type constraintKey struct {
	text     string
	openTofu bool
}

// checkReleases reports that no known client reads all modules of a tree: a
// proof is one for the clients that do. Where Terraform does not, that is for
// the state to say: it may be one of OpenTofu's.
func checkReleases(tree *tfconfig.Tree, state *stateIndex) diag.List {
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
	var openTofuAlone *tfconfig.ClientConstraint // the first that no Terraform meets
	for _, c := range all {
		key := constraintKey{c.Text, c.OpenTofu}
		if met[key] {
			continue // modules of one author mostly say the same
		}
		met[key] = true
		left = slices.DeleteFunc(left, func(r release) bool { return !r.meets(c) })
		if len(left) == 0 {
			return diag.List{unmetRelease(c.Text, newestTerraform, newestOpenTofu, c.Range)}
		}
		if openTofuAlone == nil && !slices.ContainsFunc(left, release.isTerraforms) {
			openTofuAlone = c
		}
	}
	switch {
	case own || openTofuAlone == nil || state.isOpenTofus():
		return nil
	case state.has(terraformHost):
		return diag.List{unmetTerraform(openTofuAlone.Text, newestTerraform, openTofuAlone.Range)}
	}
	return diag.List{forOpenTofu(openTofuAlone.Text, newestTerraform, openTofuAlone.Range)}
}

// knownReleases are those of Terraform and OpenTofu, or of OpenTofu alone:
// what is for that, Terraform does not read.
func knownReleases(own bool) []release {
	out := releases(true, oldestOpenTofu, newestOpenTofu)
	if own {
		return out
	}
	return append(out, releases(false, 0, newestTerraform)...)
}

// releases are those of one client.
func releases(openTofu bool, first, last int) []release {
	var out []release
	for minor := first; minor <= last; minor++ {
		for patch := range mostPatches {
			out = append(out, release{openTofu, minor, version.Must(version.NewVersion(fmt.Sprintf("1.%d.%d", minor, patch)))})
		}
	}
	return out
}
