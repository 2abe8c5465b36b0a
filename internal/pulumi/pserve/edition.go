package pserve

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
)

// A schema may have tens of megabytes, and a client may hold it from an earlier
// run. As with HTTP's entity tags (RFC 9110, section 8.8.3), a plugin may name
// the edition of a schema beside its answer, and a client says beside its
// request which edition it holds: the answer to that one is an empty schema.
// Who knows nothing of tags sends none, and gets every schema.
const (
	// SchemaTag is the header of an answer to GetSchema that has the edition.
	SchemaTag = "formation-schema-tag"
	// SchemaHeld is the metadata of a request that has the client's edition.
	SchemaHeld = "formation-schema-held"
)

// HeldSchema is the edition that the client of a call holds; or "".
func HeldSchema(ctx context.Context) string {
	if held := metadata.ValueFromIncomingContext(ctx, SchemaHeld); len(held) > 0 {
		return held[0]
	}
	return ""
}

// TagSchema names the edition of the schema that a call is answered with.
func TagSchema(ctx context.Context, tag string) error {
	return grpc.SetHeader(ctx, metadata.Pairs(SchemaTag, tag))
}
