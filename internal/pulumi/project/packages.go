package project

import (
	"encoding/base64"
	"encoding/hex"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// Package is an entry of `packages`.
type Package struct {
	Name string
	PackageSpec
	// Range is where the entry's value stands.
	Range hcl.Range

	object bool // written as an object
}

// PackageSpec says where a package comes from, as the file does.
type PackageSpec struct {
	// Source is a name, publisher/name, registry/publisher/name, a git URL, or
	// a local path. A relative path starts at the file's directory.
	Source string
	// Version is a semantic version or a git revision; or "".
	Version string
	// Parameters are the arguments of a parameterized plugin.
	Parameters []string
	// Extensions are the arguments of an extension parameterization.
	Extensions []string
	// Checksums map "os-arch" to the SHA-256 of the plugin's archive.
	Checksums map[string][]byte
	// PluginDownloadURL is where to download the plugin from; or "".
	PluginDownloadURL string
}

// ParsePackageSpec reads the short form, `source[@version]`.
func ParsePackageSpec(text string) PackageSpec {
	source, version, _ := strings.Cut(text, "@")
	return PackageSpec{Source: source, Version: version}
}

// short returns the short form; ok is false where s has more to say.
func (s PackageSpec) short() (text string, ok bool) {
	if len(s.Parameters)+len(s.Extensions)+len(s.Checksums) > 0 || s.PluginDownloadURL != "" || strings.Contains(s.Source, "@") {
		return "", false
	}
	if s.Version == "" {
		return s.Source, true
	}
	return s.Source + "@" + s.Version, true
}

func readPackages(r *reader, f field) []Package {
	var packages []Package
	for _, entry := range r.fields(f.value) {
		p := Package{Name: entry.name, Range: r.doc.rangeOf(entry.value)}
		if isScalar(entry.value) {
			p.PackageSpec = ParsePackageSpec(r.text(entry))
		} else {
			p.PackageSpec, p.object = readPackageSpec(r, entry), true
		}
		if p.Source == "" {
			r.report(packageWithoutSource(p.Name, p.Range))
		}
		packages = append(packages, p)
	}
	return packages
}

// Fields of a package in its long form.
const (
	sourceField            = "source"
	versionField           = "version"
	parametersField        = "parameters"
	extensionsField        = "extensions"
	checksumsField         = "checksums"
	pluginDownloadURLField = "pluginDownloadURL"
)

func readPackageSpec(r *reader, entry field) PackageSpec {
	var s PackageSpec
	for _, f := range r.fields(entry.value) {
		switch f.name {
		case sourceField:
			s.Source = r.text(f)
		case versionField:
			s.Version = r.text(f)
		case parametersField:
			s.Parameters = r.texts(f)
		case extensionsField:
			s.Extensions = r.texts(f)
		case checksumsField:
			s.Checksums = readChecksums(r, f)
		case pluginDownloadURLField:
			s.PluginDownloadURL = r.text(f)
		default:
			r.unknown(f, sourceField, versionField, parametersField, extensionsField, checksumsField, pluginDownloadURLField)
		}
	}
	return s
}

// readChecksums takes SHA-256 sums in hexadecimal, or in base64 as JSON
// manifests have them.
func readChecksums(r *reader, f field) map[string][]byte {
	sums := map[string][]byte{}
	for _, entry := range r.fields(f.value) {
		text := r.text(entry)
		sum, err := hex.DecodeString(text)
		if err != nil {
			sum, err = base64.StdEncoding.DecodeString(text)
		}
		if err != nil || len(sum) != 32 {
			r.report(badChecksum(entry.name, r.doc.rangeOf(entry.value)))
			continue
		}
		sums[entry.name] = sum
	}
	return sums
}
