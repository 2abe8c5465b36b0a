package memschema

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// Wide has as many resource types as asked for, each with fifty described
// attributes and three blocks of ten.
func Wide(types int) *Schemas {
	s := &Schemas{Resources: map[string]*tfschema.Block{}}
	for i := range types {
		s.Resources[fmt.Sprintf("wide_thing_%04d", i)] = wideBlock(i)
	}
	return s
}

func wideBlock(number int) *tfschema.Block {
	attributes := []*tfschema.Attribute{{Name: "id", Type: cty.String, Computed: true, Description: "The identifier of the thing."}}
	attributes = append(attributes, plainAttributes("setting", 49)...)
	var blocks []*tfschema.NestedBlock
	for i, nesting := range []tfschema.Nesting{tfschema.NestingList, tfschema.NestingSet, tfschema.NestingSingle} {
		blocks = append(blocks, &tfschema.NestedBlock{
			Name: fmt.Sprintf("part_%d", i), Nesting: nesting, Block: Block(plainAttributes("field", 10)),
		})
	}
	b := Block(attributes, blocks...)
	b.Description = fmt.Sprintf("Manages the thing `wide_thing_%04d`.", number)
	return b
}

func plainAttributes(prefix string, count int) []*tfschema.Attribute {
	types := []cty.Type{cty.String, cty.Number, cty.Bool, cty.List(cty.String), cty.Map(cty.String)}
	all := make([]*tfschema.Attribute, count)
	for i := range all {
		all[i] = &tfschema.Attribute{
			Name: fmt.Sprintf("%s_%02d", prefix, i), Type: types[i%len(types)],
			Optional: true, Computed: i%2 == 0,
			Description: fmt.Sprintf("Sets what the thing does in case %d. It goes together with `%s_%02d` and is otherwise ignored.", i, prefix, count-i-1),
		}
	}
	return all
}
