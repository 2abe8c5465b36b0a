package tfconfig

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tflang"
)

// Module is one module as its files say, override files merged in. Nothing
// is evaluated but what Terraform wants literal. It must not be changed.
type Module struct {
	// Dir is the directory it was read from, as given.
	Dir string
	// Sources holds the text of each file by the name that ranges use.
	Sources diag.Sources

	RequiredVersions []*ClientConstraint
	Required         map[string]*RequiredProvider // by local name
	Backend          *Backend
	ProviderMeta     map[string]hcl.Body // by local name
	// Encryption is where OpenTofu is told to encrypt states, nil if nowhere.
	Encryption *hcl.Range

	Providers []*ProviderBlock // in order of reading
	Variables map[string]*Variable
	Locals    map[string]*Local
	Outputs   map[string]*Output
	Resources map[tfaddr.Resource]*ResourceBlock // managed and data
	// Ephemerals are ephemeral resources; their addresses have no mode.
	Ephemerals map[tfaddr.Resource]*ResourceBlock
	Calls      map[string]*ModuleCall

	Moved   []*MovedBlock
	Imports []*ImportBlock
	Removed []*RemovedBlock
	Checks  map[string]*CheckBlock
}

// RequiredProvider is one entry of required_providers.
type RequiredProvider struct {
	Name        string
	Source      string // as written; "" where it is not
	Provider    tfaddr.Provider
	Constraints string
	// Aliases are the configuration_aliases that a caller must pass.
	Aliases []ProviderRef
	// Implied says that there is no such entry: blocks use the name.
	Implied bool
	Range   hcl.Range
}

// Backend is where the state is kept: a backend or cloud block.
type Backend struct {
	Type   string // "cloud" for a cloud block
	Config hcl.Body
	Range  hcl.Range
}

// ProviderRef names a provider configuration inside a module.
type ProviderRef struct {
	Name, Alias string
	// Key selects an instance of a configuration with for_each, or is nil.
	Key   hcl.Expression
	Range hcl.Range
}

// String returns `name` or `name.alias`.
func (r ProviderRef) String() string {
	if r.Alias == "" {
		return r.Name
	}
	return r.Name + "." + r.Alias
}

// ProviderBlock is a provider configuration.
type ProviderBlock struct {
	Name, Alias string
	// Version is a constraint on the provider's version, as old configuration
	// has it here, or "".
	Version string
	ForEach hcl.Expression // nil if absent
	Config  hcl.Body
	Range   hcl.Range
}

// Variable is an input variable.
type Variable struct {
	Name string
	// Type is the constraint, dynamic where none is written; Optional holds
	// the defaults of optional attributes, or nil.
	Type     cty.Type
	Optional *typeexpr.Defaults
	// Default is cty.NilVal for a required variable.
	Default             cty.Value
	Sensitive, Nullable bool
	Ephemeral           bool
	// Literal says that a value given as text is taken as it is, and not read
	// as an expression.
	Literal     bool
	Validations []*Rule
	Range       hcl.Range

	set map[string]bool // the arguments written, for overriding
}

// Rule is a condition with a message: validation, precondition,
// postcondition or assert.
type Rule struct {
	Condition, Message hcl.Expression
	Range              hcl.Range
}

// Local is one named value of a locals block.
type Local struct {
	Name  string
	Value hcl.Expression
	Range hcl.Range
}

// Output is an output value.
type Output struct {
	Name                 string
	Value                hcl.Expression
	Sensitive, Ephemeral bool
	// Deprecated is what OpenTofu says to those who use it; it keeps that in
	// the state.
	Deprecated    string
	DependsOn     []hcl.Traversal
	Preconditions []*Rule
	Range         hcl.Range
}

