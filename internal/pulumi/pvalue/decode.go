package pvalue

import (
	"errors"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/sig"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"google.golang.org/protobuf/types/known/structpb"
)

type decoder struct{ opts Options }

// properties decodes every field. Of several errors it returns that of the
// first key, so that the same message gives the same error.
func (d *decoder) properties(message *structpb.Struct, depth int) (property.Map, error) {
	if _, signed := message.GetFields()[sig.Key]; signed { // a message's own properties have no signature
		return property.Map{}, inKey(sig.Key, errReservedKey)
	}
	out := make(map[string]property.Value, len(message.GetFields()))
	var failedKey string
	var failure error
	for key, field := range message.GetFields() {
		v, err := d.value(field, depth+1)
		if err != nil && (failure == nil || key < failedKey) {
			failedKey, failure = key, err
		}
		out[key] = v
	}
	if failure != nil {
		return property.Map{}, inKey(failedKey, failure)
	}
	return property.NewMap(out), nil
}

func (d *decoder) value(message *structpb.Value, depth int) (property.Value, error) {
	if depth > maxDepth {
		return property.Value{}, errTooDeep
	}
	switch kind := message.GetKind().(type) {
	case *structpb.Value_NullValue:
		return property.Value{}, nil
	case *structpb.Value_BoolValue:
		return property.New(kind.BoolValue), nil
	case *structpb.Value_NumberValue:
		return property.New(kind.NumberValue), nil
	case *structpb.Value_StringValue:
		if sig.IsUnknown(kind.StringValue) {
			return property.New(property.Computed), nil
		}
		return property.New(kind.StringValue), nil
	case *structpb.Value_ListValue:
		return d.array(kind.ListValue, depth)
	case *structpb.Value_StructValue:
		return d.structure(kind.StructValue, depth)
	}
	return property.Value{}, errors.New("the message holds no value")
}

func (d *decoder) array(message *structpb.ListValue, depth int) (property.Value, error) {
	out := make([]property.Value, len(message.GetValues()))
	for i, element := range message.GetValues() {
		v, err := d.value(element, depth+1)
		if err != nil {
			return property.Value{}, inIndex(i, err)
		}
		out[i] = v
	}
	return property.New(property.NewArray(out)), nil
}

// structure decodes a plain map, or what the signature in it says.
func (d *decoder) structure(message *structpb.Struct, depth int) (property.Value, error) {
	signature, ok := message.GetFields()[sig.Key]
	if !ok {
		properties, err := d.properties(message, depth)
		return property.New(properties), err
	}
	fields := message.GetFields()
	switch signature.GetStringValue() {
	case sig.Secret:
		return d.secret(fields, depth)
	case sig.OutputValue:
		return d.output(fields, depth)
	case sig.ResourceReference:
		return d.reference(fields, depth)
	case sig.ByteString:
		return d.byteString(fields)
	case sig.AssetSig:
		a, err := decodeAsset(fields)
		return property.New(a), err
	case sig.ArchiveSig:
		a, err := decodeArchive(fields, depth)
		return property.New(a), err
	}
	return property.Value{}, errors.New("the object has a signature that is not known")
}
