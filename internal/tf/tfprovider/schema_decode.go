package tfprovider

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// schemaDecoder decodes Schema messages, straight from the wire: of a large
// provider, messages on the way cost as much as all that is made of them. The
// later fields of Schema.Attribute have other numbers in protocol 5 than in 6;
// 0 stands for one that a protocol does not have.
//
// As in any decoder of protobuf, unknown fields are passed over, the last of
// several values counts, and several messages in one place are merged.
type schemaDecoder struct {
	nestedType, writeOnly, deprecationMessage tag
}

// decode decodes a Schema. Its texts share data, which is not to change.
func (d schemaDecoder) decode(data []byte) (*tfschema.Schema, error) {
	s, m := &tfschema.Schema{Block: &tfschema.Block{}}, &message{data: data}
	for f := (field{}); m.next(&f); {
		switch f.tag {
		case 1<<3 | varint:
			s.Version = int64(f.number)
		case 2<<3 | length:
			m.fail(d.block(s.Block, m.inner(&f)))
		}
	}
	m.fail(finishBlock(s.Block))
	return s, m.err
}

// block adds a Schema.Block to b, which is unchecked until all is there.
func (d schemaDecoder) block(b *tfschema.Block, m *message) error {
	room := make([]tfschema.Attribute, m.count(2<<3|length))
	for f := (field{}); m.next(&f); {
		switch f.tag {
		case 2<<3 | length:
			a := &room[0]
			room, b.Attributes = room[1:], append(b.Attributes, a)
			m.fail(d.attribute(a, m.inner(&f)))
		case 3<<3 | length:
			n := &tfschema.NestedBlock{Block: &tfschema.Block{}}
			b.Blocks = append(b.Blocks, n)
			m.fail(d.nestedBlock(n, m.inner(&f)))
		case 4<<3 | length:
			b.Description = m.string(&f)
		case 5<<3 | varint:
			b.Markdown = int32(f.number) == kindMarkdown
		case 6<<3 | varint:
			b.Deprecated = f.bool()
		case 7<<3 | length:
			b.DeprecationMessage = m.string(&f)
		}
	}
	return m.err
}

// nestedBlock decodes a Schema.NestedBlock.
func (d schemaDecoder) nestedBlock(n *tfschema.NestedBlock, m *message) error {
	var nesting int32
	for f := (field{}); m.next(&f); {
		switch f.tag {
		case 1<<3 | length:
			n.Name = m.string(&f)
		case 2<<3 | length:
			m.fail(d.block(n.Block, m.inner(&f)))
		case 3<<3 | varint:
			nesting = int32(f.number)
		case 4<<3 | varint:
			n.Min = int64(f.number)
		case 5<<3 | varint:
			n.Max = int64(f.number)
		}
	}
	m.fail(finishNestedBlock(n, nesting))
	return m.err
}

// attribute decodes a Schema.Attribute.
func (d schemaDecoder) attribute(a *tfschema.Attribute, m *message) error {
	var typeText []byte
	var nested *nestedObject
	for f := (field{}); m.next(&f); {
		switch f.tag {
		case 1<<3 | length:
			a.Name = m.string(&f)
		case 2<<3 | length:
			typeText = f.body
		case 3<<3 | length:
			a.Description = m.string(&f)
		case 4<<3 | varint:
			a.Required = f.bool()
		case 5<<3 | varint:
			a.Optional = f.bool()
		case 6<<3 | varint:
			a.Computed = f.bool()
		case 7<<3 | varint:
			a.Sensitive = f.bool()
		case 8<<3 | varint:
			a.Markdown = int32(f.number) == kindMarkdown
		case 9<<3 | varint:
			a.Deprecated = f.bool()
		case d.writeOnly:
			a.WriteOnly = f.bool()
		case d.deprecationMessage:
			a.DeprecationMessage = m.string(&f)
		case d.nestedType:
			if nested == nil {
				nested = &nestedObject{}
			}
			m.fail(d.object(nested, m.inner(&f)))
		}
	}
	m.fail(finishAttribute(a, typeText, nested))
	return m.err
}

// nestedObject is a Schema.Object, unchecked, and the number of its nesting.
type nestedObject struct {
	tfschema.Object
	nesting int32
}

