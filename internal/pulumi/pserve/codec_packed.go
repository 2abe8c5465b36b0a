package pserve

import (
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// packingCodec leaves the structs of a message packed: their fields stand among
// the unknown fields, in their encoded form.
type packingCodec struct{ codec }

// Unmarshal implements encoding.CodecV2.
func (c packingCodec) Unmarshal(data mem.BufferSlice, v any) error {
	message, ok := v.(proto.Message)
	if !ok {
		return c.codec.Unmarshal(data, v)
	}
	rest, ok := keepStructs(data.Materialize(), message.ProtoReflect())
	if !ok {
		return c.codec.Unmarshal(data, v)
	}
	return proto.UnmarshalOptions{Merge: true}.Unmarshal(rest, message)
}

// keepStructs packs the structs that data has for fields of a new message, and
// returns the other fields. ok is false where the protobuf library must judge:
// data is malformed, or has a struct in two parts.
func keepStructs(data []byte, message protoreflect.Message) (rest []byte, ok bool) {
	fields := message.Descriptor().Fields()
	for len(data) > 0 {
		number, typ, head := protowire.ConsumeTag(data)
		if head < 0 {
			return nil, false
		}
		size := protowire.ConsumeFieldValue(number, typ, data[head:])
		if size < 0 {
			return nil, false
		}
		if field := fields.ByNumber(number); typ != protowire.BytesType || !isStruct(field) {
			rest = append(rest, data[:head+size]...)
		} else if message.Has(field) {
			return nil, false
		} else {
			inner, _ := protowire.ConsumeBytes(data[head:])
			message.Mutable(field).Message().SetUnknown(inner)
		}
		data = data[head+size:]
	}
	return rest, true
}

// isStruct reports whether a field is one google.protobuf.Struct.
func isStruct(field protoreflect.FieldDescriptor) bool {
	return field != nil && field.Kind() == protoreflect.MessageKind && !field.IsList() && !field.IsMap() &&
		field.ContainingOneof() == nil && field.Message().FullName() == "google.protobuf.Struct"
}
