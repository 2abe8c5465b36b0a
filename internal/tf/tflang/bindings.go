package tflang

import (
	"cmp"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// Bindings are the values that answer references. The zero value is empty
// and ready. It is not safe for concurrent use.
type Bindings struct {
	named     map[string]map[string]cty.Value // root, name
	resources map[string]map[string]map[string]cty.Value
	self      cty.Value
}

// Set answers a reference with the value of the whole named thing: what
// follows the name in an expression is looked up in it.
func (b *Bindings) Set(ref Reference, v cty.Value) {
	switch ref.Kind {
	case KindSelf:
		b.self = v
	case KindResource:
		root := "resource"
		if ref.Resource.Mode == tfaddr.Data {
			root = "data"
		}
		b.setResource(root, ref.Resource, v)
	case KindEphemeral:
		b.setResource("ephemeral", ref.Resource, v)
	default:
		if b.named == nil {
			b.named = map[string]map[string]cty.Value{}
		}
		if b.named[ref.Root] == nil {
			b.named[ref.Root] = map[string]cty.Value{}
		}
		b.named[ref.Root][ref.Name] = v
	}
}

func (b *Bindings) setResource(root string, addr tfaddr.Resource, v cty.Value) {
	if b.resources == nil {
		b.resources = map[string]map[string]map[string]cty.Value{}
	}
	if b.resources[root] == nil {
		b.resources[root] = map[string]map[string]cty.Value{}
	}
	if b.resources[root][addr.Type] == nil {
		b.resources[root][addr.Type] = map[string]cty.Value{}
	}
	b.resources[root][addr.Type][addr.Name] = v
}

// Context makes the context to evaluate in, with the functions of table.
func (b *Bindings) Context(table map[string]function.Function) *hcl.EvalContext {
	vars := map[string]cty.Value{}
	// Managed resource types are roots of their own, unless a word of the
	// language has the name.
	for root, types := range b.resources {
		byType := make(map[string]cty.Value, len(types))
		for ty, byName := range types {
			byType[ty] = cty.ObjectVal(byName)
		}
		if root == "resource" {
			maps.Copy(vars, byType)
		}
		vars[root] = cty.ObjectVal(byType)
	}
	for root, byName := range b.named {
		vars[root] = cty.ObjectVal(byName)
	}
	if b.self != cty.NilVal {
		vars["self"] = b.self
	}
	return &hcl.EvalContext{Variables: vars, Functions: table}
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
