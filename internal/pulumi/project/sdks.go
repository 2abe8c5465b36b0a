package project

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/formation-iac/formation/internal/base/diag"
)

// SDK says what of a package its SDK in the project has: an entry of
// `formation.sdks`. Pulumi takes no unknown fields in the entries of
// `packages`, and lets pass those of the file itself.
type SDK struct {
	// Package is the package's name in `packages`.
	Package string
	// Include and Exclude are patterns for its resources and functions.
	Include, Exclude []string
	// Range is where the entry's value stands.
	Range hcl.Range
}

const (
	formationField = "formation"
	sdksField      = "sdks"
	includeField   = "include"
	excludeField   = "exclude"
)

// readSDKs reads the field that is Formation's own.
func readSDKs(r *reader, formation field) []SDK {
	var sdks []SDK
	for _, f := range r.fields(formation.value) {
		if f.name != sdksField {
			r.unknown(f, sdksField)
			continue
		}
		for _, entry := range r.fields(f.value) {
			sdks = append(sdks, readSDK(r, entry))
		}
	}
	return sdks
}

func readSDK(r *reader, entry field) SDK {
	s := SDK{Package: entry.name, Range: r.doc.rangeOf(entry.value)}
	for _, f := range r.fields(entry.value) {
		switch f.name {
		case includeField:
			s.Include = r.texts(f)
		case excludeField:
			s.Exclude = r.texts(f)
		default:
			r.unknown(f, includeField, excludeField)
		}
	}
	return s
}

// SDK returns what the project has of a package. It is all of it where there
// is no entry.
func (m *Manifest) SDK(name string) SDK {
	at := slices.IndexFunc(m.SDKs, func(s SDK) bool { return s.Package == name })
	if at < 0 {
		return SDK{Package: name}
	}
	return m.SDKs[at]
}

// WithSDK returns the manifest whose SDK of a package is s. All of a package
// needs no entry.
func (m *Manifest) WithSDK(s SDK) (*Manifest, diag.List) {
	old := m.SDK(s.Package)
	path := []string{formationField, sdksField, s.Package}
	switch all := len(s.Include)+len(s.Exclude) == 0; {
	case slices.Equal(old.Include, s.Include) && slices.Equal(old.Exclude, s.Exclude):
		return m, nil
	case all && len(m.SDKs) == 1:
		return m.edited(path[:1], nil)
	case all:
		return m.edited(path, nil)
	}
	object := objectNode()
	if len(s.Include) > 0 {
		with(object, includeField, listNode(s.Include))
	}
	if len(s.Exclude) > 0 {
		with(object, excludeField, listNode(s.Exclude))
	}
	return m.edited(path, object)
}
