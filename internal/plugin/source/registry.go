package source

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/blang/semver/v4"
)

// Registry is a registry of packages: it knows what a name stands for.
type Registry interface {
	// String names the registry for people.
	fmt.Stringer
	// Package returns what is known of one version, of the newest where
	// version is nil. ErrNotRegistered says that there is none.
	Package(ctx context.Context, id PackageID, version *semver.Version) (Package, error)
	// Search lists the newest version of every package of that very name.
	Search(ctx context.Context, name string) ([]Package, error)
	// Publish puts a version of a package into the registry.
	Publish(ctx context.Context, p Publication) error
}

// ErrNotRegistered is how a registry says that it lacks a package.
var ErrNotRegistered = errors.New("the registry does not have it")

// UploadError is a document that did not get to where a registry keeps them.
// The registry itself had nothing against the publication.
type UploadError struct {
	// Document is what it is, for people.
	Document string
	Err      error
}

// Error implements error.
func (e *UploadError) Error() string {
	return "the " + e.Document + " was not uploaded, and nothing is published: " + e.Err.Error()
}

// Unwrap returns what went wrong.
func (e *UploadError) Unwrap() error { return e.Err }

// PackageID names a package in a registry.
type PackageID struct {
	// Source is where the registry has it from: "private", "pulumi", ….
	Source    string
	Publisher string
	Name      string
}

// String returns source/publisher/name.
func (id PackageID) String() string { return id.Source + "/" + id.Publisher + "/" + id.Name }

// Package is what a registry knows of a version of a package.
type Package struct {
	PackageID
	Version semver.Version
	// Server is where its plugin comes from, as in a plugin's Server.
	Server string
	// Base is the plugin that is parameterized to give the package; or nil.
	Base *Base
	// Title and Description are for people. SchemaURL and ReadmeURL lead to
	// the documents.
	Title, Description   string
	SchemaURL, ReadmeURL string
}

// Base is a plugin and the parameter that makes it another package.
type Base struct {
	Name      string
	Version   semver.Version
	Parameter []byte
}

// Publication is a version of a package to be published.
type Publication struct {
	PackageID
	Version semver.Version
	// Schema is a package schema in JSON, Readme and InstallDocs Markdown.
	// InstallDocs may be nil.
	Schema, Readme, InstallDocs []byte
}

// privateSource and publicSource are what names without a source stand for,
// in this order.
const (
	privateSource = "private"
	publicSource  = "pulumi"
)

// Lookup finds the package that a name stands for: name, publisher/name or
// source/publisher/name. A private package goes before one of Pulumi. Where
// there is none, the error is an ErrNotRegistered.
func Lookup(ctx context.Context, r Registry, name string, version *semver.Version) (Package, error) {
	parts := strings.Split(name, "/")
	switch len(parts) {
	case 3:
		return r.Package(ctx, PackageID{parts[0], parts[1], parts[2]}, version)
	case 2:
		found, err := r.Package(ctx, PackageID{privateSource, parts[0], parts[1]}, version)
		if errors.Is(err, ErrNotRegistered) || isRefused(err) {
			found, err = r.Package(ctx, PackageID{publicSource, parts[0], parts[1]}, version)
		}
		return found, err
	}
	return lookupBare(ctx, r, name, version)
}

func lookupBare(ctx context.Context, r Registry, name string, version *semver.Version) (Package, error) {
	found, err := r.Search(ctx, name)
	if err != nil {
		return Package{}, err
	}
	chosen, err := choose(name, found)
	if err != nil || version == nil || chosen.Version.EQ(*version) {
		return chosen, err
	}
	exact, err := r.Package(ctx, chosen.PackageID, version)
	if errors.Is(err, ErrNotRegistered) {
		return Package{}, fmt.Errorf("%w at version %s; the newest is %s", err, version, chosen.Version)
	}
	return exact, err
}

// choose takes the one private package, or else Pulumi's.
func choose(name string, found []Package) (Package, error) {
	var private, public, others []Package
	for _, p := range found {
		switch {
		case p.Name != name:
		case p.Source == privateSource:
			private = append(private, p)
		case p.Source == publicSource && p.Publisher == publicSource:
			public = append(public, p)
		default:
			others = append(others, p)
		}
	}
	switch {
	case len(private) > 1:
		return Package{}, ambiguousName(name, private)
	case len(private) == 1:
		return private[0], nil
	case len(public) > 0:
		return public[0], nil
	case len(others) > 0:
		return Package{}, &suggestion{name, others}
	}
	return Package{}, ErrNotRegistered
}

// suggestion is a name that no package has alone, but some have with their
// publisher.
type suggestion struct {
	name string
	have []Package
}

func (e *suggestion) Error() string {
	return fmt.Sprintf("the registry has %s only as %s", e.name, listIDs(e.have))
}

func (e *suggestion) Unwrap() error { return ErrNotRegistered }

func listIDs(packages []Package) string {
	names := make([]string, len(packages))
	for i, p := range packages {
		names[i] = p.PackageID.String()
	}
	return strings.Join(names, ", ")
}
