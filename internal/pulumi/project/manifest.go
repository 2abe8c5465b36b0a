package project

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/wholefile"
)

// Kind says which of three files a manifest is.
type Kind uint8

// The files, by what their directory holds.
const (
	// Program is a program with stacks: Pulumi.yaml.
	Program Kind = iota
	// Plugin is a plugin without an executable: PulumiPlugin.yaml.
	Plugin
	// Policy is a policy pack: PulumiPolicy.yaml.
	Policy
)

// stem is the file's name without its extension.
func (k Kind) stem() string { return [...]string{"Pulumi", "PulumiPlugin", "PulumiPolicy"}[k] }

// FileName is the usual name of the file, such as "Pulumi.yaml".
func (k Kind) FileName() string { return k.stem() + ".yaml" }

// Manifest is one of the files, read. It is not changed after reading: edits
// return another one.
type Manifest struct {
	// Path is where the file is.
	Path string
	Kind Kind
	// Name is a program's; "" for the other kinds.
	Name        string
	Description string
	// Main leads from the file's directory to the program, with slashes; or "".
	Main    string
	Runtime Runtime
	// Backend is the URL of where the project's stacks are kept; or "" for
	// where the user is logged in.
	Backend string
	// Packages are in the order of the file.
	Packages []Package
	// SDKs are those that have not all of their package.
	SDKs []SDK
	// Plugins are what the file puts in the place of installed plugins.
	Plugins Plugins
	// RequiredPulumiVersion is a range such as ">=3.100.0 <4.0.0"; or "".
	RequiredPulumiVersion string
	// Source is the file's content.
	Source []byte

	required hcl.Range // of RequiredPulumiVersion
}

// Dir is the directory of the file: that of the project or plugin.
func (m *Manifest) Dir() string { return filepath.Dir(m.Path) }

// ProgramDir is the directory of the program, which Main may put elsewhere. A
// Main that names a file leads to the file's directory.
func (m *Manifest) ProgramDir() string {
	dir := filepath.Join(m.Dir(), filepath.FromSlash(m.Main))
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return filepath.Dir(dir)
	}
	return dir
}

// Package returns the entry of that name in `packages`.
func (m *Manifest) Package(name string) (Package, bool) {
	for _, p := range m.Packages {
		if p.Name == name {
			return p, true
		}
	}
	return Package{}, false
}

// Load reads the file at path, whose name says which kind it is. The manifest
// is nil where it is of no use.
func Load(path string) (*Manifest, diag.List) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, diag.List{unreadable(path, err)}
	}
	return Decode(path, src)
}

// Save replaces the file by m.Source, whole or not at all. A link is followed.
func (m *Manifest) Save() error { return wholefile.Rewrite(m.Path, m.Source) }

// Decode reads a manifest from src. The manifest is nil where it is of no use.
func Decode(path string, src []byte) (*Manifest, diag.List) {
	doc, diags := parse(path, src)
	if doc == nil {
		return nil, diags
	}
	m := &Manifest{Path: path, Kind: kindOf(path), Source: src}
	r := &reader{doc: doc}
	m.read(r)
	diags = append(diags, r.diags...)
	if diags.HasErrors() {
		return nil, diags
	}
	return m, diags
}

func kindOf(path string) Kind {
	stem, _, _ := strings.Cut(filepath.Base(path), ".")
	for _, k := range []Kind{Plugin, Policy} {
		if stem == k.stem() {
			return k
		}
	}
	return Program
}

func (m *Manifest) read(r *reader) {
	for _, f := range r.fields(r.doc.root) {
		switch f.name {
		case "name":
			m.Name = r.text(f)
		case "description":
			m.Description = r.text(f)
		case "main":
			m.Main = r.text(f)
		case "runtime":
			m.Runtime = readRuntime(r, f)
		case "backend":
			m.Backend = readBackend(r, f)
		case "packages":
			m.Packages = readPackages(r, f)
		case formationField:
			m.SDKs = readSDKs(r, f)
		case "plugins":
			m.Plugins = readPlugins(r, f)
		case "requiredPulumiVersion":
			m.RequiredPulumiVersion, m.required = r.text(f), r.doc.rangeOf(f.value)
		}
	}
	m.requireFields(r)
}

// readBackend takes `backend: {url: …}`. Other backends may have more to say.
func readBackend(r *reader, f field) (url string) {
	for _, inner := range r.fields(f.value) {
		if inner.name == "url" {
			url = r.text(inner)
		}
	}
	return url
}

// requireFields reports what a file of its kind cannot do without.
func (m *Manifest) requireFields(r *reader) {
	if m.Kind == Program && m.Name == "" {
		r.report(missingField(m.Kind, "name", r.doc.start()))
	}
	if m.Runtime.Name == "" {
		r.report(missingField(m.Kind, "runtime", r.doc.start()))
	}
}
