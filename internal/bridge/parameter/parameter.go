// Package parameter is what a user or an SDK gives the bridge to say which
// Terraform provider it is to be: arguments of a command line, or the bytes in
// a generated SDK. Both become a [Parameter].
//
// It reads and writes; to find the provider is tfhost's business.
package parameter

import (
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
)

// Parameter says which Terraform provider a package is made of, and what of it.
type Parameter struct {
	// Provider is the address in a registry; zero where Path is given.
	Provider tfaddr.Provider
	// Version constrains the version of Provider, in Terraform's syntax; ""
	// asks for the newest. In an SDK it is an exact version.
	Version string
	// Path is a provider's executable on this machine, absolute, or "".
	Path string

	// Includes are the Terraform names of the resource types, data sources and
	// functions that the package has; none stands for all. Excludes are those
	// that it lacks. No name is in both.
	Includes, Excludes []string
	// ProviderName is the package's name; "" stands for the provider's type.
	ProviderName string

	// Docs is what the package is described with. SDKs do not hold it: they
	// have the descriptions, or not.
	Docs Docs
}

// Docs says whether a package is described with the provider's documentation,
// beside what the provider itself says.
type Docs struct {
	Wanted bool
	// Dir is a directory with the provider's source that has the pages,
	// absolute. "" stands for where the provider comes from: its registry, or
	// the place of its executable.
	Dir string
}

// Request asks tfregistry for the provider.
func (p Parameter) Request() tfregistry.Request {
	return tfregistry.Request{Provider: p.Provider, Constraint: p.Version, LocalPath: p.Path}
}

// Resolved is p with what was found: the version that met the constraint.
func (p Parameter) Resolved(version string) Parameter {
	if p.Path == "" {
		p.Version = version
	}
	return p
}

// PackageName is the name of the package that is made of a provider of type
// typ. It fails where Pulumi has no such names.
func (p Parameter) PackageName(typ string) (string, error) {
	name := p.ProviderName
	if name == "" {
		name = typ
	}
	if !isPackageName(name) {
		return "", invalidName(name)
	}
	return name, nil
}

// isPackageName reports whether a package may be called so: Pulumi's package
// schema says what names are made of, and one is that of what the engine has
// itself, such as stacks.
func isPackageName(name string) bool { return packageName.MatchString(name) && name != "pulumi" }

var packageName = regexp.MustCompile(`^[a-zA-Z][-a-zA-Z0-9_]*$`)

// check holds what both forms have in common.
func (p Parameter) check() error {
	for _, text := range append([]string{p.Path}, slices.Concat(p.Includes, p.Excludes)...) {
		if !utf8.ValidString(text) {
			return unkeepable(text)
		}
	}
	if both := intersection(p.Includes, p.Excludes); len(both) > 0 {
		return includedAndExcluded(both)
	}
	if p.ProviderName != "" && !isPackageName(p.ProviderName) {
		return invalidName(p.ProviderName)
	}
	return nil
}
