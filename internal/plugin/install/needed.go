package install

import (
	"path/filepath"
	"slices"

	"github.com/blang/semver/v4"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// Needed is a plugin that somebody needs, and where it is. One of Cached and
// Path is set, or neither where the plugin is nowhere.
type Needed struct {
	Kind plugin.Kind
	// Name is the one that the cache knows it by, or that of a path.
	Name string
	// Version is the one that is named, or ""; that of Cached counts more.
	Version string
	// Cached is the plugin in the cache, installed or not.
	Cached *Listed
	// Path is where it is outside of the cache: on the PATH, beside a program,
	// or in a directory of the user's.
	Path string
	// Get is the command that installs a plugin which is nowhere; or "" where
	// there is none, as it comes with a program.
	Get string
}

// Needed tells where what descriptors mean is on this machine, and asks nobody
// else. listed is all that the cache has, and asker the project where they
// stand. What is needed twice comes once, in the order of the descriptors.
func (i *Installer) Needed(listed []Listed, asker *project.Manifest, wanted []plugin.Descriptor) ([]Needed, diag.List) {
	var out []Needed
	var diags diag.List
	for _, d := range wanted {
		found, m, more := i.resolveHere(d, asker, true)
		if diags = append(diags, more...); more.HasErrors() {
			continue
		}
		n := Needed{Kind: d.Kind, Name: d.Source}
		switch {
		case m != nil:
			n = nowhere(listed, *m)
		case found.Local != "":
			n.Path, n.Version = found.Local, namedVersion(d)
			if !found.AsIs {
				n.Name = filepath.Base(found.Local)
			}
		default:
			n.Name, n.Version, n.Cached = found.Plugin.CacheName(), found.Plugin.Version.String(), inList(listed, found.Plugin)
		}
		if !slices.ContainsFunc(out, n.same) {
			out = append(out, n)
		}
	}
	return out, diags
}

// same reports whether two are one plugin. What is outside of the cache stands
// for any version as well.
func (n Needed) same(other Needed) bool {
	versions := n.Version == other.Version || n.Path != "" && (n.Version == "" || other.Version == "")
	return n.Kind == other.Kind && n.Name == other.Name && n.Path == other.Path && versions
}

// namedVersion is the version that a descriptor names; or "".
func namedVersion(d plugin.Descriptor) string {
	if v, ok := d.Constraint.Version(); ok {
		return v.String()
	}
	return ""
}

// nowhere is what is not on this machine under the name by which it is wanted.
// It may be there by the name that a registry gives it, or only half.
func nowhere(listed []Listed, m meaning) Needed {
	name := m.likely.CacheName()
	n := Needed{Kind: m.descriptor.Kind, Name: name, Version: namedVersion(m.descriptor)}
	var versions []semver.Version
	for _, l := range listed {
		if l.Kind == n.Kind && l.Name == name {
			versions = append(versions, l.Version)
		}
	}
	if v, ok := m.descriptor.Constraint.Select(versions); ok {
		m.likely.Version = v
		n.Version, n.Cached = v.String(), inList(listed, m.likely)
	} else if unpublished(m.likely) == nil {
		n.Get = getting(m.descriptor)
	}
	return n
}

func inList(listed []Listed, p plugin.Concrete) *Listed {
	for at, l := range listed {
		if l.Kind == p.Kind && l.Name == p.CacheName() && l.Version.String() == p.Version.String() {
			return &listed[at]
		}
	}
	return nil
}
