package estateprovider

import (
	"context"
	"fmt"
	"strings"

	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/formation-iac/formation/internal/testkit/estateapi"
)

// definition is all that distinguishes one resource type from another. Where
// nothing else is said, an attribute has the name of its API field.
type definition struct {
	// noun follows the provider's name: "network" makes estate_network.
	noun string
	// kind is the API's plural.
	kind   string
	schema schema.Schema
	// identity lists the attributes of the identity, in the order in which
	// the import id joins them with "/".
	identity []string
	// local attributes live in the state alone: never sent, never read.
	local []string
	// unread attributes are sent and never answered.
	unread []string
	// writeOnly pairs a write-only attribute with the API field that it sets
	// and the attribute whose change sends it again.
	writeOnly *writeOnly
	// validators check attributes against each other.
	validators []resource.ConfigValidator
	// keepsPrivate types leave a mark in the private state at every read, and
	// refuse to change or delete a resource whose mark is lost.
	keepsPrivate bool
	// former is the type that this one was once called, or nil.
	former *former
	// beforeDelete makes room for a deletion.
	beforeDelete func(context.Context, tftypes.Value, *estateapi.Client) error
	// list is nil for types that cannot be listed.
	list *listing
}

type writeOnly struct{ attribute, field, version string }

// listing describes a list block: its arguments are filters of the API.
type listing struct {
	schema  listschema.Schema
	filters []string
}

// typeName is the full name of the resource type.
func (d definition) typeName() string { return "estate_" + d.noun }

// parts splits an import id into one value for each identity attribute. Only
// the last part of an id may hold slashes.
func (d definition) parts(id string) ([]string, error) {
	parts := strings.SplitN(id, "/", len(d.identity))
	for _, part := range parts {
		if part == "" {
			parts = nil
		}
	}
	if len(parts) != len(d.identity) {
		return nil, fmt.Errorf("the import id of %s is %s, not %q",
			d.typeName(), strings.Join(d.identity, "/"), id)
	}
	return parts, nil
}

// definitions lists every resource type.
func definitions() []definition {
	return []definition{
		networkType(), subnetType(), securityGroupType(),
		roleType(), bucketType(), bucketObjectType(),
		instanceType(), dnsRecordType(), dbUserType(), ledgerType(),
	}
}
