package project

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/formation-iac/formation/internal/base/diag"
)

// Lock is the SDK of a package for programs in YAML: a file that names the
// plugin and its parameterization (pulumi-yaml, packageDeclarationVersion 1).
type Lock struct {
	// Name is the plugin's.
	Name string
	// Version is the plugin's; or "" for any.
	Version string
	// DownloadURL is where to download the plugin from; or "".
	DownloadURL string
	// Parameterization turns the plugin into another package; or nil.
	Parameterization *Parameter
	// Extension adds to the plugin's package; or nil. It excludes
	// Parameterization.
	Extension *Parameter
}

// Parameter is what a plugin is parameterized with, in the form of SDKs.
type Parameter struct {
	// Name and Version are the package's that comes out.
	Name, Version string
	// Value is the plugin's own business.
	Value []byte
}

// Package returns the name and the version of the package that programs see.
// An extension adds to the package of its plugin.
func (l Lock) Package() (name, version string) {
	if l.Parameterization != nil {
		return l.Parameterization.Name, l.Parameterization.Version
	}
	return l.Name, l.Version
}

// File is where the lock file of a package is, below a project's directory,
// with slashes: sdks/<name>/<name>-<version>.yaml. A name or version that
// cannot be a file's is an error.
func (l Lock) File() (string, error) {
	name, version := l.Package()
	if l.Extension != nil {
		name, version = l.Extension.Name, l.Extension.Version
	}
	file := name
	if version != "" {
		file += "-" + version
	}
	if strings.ContainsAny(file, `/\:`) || !filepath.IsLocal(name) {
		return "", fmt.Errorf("%q is not the name of a package", file)
	}
	return path.Join("sdks", name, file+".yaml"), nil
}

const lockVersion = "1"

// lockFile is Lock in its file. The order of fields is that of the file.
type lockFile struct {
	Version          yaml.Node     `yaml:"packageDeclarationVersion"`
	Name             string        `yaml:"name"`
	PluginVersion    string        `yaml:"version,omitempty"`
	DownloadURL      string        `yaml:"downloadUrl,omitempty"`
	Parameterization *lockedValues `yaml:"parameterization,omitempty"`
	Extension        *lockedValues `yaml:"extension,omitempty"`
}

type lockedValues struct {
	Name    string `yaml:"name"`
	Version string `yaml:"version"`
	Value   string `yaml:"value"`
}

// Encode writes the file's content.
func (l Lock) Encode() ([]byte, error) {
	file := lockFile{
		Version: yaml.Node{Kind: yaml.ScalarNode, Value: lockVersion},
		Name:    l.Name, PluginVersion: l.Version, DownloadURL: l.DownloadURL,
		Parameterization: l.Parameterization.locked(), Extension: l.Extension.locked(),
	}
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	err := encoder.Encode(file)
	return out.Bytes(), err
}

func (p *Parameter) locked() *lockedValues {
	if p == nil {
		return nil
	}
	return &lockedValues{p.Name, p.Version, base64.StdEncoding.EncodeToString(p.Value)}
}

// DecodeLock reads a lock file.
func DecodeLock(file string, src []byte) (Lock, diag.List) {
	lock, ok, diags := decodeLock(file, src)
	if !ok && !diags.HasErrors() {
		diags = append(diags, unknownLockVersion(file, ""))
	}
	return lock, diags
}

// decodeLock reads a file that may be a lock file. ok is false where it does
// not claim to be one.
func decodeLock(path string, src []byte) (lock Lock, ok bool, diags diag.List) {
	doc, diags := parse(path, src)
	if doc == nil {
		return Lock{}, false, diags
	}
	at := entry(doc.root, "packageDeclarationVersion")
	if at < 0 {
		return Lock{}, false, nil
	}
	if version := resolve(doc.root.Content[at]).Value; version != lockVersion {
		return Lock{}, true, diag.List{unknownLockVersion(path, version).At(doc.rangeOf(doc.root.Content[at]))}
	}
	r := &reader{doc: doc}
	lock = readLock(r)
	return lock, true, r.diags
}

func readLock(r *reader) Lock {
	var l Lock
	for _, f := range r.fields(r.doc.root) {
		switch f.name {
		case "name":
			l.Name = r.text(f)
		case "version":
			l.Version = r.text(f)
		case "downloadUrl":
			l.DownloadURL = r.text(f)
		case "parameterization":
			l.Parameterization = readParameter(r, f)
		case "extension":
			l.Extension = readParameter(r, f)
		}
	}
	switch {
	case l.Name == "":
		r.report(incompleteLock(r.doc.path, "It names no plugin"))
	case l.Parameterization != nil && l.Extension != nil:
		r.report(incompleteLock(r.doc.path, "A package has a parameterization or an extension, and this one both"))
	}
	return l
}

func readParameter(r *reader, f field) *Parameter {
	if isNull(f.value) {
		return nil
	}
	var p Parameter
	for _, inner := range r.fields(f.value) {
		switch inner.name {
		case "name":
			p.Name = r.text(inner)
		case "version":
			p.Version = r.text(inner)
		case "value":
			value, err := base64.StdEncoding.DecodeString(r.text(inner))
			if err != nil {
				r.report(incompleteLock(r.doc.path, "The value of its "+f.name+" is not base64").At(r.doc.rangeOf(inner.value)))
			}
			p.Value = value
		}
	}
	if p.Name == "" || p.Version == "" {
		r.report(incompleteLock(r.doc.path, "Its "+f.name+" lacks a name or a version").At(r.doc.rangeOf(f.value)))
	}
	return &p
}

// LockFile is a lock file in its place.
type LockFile struct {
	Path string
	Lock
}

// Locks reads all lock files in and below dir, in the order of their paths.
// Files that are no lock files are passed over, and so are hidden directories
// and those of installed dependencies. A directory that does not exist holds
// none.
func Locks(dir string) ([]LockFile, diag.List) {
	var locks []LockFile
	var diags diag.List
	err := filepath.WalkDir(dir, func(path string, file fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case file.IsDir() && path != dir && (strings.HasPrefix(file.Name(), ".") || file.Name() == "node_modules"):
			return fs.SkipDir
		case file.IsDir() || filepath.Ext(path) != ".yaml":
			return nil
		}
		lock, found := loadLock(path)
		diags = append(diags, found...)
		locks = append(locks, lock...)
		return nil
	})
	if err != nil {
		diags = append(diags, unreadable(dir, err))
	}
	return locks, diags
}

// loadLock returns the lock file at path; none where it is something else.
func loadLock(path string) ([]LockFile, diag.List) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, diag.List{unreadable(path, err)}
	}
	lock, ok, diags := decodeLock(path, src)
	switch {
	case !ok:
		return nil, nil
	case diags.HasErrors():
		return nil, diags
	}
	return []LockFile{{path, lock}}, diags
}
