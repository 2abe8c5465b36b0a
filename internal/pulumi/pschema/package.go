package pschema

import (
	"context"
	"regexp"
	"sync"

	"github.com/formation-iac/formation/internal/base/diag"
)

// Package is a bound schema. Its members are bound when they are first asked
// for, each once, and it is safe for concurrent use. What is wrong with a
// member is a diagnostic of the package from then on: see
// [Package.Diagnostics]. A member with mistakes is there all the same, with
// what could be made of it.
type Package struct {
	// Header is what the schema says of the package itself. Resources,
	// Functions and Types are left out of it.
	Header PackageSpec

	doc          *document
	load         func(DependencySpec) (*Package, error)
	moduleFormat *regexp.Regexp

	whole     sync.Once
	resources memo[*Resource]
	functions memo[*Function]
	types     memo[Type]
	loaded    memo[loading]
	config    memo[[]*Property]
	// moduleNames are by the middle part of tokens.
	moduleNames memo[string]
}

// memo makes the value of a key once. A value must not ask for itself while
// it is made.
type memo[T any] struct {
	mu   sync.Mutex
	made map[string]*once[T]
}

type once[T any] struct {
	sync.Once
	value T
}

func (m *memo[T]) get(key string, produce func() T) T {
	m.mu.Lock()
	entry := m.made[key]
	if entry == nil {
		if m.made == nil {
			m.made = map[string]*once[T]{}
		}
		entry = new(once[T])
		m.made[key] = entry
	}
	m.mu.Unlock()
	entry.Do(func() { entry.value = produce() })
	return entry.value
}

// Loader brings the schemas that references lead to.
type Loader interface {
	// Load returns the package of that name and version. dependency is the
	// referring schema's own description where it has one, else a name and a
	// version, which may be "".
	Load(ctx context.Context, dependency DependencySpec) (*Package, error)
}

// Options say where a schema comes from, and where others do.
type Options struct {
	// Filename is what ranges call the text.
	Filename string
	// Loader may be nil; references to other packages are errors then.
	Loader Loader
}

// Open reads a schema's header and finds its members, and leaves the rest for
// when it is asked for. ctx bounds the loading of packages that are referred
// to, for as long as the Package is used. Where the text is no JSON object
// the Package is nil.
func Open[Text ~string | ~[]byte](ctx context.Context, data Text, opts Options) (*Package, diag.List) {
	doc, diags := newDocument(opts.Filename, string(data))
	if doc == nil {
		return nil, diags
	}
	pkg := &Package{Header: doc.header, doc: doc, load: loadWith(ctx, opts.Loader)}
	pkg.bindHeader()
	return pkg, pkg.Diagnostics()
}

func loadWith(ctx context.Context, loader Loader) func(DependencySpec) (*Package, error) {
	if loader == nil {
		return func(DependencySpec) (*Package, error) { return nil, errNoLoader{} }
	}
	return func(dependency DependencySpec) (*Package, error) { return loader.Load(ctx, dependency) }
}

// BindAll binds all of a package that was opened, and reports everything that is
// wrong. It does so once.
func (p *Package) BindAll(ctx context.Context) diag.List {
	p.whole.Do(func() { p.bindAll(ctx) })
	return p.Diagnostics()
}

// Diagnostics are of all that was bound so far, in the order of the text.
func (p *Package) Diagnostics() diag.List { return p.doc.diagnostics() }

// Name is the package's name.
func (p *Package) Name() string { return p.Header.Name }

// Version is the package's semantic version without a "v", or "".
func (p *Package) Version() string {
	version, _ := parseVersion(p.Header.Version)
	return version
}

// ProviderToken is the token of a package's provider resource.
func (p *Package) ProviderToken() string { return providerPrefix + p.Header.Name }

const providerPrefix = "pulumi:providers:"

// Provider is the package's provider, nil for an extension, which has none.
func (p *Package) Provider() *Resource {
	provider, _ := p.Resource(p.ProviderToken())
	return provider
}

// Resource finds a resource by its exact token.
func (p *Package) Resource(token string) (*Resource, bool) {
	if !p.hasResource(token) {
		return nil, false
	}
	return p.resources.get(token, func() *Resource { return p.bindResource(token) }), true
}

// Function finds a function or method by its exact token.
func (p *Package) Function(token string) (*Function, bool) {
	at, ok := p.doc.functions[token]
	if !ok {
		return nil, false
	}
	return p.functions.get(token, func() *Function { return p.bindFunction(token, at) }), true
}

// Type finds a named type, an *Object or *Enum, by its exact token.
func (p *Package) Type(token string) (Type, bool) {
	at, ok := p.doc.types[token]
	if !ok {
		return nil, false
	}
	return p.types.get(token, func() Type { return p.bindNamedType(token, at) }), true
}

// ResourceTokens lists the tokens of the resources, but not the provider's,
// sorted, and binds nothing.
func (p *Package) ResourceTokens() []string { return p.doc.resources.tokens() }

// FunctionTokens lists the tokens of functions and methods as ResourceTokens
// does.
func (p *Package) FunctionTokens() []string { return p.doc.functions.tokens() }

// TypeTokens lists the tokens of named types as ResourceTokens does.
func (p *Package) TypeTokens() []string { return p.doc.types.tokens() }

// Resources binds all resources but the provider, sorted by token.
func (p *Package) Resources() []*Resource { return each(p.ResourceTokens(), p.Resource) }

// Functions binds all functions, methods included, sorted by token.
func (p *Package) Functions() []*Function { return each(p.FunctionTokens(), p.Function) }

// Types binds all named types, *Object and *Enum, sorted by token.
func (p *Package) Types() []Type { return each(p.TypeTokens(), p.Type) }

func each[T any](tokens []string, find func(string) (T, bool)) []T {
	all := make([]T, len(tokens))
	for i, token := range tokens {
		all[i], _ = find(token)
	}
	return all
}

// Config lists the configuration variables, sorted by name.
func (p *Package) Config() []*Property {
	return p.config.get("", func() []*Property {
		config := p.Header.Config
		return p.bindProperties(propertiesSpec{
			at: config.At, specs: config.Variables, required: config.Required, requiredKey: "defaults",
		})
	})
}