// object adds a Schema.Object to o.
func (d schemaDecoder) object(o *nestedObject, m *message) error {
	for f := (field{}); m.next(&f); {
		switch f.tag {
		case 1<<3 | length:
			a := &tfschema.Attribute{}
			o.Attributes = append(o.Attributes, a)
			m.fail(d.attribute(a, m.inner(&f)))
		case 3<<3 | varint:
			o.nesting = int32(f.number)
		}
	}
	return m.err
}

func finishAttribute(a *tfschema.Attribute, typeText []byte, nested *nestedObject) (err error) {
	if nested == nil {
		a.Type, err = decodeType(typeText)
	} else if err = finishObject(nested); err == nil {
		a.Nested, a.Type = &nested.Object, nested.ImpliedType()
	}
	if err != nil {
		return fmt.Errorf("attribute %q: %w", a.Name, err)
	}
	return nil
}

func finishObject(o *nestedObject) (err error) {
	if o.Nesting, err = nestingMode(o.nesting, objectNestings); err != nil {
		return err
	}
	if err := sortAttributes(o.Attributes); err != nil {
		return err
	}
	if o.Nesting == tfschema.NestingSet && tfschema.HasDynamicTypes(o.Attributes) {
		return errors.New("a set of objects cannot hold attributes of dynamic type")
	}
	return nil
}

func finishNestedBlock(n *tfschema.NestedBlock, nesting int32) (err error) {
	if err := finishBlock(n.Block); err != nil {
		return err
	}
	if n.Nesting, err = nestingMode(nesting, blockNestings); err != nil {
		return fmt.Errorf("block type %q: %w", n.Name, err)
	}
	if n.Nesting == tfschema.NestingSet && n.Block.HasDynamicTypes() {
		return fmt.Errorf("block type %q: a set of blocks cannot hold attributes of dynamic type", n.Name)
	}
	return nil
}

// finishBlock puts what is in b in the order that tfschema promises, and
// refuses a name that comes twice.
func finishBlock(b *tfschema.Block) error {
	if err := sortAttributes(b.Attributes); err != nil {
		return err
	}
	slices.SortFunc(b.Blocks, func(a, b *tfschema.NestedBlock) int { return strings.Compare(a.Name, b.Name) })
	for i, n := range b.Blocks {
		if err := checkName(n.Name); err != nil {
			return err
		}
		if i > 0 && b.Blocks[i-1].Name == n.Name {
			return fmt.Errorf("block type %q is declared twice", n.Name)
		}
		if b.Attribute(n.Name) != nil {
			return fmt.Errorf("%q is both an attribute and a block type", n.Name)
		}
	}
	return nil
}

// sortAttributes puts attributes in the order that tfschema promises, and
// refuses a name that comes twice.
func sortAttributes(attributes []*tfschema.Attribute) error {
	slices.SortFunc(attributes, func(a, b *tfschema.Attribute) int { return strings.Compare(a.Name, b.Name) })
	for i, a := range attributes {
		if err := checkName(a.Name); err != nil {
			return err
		}
		if i > 0 && attributes[i-1].Name == a.Name {
			return fmt.Errorf("attribute %q is declared twice", a.Name)
		}
	}
	return nil
}

// checkName refuses names that cty would not keep as they are.
func checkName(name string) error {
	if name == "" || name != cty.NormalizeString(name) {
		return fmt.Errorf("%q is not a name", name)
	}
	return nil
}

// kindMarkdown is StringKind.MARKDOWN; plain text is 0.
const kindMarkdown = 1

// The wire numbers of nesting modes, from 1, for objects and for blocks.
// Source: Schema.Object.NestingMode, Schema.NestedBlock.NestingMode.
const (
	objectNestings = 4
	blockNestings  = 5
)

func nestingMode(number, most int32) (tfschema.Nesting, error) {
	modes := [...]tfschema.Nesting{
		1: tfschema.NestingSingle, 2: tfschema.NestingList, 3: tfschema.NestingSet,
		4: tfschema.NestingMap, 5: tfschema.NestingGroup,
	}
	if number < 1 || number > most {
		return 0, fmt.Errorf("unknown nesting mode %d", number)
	}
	return modes[number], nil
}
