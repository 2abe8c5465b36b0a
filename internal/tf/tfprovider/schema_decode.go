package tfprovider

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
	"github.com/formation-iac/formation/internal/tf/wire"
)

// The parts of schema messages that both protocols share, as the generated
// getters give them.
type (
	wireBlock interface {
		GetDescription() string
		GetDescriptionKind() int32
		GetDeprecated() bool
		GetDeprecationMessage() string
	}
	wireAttribute interface {
		GetName() string
		GetType() []byte
		GetDescription() string
		GetDescriptionKind() int32
		GetRequired() bool
		GetOptional() bool
		GetComputed() bool
		GetSensitive() bool
		GetDeprecated() bool
		GetDeprecationMessage() string
		GetWriteOnly() bool
	}
	wireNestedBlock interface {
		GetTypeName() string
		GetNesting() int32
		GetMinItems() int64
		GetMaxItems() int64
	}
)

// each converts a list, stopping at the first error.
func each[In, Out any](in []In, convert func(In) (Out, error)) ([]Out, error) {
	out := make([]Out, 0, len(in))
	for _, v := range in {
		converted, err := convert(v)
		if err != nil {
			return nil, err
		}
		out = append(out, converted)
	}
	return out, nil
}

func newBlock(b wireBlock, attributes []*tfschema.Attribute, blocks []*tfschema.NestedBlock) (*tfschema.Block, error) {
	if err := sortAttributes(attributes); err != nil {
		return nil, err
	}
	slices.SortFunc(blocks, func(a, b *tfschema.NestedBlock) int { return strings.Compare(a.Name, b.Name) })
	for i, n := range blocks {
		if err := checkName(n.Name); err != nil {
			return nil, err
		}
		if i > 0 && blocks[i-1].Name == n.Name {
			return nil, fmt.Errorf("block type %q is declared twice", n.Name)
		}
		if hasAttribute(attributes, n.Name) {
			return nil, fmt.Errorf("%q is both an attribute and a block type", n.Name)
		}
	}
	return &tfschema.Block{
		Attributes: attributes, Blocks: blocks,
		Description: b.GetDescription(), Markdown: b.GetDescriptionKind() == kindMarkdown,
		Deprecated: b.GetDeprecated(), DeprecationMessage: b.GetDeprecationMessage(),
	}, nil
}

func hasAttribute(attributes []*tfschema.Attribute, name string) bool {
	return (&tfschema.Object{Attributes: attributes}).Attribute(name) != nil
}

// sortAttributes puts attributes in the order that tfschema promises and
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

func attribute(a wireAttribute) (*tfschema.Attribute, error) {
	ty, err := decodeType(a.GetType())
	if err != nil {
		return nil, fmt.Errorf("attribute %q: %w", a.GetName(), err)
	}
	out := attributeFlags(a)
	out.Type = ty
	return out, nil
}

func attributeFlags(a wireAttribute) *tfschema.Attribute {
	return &tfschema.Attribute{
		Name:     a.GetName(),
		Required: a.GetRequired(), Optional: a.GetOptional(), Computed: a.GetComputed(),
		Sensitive: a.GetSensitive(), WriteOnly: a.GetWriteOnly(),
		Description: a.GetDescription(), Markdown: a.GetDescriptionKind() == kindMarkdown,
		Deprecated: a.GetDeprecated(), DeprecationMessage: a.GetDeprecationMessage(),
	}
}

// commonType reads what nearly all attributes have, as providers write it. A
// JSON decoder for each takes a third of the time that a large schema does.
func commonType(data []byte) (ty cty.Type, ok bool) {
	switch string(data) {
	case `"string"`:
		return cty.String, true
	case `"bool"`:
		return cty.Bool, true
	case `"number"`:
		return cty.Number, true
	case `["list","string"]`:
		return cty.List(cty.String), true
	case `["set","string"]`:
		return cty.Set(cty.String), true
	case `["map","string"]`:
		return cty.Map(cty.String), true
	}
	return cty.NilType, false
}

// decodeType reads cty's JSON encoding of a type constraint.
func decodeType(data []byte) (ty cty.Type, err error) {
	if ty, ok := commonType(data); ok {
		return ty, nil
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("malformed type %q", data)
		}
	}()
	if err := json.Unmarshal(data, &ty); err != nil {
		return cty.NilType, fmt.Errorf("malformed type %q: %w", data, err)
	}
	if ty == cty.NilType {
		return cty.NilType, fmt.Errorf("malformed type %q", data)
	}
	return ty.WithoutOptionalAttributesDeep(), nil
}

func nestedBlock(n wireNestedBlock, body *tfschema.Block) (*tfschema.NestedBlock, error) {
	nesting, err := nestingMode(n.GetNesting(), blockNestings)
	if err != nil {
		return nil, fmt.Errorf("block type %q: %w", n.GetTypeName(), err)
	}
	if nesting == tfschema.NestingSet && body.ImpliedType().HasDynamicTypes() {
		return nil, fmt.Errorf("block type %q: a set of blocks cannot hold attributes of dynamic type", n.GetTypeName())
	}
	return &tfschema.NestedBlock{
		Name: n.GetTypeName(), Nesting: nesting,
		Min: n.GetMinItems(), Max: n.GetMaxItems(), Block: body,
	}, nil
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

func identity(s *wire.ResourceIdentitySchema) (*tfschema.Identity, error) {
	attributes, err := each(s.GetIdentityAttributes(), identityAttribute)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(attributes, func(a, b *tfschema.IdentityAttribute) int { return strings.Compare(a.Name, b.Name) })
	for i, a := range attributes {
		if err := checkName(a.Name); err != nil {
			return nil, err
		}
		if i > 0 && attributes[i-1].Name == a.Name {
			return nil, fmt.Errorf("identity attribute %q is declared twice", a.Name)
		}
	}
	return &tfschema.Identity{Version: s.GetVersion(), Attributes: attributes}, nil
}

func identityAttribute(a *wire.ResourceIdentitySchema_IdentityAttribute) (*tfschema.IdentityAttribute, error) {
	ty, err := decodeType(a.GetType())
	if err != nil {
		return nil, fmt.Errorf("identity attribute %q: %w", a.GetName(), err)
	}
	return &tfschema.IdentityAttribute{
		Name: a.GetName(), Type: ty,
		RequiredForImport: a.GetRequiredForImport(), OptionalForImport: a.GetOptionalForImport(),
		Description: a.GetDescription(),
	}, nil
}

func function(name string, f *wire.Function) (*tfschema.Function, error) {
	parameters, err := each(f.GetParameters(), parameter)
	if err != nil {
		return nil, err
	}
	out := &tfschema.Function{
		Name: name, Parameters: parameters, Summary: f.GetSummary(),
		Description: f.GetDescription(), Deprecated: f.GetDeprecationMessage(),
	}
	if v := f.GetVariadicParameter(); v != nil {
		if out.Variadic, err = parameter(v); err != nil {
			return nil, err
		}
	}
	if out.Return, err = decodeType(f.GetReturn().GetType()); err != nil {
		return nil, fmt.Errorf("return value: %w", err)
	}
	return out, nil
}

func parameter(p *wire.Function_Parameter) (*tfschema.Parameter, error) {
	ty, err := decodeType(p.GetType())
	if err != nil {
		return nil, fmt.Errorf("parameter %q: %w", p.GetName(), err)
	}
	return &tfschema.Parameter{
		Name: p.GetName(), Type: ty, AllowNull: p.GetAllowNullValue(),
		AllowUnknown: p.GetAllowUnknownValues(), Description: p.GetDescription(),
	}, nil
}
