// Package discover finds out what exists: it asks a ladder of sources for
// the type and the id or identity of every object to import. The sources are
// the provider's own list resources ([List]), a query file in Terraform's
// format ([Query]), inventories ([Inventory]) and commands that print one
// ([Command]).
//
// It does not read the objects; that is the next stage. Two sources that
// know the same object give it once (see [Run]).
package discover

import (
	"context"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// Found is one object that exists, named the way ImportResourceState wants
// it. At least one of ID and Identity is set.
type Found struct {
	// Type is a managed resource type of the provider.
	Type string
	// ID is the import id, or "".
	ID string
	// Identity is an object of the type's identity schema, attributes that
	// the source did not know being null; or cty.NilVal.
	Identity cty.Value
	// DisplayName is what the provider calls it, for people; or "".
	DisplayName string
	// Object is the resource object, where it was listed with it; or
	// cty.NilVal.
	Object cty.Value
	// Source is the name of the source that found it, for the report.
	Source string
	// Name is the resource name that the user wants for it; or "".
	Name string
	// Range is the place in an inventory or query; or nil.
	Range *hcl.Range
}

// Scope is what a source is asked for.
type Scope struct {
	// Catalog is the provider's schema.
	Catalog *tfschema.Catalog
	// Selection says which types are wanted. A source leaves out the others
	// and counts what it leaves out.
	Selection *Selection
}

// Source finds objects. The types here are all of the implementations that
// this package has; others may be added from outside.
type Source interface {
	// Name says which source it is, in a few words: "list", "ids web.csv".
	Name() string
	// Discover calls yield for each object, one call at a time and in any
	// order, until it is done, ctx ends, or yield returns an error. Errors in
	// the list mean that the source itself is at fault (malformed input, a
	// command that failed), so that what it yielded must not be relied on.
	// What concerns one type only goes into the outcome.
	Discover(ctx context.Context, scope Scope, yield func(Found) error) (Outcome, diag.List)
}

// Outcome is what a source says beside the objects. Types may be named
// several times, and in any order.
type Outcome struct {
	// Enumerated types were listed whole, or as far as the user asked.
	Enumerated []string
	// Whole are those enumerated of which nothing was left out: a limit that
	// cut another list of the type short does not matter.
	Whole []string
	// Named types were not listed: the user brought ids of some objects.
	Named []string
	// NeedConfig types can be listed, but only with configuration.
	NeedConfig []string
	// Truncated types have more objects than the limit let through.
	Truncated []string
	// Failed types could not be listed, and why.
	Failed []Failure
	// Rejected are objects that the user named and that the provider cannot
	// have.
	Rejected []Rejected
	// Excluded counts the objects left out by the selection.
	Excluded int
}

// Rejected is an object that was named in a way that the provider's schema
// speaks against, and why. Its type need not be one of the provider's, nor its
// identity be of the type.
type Rejected struct {
	Found       Found
	Diagnostics diag.List
}

// Failure says why objects of one type could not be listed.
type Failure struct {
	Type        string
	Diagnostics diag.List
}

// merge adds what other says to o.
func (o *Outcome) merge(other Outcome) {
	o.Enumerated = append(o.Enumerated, other.Enumerated...)
	o.Whole = append(o.Whole, other.Whole...)
	o.Named = append(o.Named, other.Named...)
	o.NeedConfig = append(o.NeedConfig, other.NeedConfig...)
	o.Truncated = append(o.Truncated, other.Truncated...)
	o.Failed = append(o.Failed, other.Failed...)
	o.Rejected = append(o.Rejected, other.Rejected...)
	o.Excluded += other.Excluded
}
