package pserve

import (
	"unsafe"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"
)

// codec is gRPC's own, but for schemas: these have tens of megabytes, and are
// sent from where they are instead of from a copy. That halves the time and
// the memory of a served schema.
type codec struct{ encoding.CodecV2 }

func newCodec() codec { return codec{encoding.GetCodecV2(proto.Name)} }

func (o Options) codec() encoding.CodecV2 {
	if o.Packed {
		return packingCodec{newCodec()}
	}
	return newCodec()
}

// schemaField is the number of GetSchemaResponse.schema.
const schemaField = 1

// Marshal implements encoding.CodecV2.
func (c codec) Marshal(v any) (mem.BufferSlice, error) {
	response, ok := v.(*pulumirpc.GetSchemaResponse)
	if !ok || response.GetSchema() == "" {
		return c.CodecV2.Marshal(v)
	}
	text := response.GetSchema()
	head := protowire.AppendTag(nil, schemaField, protowire.BytesType)
	head = protowire.AppendVarint(head, uint64(len(text)))
	// gRPC reads the buffer and never writes to it, as a string's bytes need.
	body := unsafe.Slice(unsafe.StringData(text), len(text))
	return mem.BufferSlice{mem.SliceBuffer(head), mem.SliceBuffer(body)}, nil
}
