// Package pkgschema writes the Pulumi package schema of a bridged provider:
// what SDKs, program generators and registries read. The names are mapping's;
// the shape of the JSON is pschema's.
//
// A schema is written as it is made, one resource after the other, so that a
// provider of a thousand types needs the memory of one and of what is
// written. The same provider and options give the same bytes.
//
// Texts are the provider's own. Where its documentation is at hand, its pages
// give the texts that the provider lacks, what they say beyond those, the
// examples, and how to import. No name of a type or property depends on them.
//
// Where Pulumi's own bridge leaves something out or wrong, this differs:
//
//   - Descriptions and deprecations of resources, data sources, ephemeral
//     resources and their arguments are there, not of resource properties only.
//   - Names of properties and types inside a description are Pulumi's, in one
//     spelling, not in one for each language.
//   - A map of dynamic values is a map of anything, not of strings.
//   - Tuples, and several nested types of one name, have a schema.
//   - Resources that can be listed have listInputs.
//   - Ephemeral resources are functions, whose whole result is secret.
//   - What says nothing, such as a block for Java without a value, is not
//     there.
package pkgschema

import (
	"bytes"
	"context"
	"io"

	"github.com/formation-iac/formation/internal/mapping"
)

// Options are what a schema says beside what the provider has.
type Options struct {
	// BasePlugin and BaseVersion name the plugin that becomes the package
	// with Parameter, the bytes that its SDKs carry.
	BasePlugin, BaseVersion string
	Parameter               []byte
	// Namespace is the provider's in its registry, such as "hashicorp"; ""
	// for a local one. It is taken to be an organisation on GitHub that has
	// the provider's source, as registries ask for.
	Namespace string
	// Docs, where set, says more than the provider itself does.
	Docs Docs
}

// Generate returns the schema as JSON. An error is what is wrong with the
// schema of a type of the provider, or that ctx ended.
func Generate(ctx context.Context, pkg *mapping.Package, opts Options) ([]byte, error) {
	var out bytes.Buffer
	if err := Write(ctx, &out, pkg, opts); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Write writes the schema that [Generate] returns. Types come last, since all
// else says which there are. Where w has a method Grow, as buffers have, it is
// told how many bytes to expect, as soon as that can be guessed.
func Write(ctx context.Context, w io.Writer, pkg *mapping.Package, opts Options) error {
	g := &generator{pkg: pkg, opts: opts, types: types{}, names: memberNames(pkg)}
	d := &document{make([]byte, 0, 2*enough)}
	d.open("")
	if err := g.head(d); err != nil {
		return err
	}
	if err := g.section(ctx, w, d, "resources", pkg.Resources(), (*generator).resource); err != nil {
		return err
	}
	functions := append([]mapping.Member{{Token: configMethod(pkg)}}, pkg.Functions()...)
	if err := g.section(ctx, w, d, "functions", functions, (*generator).function); err != nil {
		return err
	}
	if err := g.types.write(w, d); err != nil {
		return err
	}
	d.close()
	_, err := w.Write(d.json)
	return err
}
