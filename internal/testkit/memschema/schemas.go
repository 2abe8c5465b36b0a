// Package memschema has the schemas of whole providers in memory: written by
// hand, made at random, or many of one shape.
package memschema

import (
	"maps"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// Schemas are the schemas of a provider. It is a [tfschema.Decoder].
type Schemas struct {
	Provider   *tfschema.Block
	Resources  map[string]*tfschema.Block
	Data       map[string]*tfschema.Block
	Ephemeral  map[string]*tfschema.Block
	Lists      map[string]*tfschema.Block
	Functions  map[string]*tfschema.Function
	Identities map[string]*tfschema.Identity
}

// Catalog returns a new catalog of s.
func (s *Schemas) Catalog() *tfschema.Catalog { return tfschema.NewCatalog(s) }

// Names implements [tfschema.Decoder].
func (s *Schemas) Names(kind tfschema.Kind) []string {
	return slices.Sorted(maps.Keys(s.blocks(kind)))
}

// Schema implements [tfschema.Decoder].
func (s *Schemas) Schema(kind tfschema.Kind, name string) (*tfschema.Schema, error) {
	block, ok := s.blocks(kind)[name]
	if !ok {
		return nil, nil
	}
	return &tfschema.Schema{Block: block}, nil
}

func (s *Schemas) blocks(kind tfschema.Kind) map[string]*tfschema.Block {
	switch kind {
	case tfschema.KindProvider:
		if s.Provider == nil {
			return nil
		}
		return map[string]*tfschema.Block{"": s.Provider}
	case tfschema.KindResource:
		return s.Resources
	case tfschema.KindDataSource:
		return s.Data
	case tfschema.KindEphemeral:
		return s.Ephemeral
	case tfschema.KindList:
		return s.Lists
	default:
		return nil
	}
}

// IdentityNames implements [tfschema.Decoder].
func (s *Schemas) IdentityNames() []string { return slices.Sorted(maps.Keys(s.Identities)) }

// Identity implements [tfschema.Decoder].
func (s *Schemas) Identity(name string) (*tfschema.Identity, error) { return s.Identities[name], nil }

// FunctionNames implements [tfschema.Decoder].
func (s *Schemas) FunctionNames() []string { return slices.Sorted(maps.Keys(s.Functions)) }

// Function implements [tfschema.Decoder].
func (s *Schemas) Function(name string) (*tfschema.Function, error) { return s.Functions[name], nil }

// Capabilities implements [tfschema.Decoder].
func (s *Schemas) Capabilities() tfschema.Capabilities { return tfschema.Capabilities{} }

// Block sorts attributes and blocks as a schema has them.
func Block(attributes []*tfschema.Attribute, blocks ...*tfschema.NestedBlock) *tfschema.Block {
	slices.SortFunc(attributes, func(a, b *tfschema.Attribute) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(blocks, func(a, b *tfschema.NestedBlock) int { return strings.Compare(a.Name, b.Name) })
	return &tfschema.Block{Attributes: attributes, Blocks: blocks}
}
