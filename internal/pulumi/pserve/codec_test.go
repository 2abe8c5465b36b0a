package pserve

import (
	"bytes"
	"strings"
	"testing"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/protobuf/proto"
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
