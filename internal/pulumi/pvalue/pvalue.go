// Package pvalue carries Pulumi's property values to and from the wire of its
// plugin protocol, where they are protobuf structs with signatures for what
// JSON has no form for. The model is property.Value of Pulumi's SDK.
//
// It knows nothing of Terraform: the crossing is mapping/translate.
package pvalue

import (
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"google.golang.org/protobuf/types/known/structpb"
)

// Options say what the reader of a result understands, be it a peer (Encode)
// or this process (Decode). What it does not understand is put in the nearest
// plain form. Peers agree on them in Handshake and Configure.
type Options struct {
	// Secrets keeps marks of secrecy; without it, values stand bare.
	Secrets bool
	// Resources keeps references to resources; without it, a resource's ID
	// stands for it, or its URN where it can have no ID.
	Resources bool
	// Outputs keeps what a value depends on, and of such a value whether it
	// is secret.
	Outputs bool
	// ByteStrings allows strings that are not UTF-8; without it, they are
	// errors.
	ByteStrings bool
}

// Everything keeps all that the model holds, byte strings included.
func Everything() Options {
	return Options{Secrets: true, Resources: true, Outputs: true, ByteStrings: true}
}

// maxDepth bounds how deep values nest, far beyond any schema: readers
// recurse. It leaves room below protobuf's own limit.
const maxDepth = 1000

// Decode reads the properties of a message, which may be packed. No message at
// all is an empty map. Errors are of type [*PathError].
func Decode(message *structpb.Struct, opts Options) (property.Map, error) {
	if properties, ok := unpack(message, opts); ok {
		return properties, nil
	}
	message, err := unpacked(message)
	if err != nil {
		return property.Map{}, atRoot(err)
	}
	return (&decoder{opts}).properties(message, 0)
}

// DecodeValue reads one value, as [Decode] does.
func DecodeValue(message *structpb.Value, opts Options) (property.Value, error) {
	v, err := (&decoder{opts}).value(message, 0)
	return v, atRoot(err)
}

// Encode writes properties into a new message. Errors are of type
// [*PathError]; only bytes that are not UTF-8, a key that is reserved for
// signatures, and values nested too deep give one.
func Encode(properties property.Map, opts Options) (*structpb.Struct, error) {
	return (&encoder{opts}).properties(properties, 0)
}

// EncodeValue writes one value, as [Encode] does.
func EncodeValue(value property.Value, opts Options) (*structpb.Value, error) {
	v, err := (&encoder{opts}).value(value, 0)
	return v, atRoot(err)
}
