package mapping

import (
	"strings"
	"sync"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// Options say how a provider becomes a package.
type Options struct {
	Name         string // the package's, such as "random"
	Version      string // the package's
	ProviderName string // the provider's type, such as "random"
	// Includes, unless it is empty, is all that goes into the package, and
	// Excludes is what does not: Terraform names of resource types, data
	// sources, functions and ephemeral resource types.
	Includes, Excludes []string
}

// Package is a provider as a Pulumi package. It is safe for concurrent use.
type Package struct {
	Options
	// Prefix is what the resource types' names begin with, before the first
	// underscore: the name under which converters look for the provider.
	Prefix string

	catalog   *tfschema.Catalog
	resources *table[*Resource]
	functions *table[*Function]
	provider  func() (*Resource, error)
}

// New names everything in a provider. It decodes no schema.
func New(catalog *tfschema.Catalog, opts Options) (*Package, diag.List) {
	s := &selection{catalog, opts.Includes, opts.Excludes}
	diags := s.check()
	if !validPackageName(opts.Name) {
		diags = append(diags, badPackageName(opts.Name))
	}
	if diags.HasErrors() {
		return nil, diags
	}
	p := &Package{Options: opts, Prefix: commonPrefix(catalog.Names(tfschema.KindResource)), catalog: catalog}
	if p.Prefix == "" {
		p.Prefix = opts.ProviderName
	}
	taken := nameSet{"provider": true} // the package's Provider
	p.resources = newTable("resource", s.resourceMembers(p.Name, p.Prefix, taken), func(m Member) (*Resource, error) { return p.buildResource(catalog, m) })
	p.functions = newTable("function", s.functionMembers(p.Name, p.Prefix, taken), func(m Member) (*Function, error) { return buildFunction(catalog, m) })
	p.provider = sync.OnceValues(p.buildProvider)
	return p, diags
}

func validPackageName(name string) bool {
	return name != "" && strings.IndexFunc(name, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' || r == '_')
	}) < 0
}

// Resources lists the resources, sorted by token.
func (p *Package) Resources() []Member { return p.resources.members }

// Functions lists the functions, sorted by token.
func (p *Package) Functions() []Member { return p.functions.members }

// Resource returns a resource by its token, or an [*UnknownTokenError], or
// what is wrong with its schema. It is built once and kept.
func (p *Package) Resource(token string) (*Resource, error) {
	return p.resources.get(p.Name, Member{Token: token})
}

// ResourceByTerraform returns a resource as [Package.Resource] does.
func (p *Package) ResourceByTerraform(name string) (*Resource, error) {
	return p.resources.get(p.Name, Member{Terraform: name})
}

// Function returns a function as [Package.Resource] does.
func (p *Package) Function(token string) (*Function, error) {
	return p.functions.get(p.Name, Member{Token: token})
}

// FunctionByTerraform returns a function as [Package.Resource] does.
func (p *Package) FunctionByTerraform(kind FunctionKind, name string) (*Function, error) {
	return p.functions.get(p.Name, Member{Terraform: name, Kind: kind})
}

// Provider returns the provider's configuration as [Package.Resource] does.
// It has no ID, and no name is reserved in it.
func (p *Package) Provider() (*Resource, error) { return p.provider() }
