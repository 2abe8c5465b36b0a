package tfprovider

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/formation-iac/formation/internal/tf/tfschema"
	"github.com/formation-iac/formation/internal/tf/wire"
)

// Field numbers of GetProviderSchema.Response, the same in both protocols.
const (
	fieldProvider     = 1
	fieldResources    = 2
	fieldDataSources  = 3
	fieldDiagnostics  = 4
	fieldProviderMeta = 5
	fieldCapabilities = 6
	fieldFunctions    = 7
	fieldEphemeral    = 8
	fieldList         = 9
)

// schemaIndex knows where each schema lies in the bytes of a
// GetProviderSchema response, so that a type is decoded only when it is
// asked for. It is a [tfschema.Decoder].
type schemaIndex struct {
	decode       func([]byte) (*tfschema.Schema, error)
	schemas      map[tfschema.Kind]map[string][]byte
	names        map[tfschema.Kind][]string
	functions    map[string][]byte
	identities   map[string][]byte
	capabilities tfschema.Capabilities
	diagnostics  []*wire.Diagnostic
}

// newSchemaIndex indexes response, and identities, the bytes of a
// GetResourceIdentitySchemas response or nil. It keeps both.
func newSchemaIndex(d dialect, response, identities []byte) (*schemaIndex, error) {
	x := &schemaIndex{
		decode:     d.decodeSchema,
		schemas:    map[tfschema.Kind]map[string][]byte{},
		names:      map[tfschema.Kind][]string{},
		functions:  map[string][]byte{},
		identities: map[string][]byte{},
	}
	if err := eachField(response, x.addSchemaField); err != nil {
		return nil, fmt.Errorf("malformed provider schema: %w", err)
	}
	if err := eachField(identities, x.addIdentityField); err != nil {
		return nil, fmt.Errorf("malformed identity schemas: %w", err)
	}
	for kind, byName := range x.schemas {
		x.names[kind] = slices.Sorted(maps.Keys(byName))
	}
	return x, nil
}

// blank reports whether nothing can be done with the provider. Such an answer
// is more likely a mishap than the truth, and is not to be kept: whoever kept
// it would find no type in the provider ever after.
func (x *schemaIndex) blank() bool {
	types := 0
	for _, kind := range []tfschema.Kind{tfschema.KindResource, tfschema.KindDataSource, tfschema.KindEphemeral, tfschema.KindList} {
		types += len(x.schemas[kind])
	}
	return types+len(x.functions) == 0
}

func (x *schemaIndex) addSchemaField(number protowire.Number, value []byte) error {
	switch number {
	case fieldProvider:
		return x.put(tfschema.KindProvider, "", value)
	case fieldProviderMeta:
		return x.put(tfschema.KindProviderMeta, "", value)
	case fieldResources:
		return x.putEntry(tfschema.KindResource, value)
	case fieldDataSources:
		return x.putEntry(tfschema.KindDataSource, value)
	case fieldEphemeral:
		return x.putEntry(tfschema.KindEphemeral, value)
	case fieldList:
		return x.putEntry(tfschema.KindList, value)
	case fieldFunctions:
		name, body, err := mapEntry(value)
		x.functions[name] = body
		return err
	case fieldCapabilities:
		return x.setCapabilities(value)
	case fieldDiagnostics:
		var d wire.Diagnostic
		x.diagnostics = append(x.diagnostics, &d)
		return proto.Unmarshal(value, &d)
	default:
		return nil
	}
}

func (x *schemaIndex) put(kind tfschema.Kind, name string, value []byte) error {
	if x.schemas[kind] == nil {
		x.schemas[kind] = map[string][]byte{}
	}
	x.schemas[kind][name] = value
	return nil
}

func (x *schemaIndex) putEntry(kind tfschema.Kind, entry []byte) error {
	name, body, err := mapEntry(entry)
	if err != nil {
		return err
	}
	return x.put(kind, name, body)
}

func (x *schemaIndex) setCapabilities(value []byte) error {
	var c wire.ServerCapabilities
	if err := proto.Unmarshal(value, &c); err != nil {
		return err
	}
	x.capabilities = tfschema.Capabilities{
		PlanDestroy:               c.GetPlanDestroy(),
		GetProviderSchemaOptional: c.GetGetProviderSchemaOptional(),
		MoveResourceState:         c.GetMoveResourceState(),
		GenerateResourceConfig:    c.GetGenerateResourceConfig(),
	}
	return nil
}

func (x *schemaIndex) addIdentityField(number protowire.Number, value []byte) error {
	if number != 1 { // identity_schemas; diagnostics are seen when first fetched
		return nil
	}
	name, body, err := mapEntry(value)
	x.identities[name] = body
	return err
}

// same reports whether another index has the same schemas, byte for byte.
// Providers send them in an order that differs from one answer to the next.
func (x *schemaIndex) same(other *schemaIndex) bool {
	equal := func(a, b map[string][]byte) bool { return maps.EqualFunc(a, b, bytes.Equal) }
	return x.capabilities == other.capabilities && maps.EqualFunc(x.schemas, other.schemas, equal) &&
		equal(x.functions, other.functions) && equal(x.identities, other.identities)
}

// Names implements [tfschema.Decoder].
func (x *schemaIndex) Names(kind tfschema.Kind) []string { return x.names[kind] }

// IdentityNames implements [tfschema.Decoder].
func (x *schemaIndex) IdentityNames() []string { return slices.Sorted(maps.Keys(x.identities)) }

// FunctionNames implements [tfschema.Decoder].
func (x *schemaIndex) FunctionNames() []string { return slices.Sorted(maps.Keys(x.functions)) }

// Capabilities implements [tfschema.Decoder].
func (x *schemaIndex) Capabilities() tfschema.Capabilities { return x.capabilities }

// Schema implements [tfschema.Decoder].
func (x *schemaIndex) Schema(kind tfschema.Kind, name string) (*tfschema.Schema, error) {
	data, ok := x.schemas[kind][name]
	if !ok {
		return nil, nil
	}
	return x.decode(data)
}

// Identity implements [tfschema.Decoder].
func (x *schemaIndex) Identity(resourceType string) (*tfschema.Identity, error) {
	data, ok := x.identities[resourceType]
	if !ok {
		return nil, nil
	}
	var s wire.ResourceIdentitySchema
	if err := proto.Unmarshal(data, &s); err != nil {
		return nil, err
	}
	return identity(&s)
}

// Function implements [tfschema.Decoder].
func (x *schemaIndex) Function(name string) (*tfschema.Function, error) {
	data, ok := x.functions[name]
	if !ok {
		return nil, nil
	}
	var f wire.Function
	if err := proto.Unmarshal(data, &f); err != nil {
		return nil, err
	}
	return function(name, &f)
}

// eachField calls visit with every length-delimited field of message, and
// passes over the others, which a later protocol may bring.
func eachField(data []byte, visit func(protowire.Number, []byte) error) error {
	m := message{data: data}
	for f := (field{}); m.next(&f); {
		if f.tag&7 == length {
			m.fail(visit(protowire.Number(f.tag>>3), f.body))
		}
	}
	return m.err
}

// mapEntry splits one entry of a protobuf map<string, message>.
func mapEntry(entry []byte) (key string, value []byte, err error) {
	err = eachField(entry, func(number protowire.Number, field []byte) error {
		switch number {
		case 1:
			key = string(field)
		case 2:
			value = field
		}
		return nil
	})
	return key, value, err
}
