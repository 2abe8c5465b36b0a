package pserve

import (
	"encoding/binary"
	"unicode/utf8"
	"unsafe"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/formation-iac/formation/internal/base/bigtext"
)

// codec is gRPC's own, but for schemas: these have tens of megabytes, and are
// sent from where they are, and received to where they stay, instead of by way
// of copies. That halves the time and the memory of a served schema.
type codec struct{ encoding.CodecV2 }

// ClientCodec is the codec for clients of plugins.
func ClientCodec() encoding.CodecV2 { return newCodec() }

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

// Unmarshal implements encoding.CodecV2.
func (c codec) Unmarshal(data mem.BufferSlice, v any) error {
	if response, ok := v.(*pulumirpc.GetSchemaResponse); ok {
		if text, ok := soleSchema(data); ok {
			response.Reset()
			response.Schema = text
			return nil
		}
	}
	return c.CodecV2.Unmarshal(data, v)
}

// soleSchema is the schema in a message that has that and nothing else, as
// nearly all have.
func soleSchema(data mem.BufferSlice) (text string, ok bool) {
	head := make([]byte, min(data.Len(), protowire.SizeTag(schemaField)+binary.MaxVarintLen64))
	data.CopyTo(head)
	field, kind, tag := protowire.ConsumeTag(head)
	if tag < 0 || field != schemaField || kind != protowire.BytesType {
		return "", false
	}
	length, size := protowire.ConsumeVarint(head[tag:])
	if size < 0 || length != uint64(data.Len()-tag-size) {
		return "", false
	}
	var out bigtext.Builder
	out.Grow(int(length))
	skip := tag + size
	for _, piece := range data {
		bytes := piece.ReadOnlyData()
		from := min(skip, len(bytes))
		skip -= from
		_, _ = out.Write(bytes[from:])
	}
	return out.String(), utf8.ValidString(out.String())
}
