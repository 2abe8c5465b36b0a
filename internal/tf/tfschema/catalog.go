package tfschema

import (
	"fmt"
	"slices"
	"sync"
)

// Kind is a kind of thing that a provider has schemas for.
type Kind uint8

// The kinds. KindProvider and KindProviderMeta have one schema, called "".
const (
	KindProvider Kind = iota + 1
	KindProviderMeta
	KindResource
	KindDataSource
	KindEphemeral
	KindList
)

// String names k for messages.
func (k Kind) String() string {
	switch k {
	case KindProvider:
		return "provider configuration"
	case KindProviderMeta:
		return "provider_meta"
	case KindResource:
		return "resource type"
	case KindDataSource:
		return "data source"
	case KindEphemeral:
		return "ephemeral resource type"
	default:
		return "list resource type"
	}
}

// Capabilities are what a provider says it can do beyond the base protocol.
type Capabilities struct {
	PlanDestroy               bool
	GetProviderSchemaOptional bool
	MoveResourceState         bool
	GenerateResourceConfig    bool
}

// Decoder holds an undecoded provider schema. Its methods may be called
// concurrently. Names are sorted. Decode methods return an error for bytes
// that are not a schema, and (nil, nil) for a name that is not there.
type Decoder interface {
	Names(kind Kind) []string
	Schema(kind Kind, name string) (*Schema, error)
	IdentityNames() []string
	Identity(resourceType string) (*Identity, error)
	FunctionNames() []string
	Function(name string) (*Function, error)
	Capabilities() Capabilities
}

// Catalog is a provider's schema, decoded one type at a time on first use
// and kept. It is safe for concurrent use.
type Catalog struct {
	dec Decoder
	// passing says that nothing is kept.
	passing bool

	mu         sync.Mutex
	schemas    map[schemaKey]*Schema
	identities map[string]*Identity
}

type schemaKey struct {
	kind Kind
	name string
}

// NewCatalog returns a catalog over dec.
func NewCatalog(dec Decoder) *Catalog {
	return &Catalog{dec: dec, schemas: map[schemaKey]*Schema{}, identities: map[string]*Identity{}}
}

// Passing returns the same catalog for a reader that goes through all of it:
// what is decoded through it is not kept.
func (c *Catalog) Passing() *Catalog { return &Catalog{dec: c.dec, passing: true} }

// Names lists what there is of a kind, sorted. It decodes nothing.
func (c *Catalog) Names(kind Kind) []string { return c.dec.Names(kind) }

// Has reports whether there is a schema without decoding it.
func (c *Catalog) Has(kind Kind, name string) bool {
	_, found := slices.BinarySearch(c.dec.Names(kind), name)
	return found
}

// Capabilities returns what the provider said it can do.
func (c *Catalog) Capabilities() Capabilities { return c.dec.Capabilities() }

// Schema returns one schema. A missing one is an [*UnknownTypeError]. A
// provider without KindProvider or KindProviderMeta gets an empty block.
func (c *Catalog) Schema(kind Kind, name string) (*Schema, error) {
	key := schemaKey{kind, name}
	c.mu.Lock()
	s, ok := c.schemas[key]
	c.mu.Unlock()
	if ok {
		return s, nil
	}
	// Decoded without the lock, so that others can decode at the same time.
	s, err := c.decode(kind, name)
	if err != nil || c.passing {
		return s, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if first, ok := c.schemas[key]; ok {
		return first, nil // everybody gets the same one
	}
	c.schemas[key] = s
	return s, nil
}

func (c *Catalog) decode(kind Kind, name string) (*Schema, error) {
	s, err := c.dec.Schema(kind, name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("schema of %s %q: %w", kind, name, err)
	case s != nil:
		return s, nil
	case kind == KindProvider || kind == KindProviderMeta:
		return &Schema{Block: &Block{}}, nil
	}
	return nil, &UnknownTypeError{Kind: kind, Name: name}
}

// Resource returns the schema of a managed resource type.
func (c *Catalog) Resource(name string) (*Schema, error) { return c.Schema(KindResource, name) }

// Identity returns the identity schema of a resource type, or nil where the
// type has none.
func (c *Catalog) Identity(resourceType string) (*Identity, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if id, ok := c.identities[resourceType]; ok {
		return id, nil
	}
	id, err := c.dec.Identity(resourceType)
	if err != nil {
		return nil, fmt.Errorf("identity schema of %q: %w", resourceType, err)
	}
	if !c.passing {
		c.identities[resourceType] = id
	}
	return id, nil
}

// Function returns the signature of a provider-defined function, or an
// [*UnknownTypeError].
func (c *Catalog) Function(name string) (*Function, error) {
	f, err := c.dec.Function(name)
	if err != nil {
		return nil, fmt.Errorf("signature of function %q: %w", name, err)
	}
	if f == nil {
		return nil, &UnknownTypeError{Name: name}
	}
	return f, nil
}

// FunctionNames lists the provider-defined functions, sorted.
func (c *Catalog) FunctionNames() []string { return c.dec.FunctionNames() }

// UnknownTypeError says that the provider has nothing of that name.
type UnknownTypeError struct {
	Kind Kind // 0 for a function
	Name string
}

// Error names what is missing.
func (e *UnknownTypeError) Error() string {
	if e.Kind == 0 {
		return fmt.Sprintf("the provider has no function %q", e.Name)
	}
	return fmt.Sprintf("the provider has no %s %q", e.Kind, e.Name)
}
