package lifecycle

import (
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// Resource is which resource a request is about, as the engine knows it.
type Resource struct {
	URN string
	// Token is the type, such as "time:index/sleep:Sleep".
	Token string
	// Name is the logical name, the last part of the URN.
	Name string
}

// CheckRequest is CheckRequest of the Pulumi protocol.
type CheckRequest struct {
	Resource
	// Olds are the inputs of last time; empty for a new resource.
	Olds, News property.Map
	// Seed makes random names the same for the same deployment.
	Seed       []byte
	Autonaming Autonaming
}

// AutonamingMode says what the project wants of generated names.
type AutonamingMode uint8

// The modes, as the protocol numbers them.
const (
	AutonamingPropose AutonamingMode = iota // Proposed is a suggestion
	AutonamingEnforce                       // Proposed must be taken as it is
	AutonamingDisable                       // names are not generated
)

// Autonaming is the project's configuration for names. The zero value
// leaves names to the provider.
type Autonaming struct {
	Proposed string
	Mode     AutonamingMode
}

// CheckResponse holds the inputs to go on with, and why they are no good.
type CheckResponse struct {
	Inputs   property.Map
	Failures []Failure
}

// Failure is one reason why inputs are refused. Property is the path of the
// input in Pulumi's notation, such as `disks[0].sizeGb`; "" for all of them.
type Failure struct {
	Property string
	Reason   string
}

// DiffRequest is DiffRequest of the Pulumi protocol.
type DiffRequest struct {
	Resource
	ID string
	// Olds are the stored outputs, OldInputs the stored inputs.
	Olds, OldInputs, News property.Map
	// IgnoreChanges are property paths, which may hold `[*]`.
	IgnoreChanges []string
}

// DiffKind is how one property differs, as the protocol numbers the kinds.
type DiffKind uint8

// The kinds. The replacing ones make a new resource necessary.
const (
	DiffAdd DiffKind = iota
	DiffAddReplace
	DiffDelete
	DiffDeleteReplace
	DiffUpdate
	DiffUpdateReplace
)

// PropertyDiff is one difference. Input says that it is one between old and
// new inputs, and not between old outputs and new inputs.
type PropertyDiff struct {
	Kind  DiffKind
	Input bool
}

// DiffResponse says what an update would do. Changed and Replaces are
// top-level properties, sorted; every one of Changed has a path in Detailed,
// and every path in Detailed begins with one of Changed. Whether to delete
// before a replacement is not among it: a Terraform schema does not say that
// names are unique, and Pulumi's own bridge for such providers leaves it to the
// program as well.
type DiffResponse struct {
	Changed  []string
	Replaces []string
	Detailed map[string]PropertyDiff
}

// CreateRequest is CreateRequest of the Pulumi protocol.
type CreateRequest struct {
	Resource
	Inputs  property.Map
	Timeout time.Duration // 0 is the provider's own
	Preview bool
}

// CreateResponse is a new resource. A preview has no ID, and computed
// outputs where the provider cannot know them yet.
type CreateResponse struct {
	ID      string
	Outputs property.Map
}

// ReadRequest is ReadRequest of the Pulumi protocol. Without stored outputs
// it asks for an import of ID.
type ReadRequest struct {
	Resource
	ID              string
	Outputs, Inputs property.Map
	Timeout         time.Duration
}

// ReadResponse is what there is now. An empty ID says that it is gone.
type ReadResponse struct {
	ID              string
	Outputs, Inputs property.Map
}

// UpdateRequest is UpdateRequest of the Pulumi protocol.
type UpdateRequest struct {
	Resource
	ID string
	// Olds are the stored outputs. The stored inputs make no difference.
	Olds, News    property.Map
	IgnoreChanges []string
	Timeout       time.Duration
	Preview       bool
}

// UpdateResponse is the resource as it is now, or would be.
type UpdateResponse struct{ Outputs property.Map }

// DeleteRequest is DeleteRequest of the Pulumi protocol.
type DeleteRequest struct {
	Resource
	ID      string
	Outputs property.Map
	Timeout time.Duration
}

// InvokeRequest calls the function of a token.
type InvokeRequest struct {
	Token string
	Args  property.Map
}

// InvokeResponse is what a function returned. Its Return may hold secrets
// and, where arguments were unknown, computed values.
type InvokeResponse struct {
	Return   property.Map
	Failures []Failure
}

// CallRequest calls a method: its arguments are without the receiver.
type CallRequest struct {
	Token string
	Args  property.Map
}

// ListRequest is ListRequest of the Pulumi protocol.
type ListRequest struct {
	Token string
	Query property.Map
	// Limit bounds all pages from this one on together, as that of the first
	// page does throughout, and PageSize this one; less than 1 is no bound.
	Limit, PageSize int64
	// Continuation asks for the next page, in the words of the page before.
	Continuation string
}

// Listed is one thing that exists. ID is what a read can import it by.
type Listed struct{ ID, Name string }

// ListResponse is one page. Computed says that the query is not known yet,
// so that nothing was listed. Continuation is "" on the last page.
type ListResponse struct {
	Computed     bool
	Results      []Listed
	Continuation string
}

// ConfigRequest is about the provider's configuration. Values may stand in
// strings as JSON, as the engine sends them.
type ConfigRequest struct {
	URN        string
	Olds, News property.Map
}
