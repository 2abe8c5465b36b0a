package pserve

import (
	"bytes"
	"strings"
	"testing"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

// TestCodec writes messages as the protobuf library does.
func TestCodec(t *testing.T) {
	t.Parallel()
	for _, message := range []proto.Message{
		&pulumirpc.GetSchemaResponse{}, &pulumirpc.GetSchemaResponse{Schema: "{}"},
		&pulumirpc.GetSchemaResponse{Schema: strings.Repeat("ü", 1<<20)},
		(*pulumirpc.GetSchemaResponse)(nil), &pulumirpc.PluginInfo{Version: "1.2.3"},
	} {
		want, err := proto.Marshal(message)
		if err != nil {
			t.Fatal(err)
		}
		got, err := newCodec().Marshal(message)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(want, got.Materialize()) {
			t.Errorf("%T of %d bytes is written otherwise", message, len(want))
		}
	}
}

// FuzzSchemaCodec reads answers with schemas, in pieces, as the protobuf
// library does.
func FuzzSchemaCodec(f *testing.F) {
	for _, message := range []*pulumirpc.GetSchemaResponse{{}, {Schema: "{}"}, {Schema: strings.Repeat("ü", 100)}} {
		data, err := proto.Marshal(message)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, 1)
		f.Add(append(data, data...), 3)
	}
	f.Add([]byte{schemaField<<3 | 2, 1, 0xff}, 2)
	f.Add([]byte{schemaField<<3 | 2, 0x80, 0x80}, 2)
	f.Fuzz(func(t *testing.T, data []byte, cut int) {
		cut = max(0, min(cut, len(data)))
		got := pulumirpc.GetSchemaResponse{Schema: "before"}
		err := ClientCodec().Unmarshal(mem.BufferSlice{mem.SliceBuffer(data[:cut]), mem.SliceBuffer(data[cut:])}, &got)
		var want pulumirpc.GetSchemaResponse
		if wantErr := proto.Unmarshal(data, &want); (err == nil) != (wantErr == nil) {
			t.Fatalf("got %v, want %v", err, wantErr)
		}
		if err == nil && !proto.Equal(&want, &got) {
			t.Errorf("got %v, want %v", &got, &want)
		}
	})
}

// TestPacks leaves the structs of a usual request packed.
func TestPacks(t *testing.T) {
	t.Parallel()
	data, err := proto.Marshal(&pulumirpc.DiffRequest{Id: "i", Olds: thing("a"), News: &structpb.Struct{}})
	if err != nil {
		t.Fatal(err)
	}
	var got pulumirpc.DiffRequest
	if err := (Options{Packed: true}).codec().Unmarshal(mem.BufferSlice{mem.SliceBuffer(data)}, &got); err != nil {
		t.Fatal(err)
	}
	if olds := got.GetOlds(); got.GetId() != "i" || len(olds.GetFields()) > 0 || len(olds.ProtoReflect().GetUnknown()) == 0 || got.News == nil || got.OldInputs != nil {
		t.Errorf("got %v", &got)
	}
}

// FuzzPackingCodec reads arbitrary requests. They are the messages that the
// protobuf library reads, but for their structs, which come packed.
func FuzzPackingCodec(f *testing.F) {
	for _, req := range []proto.Message{
		&pulumirpc.DiffRequest{Id: "i", Urn: "urn", Olds: thing("a"), News: thing("b"), OldInputs: &structpb.Struct{}, IgnoreChanges: []string{"x", "y"}},
		&pulumirpc.DiffRequest{}, &pulumirpc.CreateRequest{Properties: thing("a"), Timeout: 1.5, Preview: true},
	} {
		data, err := proto.Marshal(req)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		f.Add(append(data, data...)) // what comes twice is one message
	}
	f.Add([]byte("\x22\x011\x22\x0100")) // in two parts, of which neither is one
	f.Fuzz(func(t *testing.T, data []byte) {
		var want, got, unpacked pulumirpc.DiffRequest
		wantErr := proto.Unmarshal(data, &want)
		err := Options{Packed: true}.codec().Unmarshal(mem.BufferSlice{mem.SliceBuffer(data)}, &got)
		if err == nil { // what is inside is looked at later
			var again []byte
			if again, err = proto.Marshal(&got); err == nil {
				err = proto.Unmarshal(again, &unpacked)
			}
		}
		if (err == nil) != (wantErr == nil) || err == nil && !proto.Equal(&unpacked, &want) {
			t.Errorf("% x is %v, %v, and unpacked %v, %v", data, &want, wantErr, &unpacked, err)
		}
	})
}

func thing(name string) *structpb.Struct {
	return &structpb.Struct{Fields: map[string]*structpb.Value{"name": structpb.NewStringValue(name)}}
}
