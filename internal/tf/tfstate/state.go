package tfstate

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/google/uuid"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// WriterVersion is the terraform_version that new states say they come from.
// It is older than every release that matters and younger than the format:
// OpenTofu split off from Terraform 1.5, so that neither family takes such a
// state for that of a newer release.
const WriterVersion = "1.5.0"

// State is one state snapshot.
type State struct {
	TerraformVersion string
	Serial           uint64
	// Lineage tells snapshots of one state from those of another. It is
	// never empty in states that the tools write since version 3.
	Lineage string
	// Outputs are those of the root module, by name.
	Outputs   map[string]Output
	Resources []Resource
	// CheckResults is the member's JSON array, or nil.
	CheckResults json.RawMessage
	Unknown      Members
}

// New returns an empty state of a new lineage, drawn from rand.
func New(rand io.Reader) (*State, error) {
	id, err := uuid.NewRandomFromReader(rand)
	if err != nil {
		return nil, fmt.Errorf("drawing a lineage: %w", err)
	}
	return &State{TerraformVersion: WriterVersion, Serial: 1, Lineage: id.String()}, nil
}

// Members are the JSON members of an object that this package does not know,
// in file order.
type Members []Member

// Member is one name and its JSON value.
type Member struct {
	Name  string
	Value json.RawMessage
}

// Output is a root module output. Value is JSON under Type, which is cty's
// JSON form of a type.
type Output struct {
	Value, Type json.RawMessage
	Sensitive   bool
	Deprecated  string // OpenTofu only
	Unknown     Members
}

// NewOutput encodes v, which is wholly known, with its own type.
func NewOutput(v cty.Value, sensitive bool) (Output, error) {
	v = ctyx.Unmark(v)
	value, err := ctyx.EncodeJSON(v, v.Type())
	if err != nil {
		return Output{}, err
	}
	ty, err := ctyjson.MarshalType(v.Type())
	if err != nil {
		return Output{}, err
	}
	return Output{Value: value, Type: ty, Sensitive: sensitive}, nil
}

// Decode returns the output's value.
func (o Output) Decode() (cty.Value, error) {
	ty, err := ctyjson.UnmarshalType(o.Type)
	if err != nil {
		return cty.NilVal, fmt.Errorf("type: %w", err)
	}
	return ctyx.DecodeJSON(o.Value, ty)
}

// Resource is a resource block's part of the state: its instances.
type Resource struct {
	// Module is the address of the module instance, such as
	// `module.a["k"].module.b`; "" is the root module.
	Module string
	Addr   tfaddr.Resource
	// Each is "list" or "map" in old version 4 files, else "".
	Each string
	// Provider and Alias name the provider configuration, ProviderModule the
	// module that has it. See [IsLegacyProvider].
	Provider       tfaddr.Provider
	Alias          string
	ProviderModule string
	Instances      []Instance
	Unknown        Members
}

// String returns the resource's absolute address.
func (r Resource) String() string {
	if r.Module == "" {
		return r.Addr.String()
	}
	return r.Module + "." + r.Addr.String()
}

// InstanceAddress returns the absolute address of an instance of r.
func (r Resource) InstanceAddress(i Instance) string {
	addr := r.String()
	if i.Key != cty.NilVal {
		addr += ctyx.PathString(cty.Path{cty.IndexStep{Key: i.Key}})
	}
	return addr
}

// StatusTainted is the status of an object to be replaced; "" is ready.
const StatusTainted = "tainted"

// Instance is one object of a resource: current, or deposed where Deposed
// has its key of eight hexadecimal digits.
type Instance struct {
	// Key is a known string or whole number, or cty.NilVal.
	Key     cty.Value
	Deposed string
	Status  string
	// ProviderKey is the for_each key of the provider configuration (OpenTofu
	// only), or cty.NilVal.
	ProviderKey   cty.Value
	SchemaVersion uint64
	// Attributes is a JSON object, or null where there is none; Flatmap is its
	// form in old states. At most one is set; with neither the object is empty.
	Attributes json.RawMessage
	Flatmap    map[string]string
	// SensitiveAttributes are paths into the object. Nil, which older files
	// have, is not the same as none in the file.
	SensitiveAttributes []cty.Path
	Identity            *Identity
	// Private is the provider's own data, decoded from base64.
	Private []byte
	// Dependencies are absolute resource addresses without keys.
	Dependencies        []string
	CreateBeforeDestroy bool
	Unknown             Members
}

// Identity is a resource identity. Where JSON is nil only the version of its
// schema was written.
type Identity struct {
	SchemaVersion uint64
	JSON          json.RawMessage
}

// legacyNamespace stands for "not known yet".
const legacyNamespace = "-"

// LegacyProvider is the address of a provider that a state older than
// Terraform 0.13 knows by type only: its host is "", its namespace "-".
func LegacyProvider(typ string) tfaddr.Provider {
	return tfaddr.Provider{Namespace: legacyNamespace, Type: typ}
}

// IsLegacyProvider reports whether configuration must say which provider p
// is.
func IsLegacyProvider(p tfaddr.Provider) bool {
	return p.Host == "" && p.Namespace == legacyNamespace
}
