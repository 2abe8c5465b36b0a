package tfprovider

import (
	"google.golang.org/protobuf/proto"

	"github.com/formation-iac/formation/internal/tf/tfschema"
	"github.com/formation-iac/formation/internal/tf/wire"
)

func decodeSchema5(data []byte) (*tfschema.Schema, error) {
	var s wire.Schema5
	if err := proto.Unmarshal(data, &s); err != nil {
		return nil, err
	}
	block, err := block5(s.GetBlock())
	if err != nil {
		return nil, err
	}
	return &tfschema.Schema{Version: s.GetVersion(), Block: block}, nil
}

func block5(b *wire.Block5) (*tfschema.Block, error) {
	attributes, err := each(b.GetAttributes(), func(a *wire.Attribute5) (*tfschema.Attribute, error) { return attribute(a) })
	if err != nil {
		return nil, err
	}
	blocks, err := each(b.GetBlockTypes(), nestedBlock5)
	if err != nil {
		return nil, err
	}
	return newBlock(b, attributes, blocks)
}

func nestedBlock5(n *wire.NestedBlock5) (*tfschema.NestedBlock, error) {
	body, err := block5(n.GetBlock())
	if err != nil {
		return nil, err
	}
	return nestedBlock(n, body)
}
