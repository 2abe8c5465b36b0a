package tfconfig

import (
	"cmp"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// compareExprs orders expressions by content: literals before lists before
// objects before all else; numbers by size, strings by bytes, the rest member
// by member.
func compareExprs(a, b Expr) int {
	if c := cmp.Compare(kindOf(a), kindOf(b)); c != 0 {
		return c
	}
	switch a := a.(type) {
	case Literal:
		return compareLiterals(a.Value, b.(Literal).Value)
	case List:
		return slices.CompareFunc(a.Items, b.(List).Items, compareExprs)
	case Object:
		return slices.CompareFunc(a.Items, b.(Object).Items, compareItems)
	}
	return strings.Compare(render(a, layout{}), render(b, layout{}))
}

func kindOf(e Expr) int {
	switch e.(type) {
	case Literal:
		return 0
	case List:
		return 1
	case Object:
		return 2
	}
	return 3
}

func compareItems(a, b ObjectItem) int {
	return cmp.Or(strings.Compare(a.Key, b.Key), compareExprs(a.Value, b.Value))
}

func compareLiterals(a, b cty.Value) int {
	if c := cmp.Compare(rankOf(a), rankOf(b)); c != 0 || a.IsNull() {
		return c
	}
	switch a.Type() {
	case cty.Number:
		return a.AsBigFloat().Cmp(b.AsBigFloat())
	case cty.String:
		return strings.Compare(a.AsString(), b.AsString())
	}
	return cmp.Compare(rank(a.False()), rank(b.False()))
}

func rankOf(v cty.Value) int {
	switch {
	case v.IsNull():
		return 0
	case v.Type() == cty.Bool:
		return 1
	case v.Type() == cty.Number:
		return 2
	}
	return 3
}

// compareBodies orders the blocks of a set: by their attributes, then by the
// blocks inside.
func compareBodies(a, b *Body) int {
	return cmp.Or(
		slices.CompareFunc(a.Attributes, b.Attributes, func(a, b Attribute) int {
			return cmp.Or(strings.Compare(a.Name, b.Name), compareExprs(a.Expr, b.Expr))
		}),
		slices.CompareFunc(a.Blocks, b.Blocks, func(a, b *Block) int {
			return cmp.Or(strings.Compare(a.Type, b.Type), slices.Compare(a.Labels, b.Labels), compareBodies(a.Body, b.Body))
		}),
	)
}
