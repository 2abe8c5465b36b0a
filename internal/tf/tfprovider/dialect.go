package tfprovider

import (
	"github.com/formation-iac/formation/internal/tf/tfschema"
	"github.com/formation-iac/formation/internal/tf/wire"
)

// dialect is all that differs between protocols 5 and 6: what the RPCs are
// called and how a schema is written.
type dialect struct {
	version      int
	methods      wire.Methods
	decodeSchema func([]byte) (*tfschema.Schema, error)
}

// dialects returns the protocols offered at the handshake, by version.
func dialects() map[int]dialect {
	five := schemaDecoder{writeOnly: 10<<3 | varint, deprecationMessage: 11<<3 | length}
	six := schemaDecoder{nestedType: 10<<3 | length, writeOnly: 11<<3 | varint, deprecationMessage: 12<<3 | length}
	return map[int]dialect{
		5: {version: 5, methods: wire.Protocol5(), decodeSchema: five.decode},
		6: {version: 6, methods: wire.Protocol6(), decodeSchema: six.decode},
	}
}
