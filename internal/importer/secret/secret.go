// Package secret moves values that must not stand in source files out of
// lowered configuration and into variables: sensitive attributes, and the
// stand-ins for required attributes that no provider can read.
//
// It does not decide what of a resource is sensitive (the schema does), and it
// does not write files.
package secret

import (
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/ident"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// Variable is an input variable that took the place of a value.
type Variable struct {
	Name string
	// Type is the type constraint of the attribute.
	Type  cty.Type
	Value cty.Value
	// Sensitive follows the schema.
	Sensitive bool
	// StandIn says that Value is none: the provider cannot read the real one.
	StandIn bool
	// Import says that an import block refers to it. The tools refuse sensitive
	// variables there, so that it cannot be declared as what it is.
	Import bool
	// Guarded says that Value holds a secret of another owner's, see
	// [Extractor.Guard]: it is private, and clients do not mark it.
	Guarded bool
	// Owner and Path say which attribute it is for: a resource's address or
	// `provider "x"`, and the place in it.
	Owner string
	Path  string
}

// Owner is the block whose values are moved.
type Owner struct {
	// Address names it in messages.
	Address string
	// Prefix begins the variables' names, such as "db_user_app".
	Prefix string
}

// Extractor moves values of one module, whose variables need names of their
// own. It is not safe for concurrent use.
type Extractor struct {
	taken   map[string]bool
	guarded []string
}

// NewExtractor returns an extractor for a module without variables.
func NewExtractor() *Extractor { return &Extractor{taken: map[string]bool{}} }

// Extract returns body with every sensitive value replaced by a reference to
// a variable, and the variables. standIns holds the paths, as ctyx.PathString
// writes them, of values to be moved although they are not sensitive. body is
// not changed; what is not touched is shared.
func (e *Extractor) Extract(owner Owner, block *tfschema.Block, body *tfconfig.Body, standIns map[string]bool) (*tfconfig.Body, []Variable, diag.List) {
	x := &extraction{owner: owner, standIns: standIns, names: e}
	out := x.body(block, body, place{})
	return out, x.variables, x.diags
}

type extraction struct {
	owner     Owner
	standIns  map[string]bool
	names     *Extractor // for all owners
	variables []Variable
	diags     diag.List
}

// place is where the walk is: the path for people, and the words for names.
type place struct {
	path  cty.Path
	words []string
}

func (p place) attr(name string) place {
	return place{
		path:  append(p.path[:len(p.path):len(p.path)], cty.GetAttrStep{Name: name}),
		words: append(p.words[:len(p.words):len(p.words)], name),
	}
}

func (p place) index(i int) place {
	return place{
		path:  append(p.path[:len(p.path):len(p.path)], cty.IndexStep{Key: cty.NumberIntVal(int64(i))}),
		words: append(p.words[:len(p.words):len(p.words)], fmt.Sprint(i+1)),
	}
}

func (p place) key(k string) place {
	return place{
		path:  append(p.path[:len(p.path):len(p.path)], cty.IndexStep{Key: cty.StringVal(k)}),
		words: append(p.words[:len(p.words):len(p.words)], k),
	}
}

func (x *extraction) body(block *tfschema.Block, body *tfconfig.Body, at place) *tfconfig.Body {
	out := &tfconfig.Body{}
	for _, a := range body.Attributes {
		if schema := block.Attribute(a.Name); schema != nil {
			a.Expr = x.attribute(schema, a.Expr, at.attr(a.Name))
		}
		out.Attributes = append(out.Attributes, a)
	}
	count := map[string]int{}
	for _, b := range body.Blocks {
		if nested := block.NestedBlock(b.Type); nested != nil && b.Body != nil {
			copied := *b
			copied.Body = x.body(nested.Block, b.Body, blockPlace(nested, b, at.attr(b.Type), count[b.Type]))
			b = &copied
		}
		count[b.Type]++
		out.Blocks = append(out.Blocks, b)
	}
	return out
}

func blockPlace(nested *tfschema.NestedBlock, b *tfconfig.Block, at place, i int) place {
	switch {
	case nested.Nesting == tfschema.NestingSingle || nested.Nesting == tfschema.NestingGroup:
		return at
	case nested.Nesting == tfschema.NestingMap && len(b.Labels) > 0:
		return at.key(b.Labels[0])
	default:
		return at.index(i)
	}
}

func (x *extraction) attribute(a *tfschema.Attribute, expr tfconfig.Expr, at place) tfconfig.Expr {
	standIn := x.standIns[ctyx.PathString(at.path)]
	if a.Sensitive || a.WriteOnly || standIn || x.tells(expr) {
		return x.variable(a, expr, at, standIn)
	}
	if a.Nested == nil {
		return expr
	}
	switch a.Nested.Nesting {
	case tfschema.NestingSingle, tfschema.NestingGroup:
		return x.object(a.Nested, expr, at)
	case tfschema.NestingMap:
		return x.eachMember(a.Nested, expr, at)
	default:
		return x.eachItem(a.Nested, expr, at)
	}
}

func (x *extraction) object(schema *tfschema.Object, expr tfconfig.Expr, at place) tfconfig.Expr {
	object, ok := expr.(tfconfig.Object)
	if !ok {
		return expr
	}
	var out tfconfig.Object
	for _, item := range object.Items {
		if a := schema.Attribute(item.Key); a != nil {
			item.Value = x.attribute(a, item.Value, at.attr(item.Key))
		}
		out.Items = append(out.Items, item)
	}
	return out
}

func (x *extraction) eachMember(schema *tfschema.Object, expr tfconfig.Expr, at place) tfconfig.Expr {
	object, ok := expr.(tfconfig.Object)
	if !ok {
		return expr
	}
	var out tfconfig.Object
	for _, item := range object.Items {
		item.Value = x.object(schema, item.Value, at.key(item.Key))
		out.Items = append(out.Items, item)
	}
	return out
}

func (x *extraction) eachItem(schema *tfschema.Object, expr tfconfig.Expr, at place) tfconfig.Expr {
	list, ok := expr.(tfconfig.List)
	if !ok {
		return expr
	}
	var out tfconfig.List
	for i, item := range list.Items {
		out.Items = append(out.Items, x.object(schema, item, at.index(i)))
	}
	return out
}

// variable moves one value. A value that cannot be worked out stays away
// from the source all the same: a null takes its place, and that is an error.
func (x *extraction) variable(a *tfschema.Attribute, expr tfconfig.Expr, at place, standIn bool) tfconfig.Expr {
	value, err := tfconfig.ConstantValue(expr, a.Type)
	if err != nil {
		x.diags = append(x.diags, unmovable(x.owner, ctyx.PathString(at.path)))
		return tfconfig.Literal{Value: cty.NullVal(a.Type)}
	}
	name := x.names.name(ident.Slug(x.owner.Prefix + "_" + strings.Join(at.words, "_")))
	x.variables = append(x.variables, Variable{
		Name: name, Type: a.Type, Value: value,
		// A write-only value is in no state, whatever its schema calls it.
		Sensitive: a.Sensitive || a.WriteOnly,
		Guarded:   !a.Sensitive && !a.WriteOnly && !standIn,
		StandIn:   standIn, Owner: x.owner.Address, Path: ctyx.PathString(at.path),
	})
	return tfconfig.Ref("var", name)
}

// name is base, or base with a number where other variables have that already.
func (e *Extractor) name(base string) string {
	name := base
	for n := 2; e.taken[name]; n++ {
		name = fmt.Sprintf("%s_%d", base, n)
	}
	e.taken[name] = true
	return name
}

func unmovable(owner Owner, path string) *diag.Diagnostic {
	return diag.Errorf("SE0001", "A secret could not be moved to a variable",
		"The value of %s was left out. Please report this.", path).For(owner.Address)
}
