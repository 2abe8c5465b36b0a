package brokenprovider

import (
	"context"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"
)

// Wire answers calls with bytes of its own choice, below the level of messages.
// It returns false at once where the mode is another one, and true when the
// client has gone.
func (o Orders) Wire() (served bool) {
	answer, ok := o.answer()
	if !ok {
		return false
	}
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig: plugin.HandshakeConfig{
			MagicCookieKey:   "TF_PLUGIN_MAGIC_COOKIE",
			MagicCookieValue: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
		},
		VersionedPlugins: map[int]plugin.PluginSet{6: {"provider": nothing{}}},
		GRPCServer: func(opts []grpc.ServerOption) *grpc.Server {
			return grpc.NewServer(append(opts, grpc.UnknownServiceHandler(answer))...)
		},
	})
	return true
}

// nothing is a plugin without a service: every call is an unknown one.
type nothing struct{ plugin.NetRPCUnsupportedPlugin }

func (nothing) GRPCServer(*plugin.GRPCBroker, *grpc.Server) error { return nil }

func (nothing) GRPCClient(context.Context, *plugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, nil
}

// raw is a message that is encoded as the given bytes.
func raw(bytes []byte) proto.Message {
	m := &emptypb.Empty{}
	m.ProtoReflect().SetUnknown(bytes)
	return m
}

func (o Orders) answer() (grpc.StreamHandler, bool) {
	var bytes []byte
	switch o.Mode {
	case Noise:
		bytes = []byte{0x0a, 0x7f, 0xff, 0xfe} // field 1, 127 bytes long, of which two follow
	case Empty:
	case BadSchema:
		bytes = badSchema()
	case NoCalls:
		return func(_ any, stream grpc.ServerStream) error {
			method, _ := grpc.MethodFromServerStream(stream)
			return status.Errorf(codes.Unimplemented, "unknown method %s", method)
		}, true
	default:
		return nil, false
	}
	return func(_ any, stream grpc.ServerStream) error {
		if err := stream.RecvMsg(&emptypb.Empty{}); err != nil {
			return err
		}
		return stream.SendMsg(raw(bytes))
	}, true
}

// badSchema is a schema answer in which a resource's attribute has the type
// "{not a type". The numbers are those of protocol 6: resource_schemas 2, a map
// of key 1 and value 2; Schema.block 2; Block.attributes 2; Attribute.name 1
// and type 2.
func badSchema() []byte {
	attribute := field(1, []byte("name"))
	attribute = append(attribute, field(2, []byte("{not a type"))...)
	schema := field(2, field(2, attribute))
	entry := append(field(1, []byte("broken_thing")), field(2, schema)...)
	return append(field(1, field(2, nil)), field(2, entry)...)
}

func field(number protowire.Number, content []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), content)
}
