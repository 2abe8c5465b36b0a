package tfprovider

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/formation-iac/formation/internal/tf/tfschema"
	"github.com/formation-iac/formation/internal/tf/wire"
)

func decodeSchema6(data []byte) (*tfschema.Schema, error) {
	var s wire.Schema6
	if err := proto.Unmarshal(data, &s); err != nil {
		return nil, err
	}
	block, err := block6(s.GetBlock())
	if err != nil {
		return nil, err
	}
	return &tfschema.Schema{Version: s.GetVersion(), Block: block}, nil
}

func block6(b *wire.Block6) (*tfschema.Block, error) {
	attributes, err := each(b.GetAttributes(), attribute6)
	if err != nil {
		return nil, err
	}
	blocks, err := each(b.GetBlockTypes(), nestedBlock6)
	if err != nil {
		return nil, err
	}
	return newBlock(b, attributes, blocks)
}

func nestedBlock6(n *wire.NestedBlock6) (*tfschema.NestedBlock, error) {
	body, err := block6(n.GetBlock())
	if err != nil {
		return nil, err
	}
	return nestedBlock(n, body)
}

// attribute6 is attribute with the nested objects that protocol 6 added.
func attribute6(a *wire.Attribute6) (*tfschema.Attribute, error) {
	if a.GetNestedType() == nil {
		return attribute(a)
	}
	nested, err := object6(a.GetNestedType())
	if err != nil {
		return nil, fmt.Errorf("attribute %q: %w", a.GetName(), err)
	}
	out := attributeFlags(a)
	out.Nested, out.Type = nested, nested.ImpliedType()
	return out, nil
}

func object6(o *wire.Object6) (*tfschema.Object, error) {
	nesting, err := nestingMode(o.GetNesting(), objectNestings)
	if err != nil {
		return nil, err
	}
	attributes, err := each(o.GetAttributes(), attribute6)
	if err != nil {
		return nil, err
	}
	if err := sortAttributes(attributes); err != nil {
		return nil, err
	}
	out := &tfschema.Object{Nesting: nesting, Attributes: attributes}
	if nesting == tfschema.NestingSet && out.ImpliedType().HasDynamicTypes() {
		return nil, errors.New("a set of objects cannot hold attributes of dynamic type")
	}
	return out, nil
}
