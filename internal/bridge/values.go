package bridge

import (
	"math"
	"strings"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/formation-iac/formation/internal/bridge/lifecycle"
	"github.com/formation-iac/formation/internal/pulumi/pvalue"
)

// reader decodes the parts of one request and keeps the first error.
type reader struct{ err error }

// properties decodes the request's field of that name.
func (r *reader) properties(field string, message *structpb.Struct) property.Map {
	out, err := pvalue.Decode(message, pvalue.Everything())
	if err != nil && r.err == nil {
		r.err = status.Errorf(codes.InvalidArgument, "The %s of the request cannot be read: %s. This is a fault of what calls the provider.", field, err)
	}
	return out
}

// encode writes properties of an answer in forms that the engine takes. They
// are packed.
func (b *bridge) encode(properties property.Map) (*structpb.Struct, error) {
	message, err := pvalue.Pack(properties, pvalue.Options{
		Secrets: !b.plain.Load(), Resources: true, ByteStrings: b.engine.Handshake().GetAcceptsByteString(),
	})
	if err != nil {
		// What was asked for may have been done: the engine has to keep that in mind.
		return nil, status.Errorf(codes.Unknown, "The engine cannot take an answer of the provider: %s. A newer release of Pulumi may.", err)
	}
	return message, nil
}

// named is a request about a resource.
type named interface {
	GetUrn() string
	GetName() string
	GetType() string
}

// resource says which resource a request is about. Older engines say it in the
// URN alone: urn:pulumi:STACK::PROJECT::PARENT$TYPE::NAME.
func resource(req named) lifecycle.Resource {
	r := lifecycle.Resource{URN: req.GetUrn(), Token: req.GetType(), Name: req.GetName()}
	parts := strings.SplitN(r.URN, "::", 4)
	if len(parts) < 4 {
		return r
	}
	if r.Token == "" {
		r.Token = parts[2][strings.LastIndex(parts[2], "$")+1:]
	}
	if r.Name == "" {
		r.Name = parts[3]
	}
	return r
}

// timeout converts seconds. What is no time at all is the provider's own.
func timeout(seconds float64) time.Duration {
	switch {
	case !(seconds > 0):
		return 0
	case seconds >= math.MaxInt64/float64(time.Second):
		return math.MaxInt64
	default:
		return time.Duration(seconds * float64(time.Second))
	}
}