// ResourceBlock is a managed, data or ephemeral resource.
type ResourceBlock struct {
	Addr tfaddr.Resource
	// Repetition is as written; each member nil if absent. At most one is set.
	Count, ForEach, Enabled hcl.Expression
	Provider                *ProviderRef // nil where the type implies it
	DependsOn               []hcl.Traversal
	Lifecycle               LifecycleBlock
	// Connection is how provisioners get there, nil if absent.
	Connection   hcl.Body
	Provisioners []*ProvisionerBlock
	// Config is the body without what is listed above.
	Config hcl.Body
	Range  hcl.Range
}

// ProviderName is the local name of the provider that the block uses.
func (r *ResourceBlock) ProviderName() string {
	if r.Provider != nil {
		return r.Provider.Name
	}
	return typePrefix(r.Addr.Type)
}

// ConnectionOf is the connection that a provisioner of r uses: that of r with
// its own laid over it, nil for none.
func (r *ResourceBlock) ConnectionOf(p *ProvisionerBlock) hcl.Body {
	switch {
	case p.Connection == nil:
		return r.Connection
	case r.Connection == nil:
		return p.Connection
	}
	return overrideBody{r.Connection, p.Connection}
}

// LifecycleBlock is a resource's lifecycle.
type LifecycleBlock struct {
	CreateBeforeDestroy bool
	PreventDestroy      hcl.Expression
	IgnoreAll           bool
	IgnoreChanges       []hcl.Traversal // relative
	ReplaceTriggeredBy  []hcl.Expression
	Preconditions       []*Rule
	Postconditions      []*Rule
}

// ProvisionerBlock is a provisioner: it runs on create or destroy and never
// makes a plan.
type ProvisionerBlock struct {
	Type string
	// OnDestroy says that it runs on destroy.
	OnDestroy bool
	// Connection is its own one, nil if absent.
	Connection hcl.Body
	// Config is the body without what is listed above.
	Config hcl.Body
	Range  hcl.Range
}

// ModuleCall is a module block.
type ModuleCall struct {
	Name                    string
	Source                  string
	SourceRange             hcl.Range
	Version                 string
	Count, ForEach, Enabled hcl.Expression
	DependsOn               []hcl.Traversal
	// Providers are the configurations passed, by the name or name.alias that
	// the child knows them by; nil where all default ones are inherited.
	Providers map[string]ProviderRef
	// Config holds the input variables.
	Config hcl.Body
	Range  hcl.Range
}

// MovedBlock says that what was at From is at To.
type MovedBlock struct {
	From, To hcl.Traversal
	Range    hcl.Range
}

// ImportBlock brings an existing object under management.
type ImportBlock struct {
	To           hcl.Expression
	ID, Identity hcl.Expression // one of the two is nil
	ForEach      hcl.Expression
	Provider     *ProviderRef
	Range        hcl.Range
}

// RemovedBlock says that an object is no longer managed.
type RemovedBlock struct {
	From         hcl.Traversal
	Destroy      bool
	Provisioners []*ProvisionerBlock
	Range        hcl.Range
}

// CheckBlock is a check: it can warn and never fails a plan.
type CheckBlock struct {
	Name    string
	Data    *ResourceBlock // its own data source, or nil
	Asserts []*Rule
	Range   hcl.Range
}

// metaNames are what a resource's own body does not show to its provider.
func metaNames() []string {
	return []string{"count", "for_each", "provider", "depends_on", "lifecycle", "connection", "provisioner", "locals"}
}

// Traversals finds the variables in the arguments of r, and the names that
// its dynamic blocks bind.
func (r *ResourceBlock) Traversals() ([]hcl.Traversal, []string) {
	return tflang.BodyTraversals(r.Config, metaNames()...)
}

// Traversals finds the variables in the input variables of c.
func (c *ModuleCall) Traversals() ([]hcl.Traversal, []string) {
	return tflang.BodyTraversals(c.Config, "source", "version", "count", "for_each", "depends_on", "providers", "lifecycle")
}

// Traversals finds the variables in the arguments of p.
func (p *ProviderBlock) Traversals() ([]hcl.Traversal, []string) {
	return tflang.BodyTraversals(p.Config, "alias", "version", "for_each")
}
