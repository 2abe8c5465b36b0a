package truth

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// knowledge is what the text of a module cannot say without its schema.
type knowledge struct {
	// maps are attributes whose object's keys are elements, not names.
	maps []string
	// leaves are attributes whose objects are values as a whole.
	leaves []string
	// singles are blocks that are objects rather than elements of a list.
	singles []string
	// defaults are "<noun>.<name>.<path>" of values that equal the default.
	defaults []string
	// unreadable are "<noun>.<path>", with all that is below.
	unreadable []string
}

// derive reads a module and lists what its resources set and refer to.
func derive(source []byte, k knowledge) ([]Resource, error) {
	file, diags := hclsyntax.ParseConfig(source, "main.tf", hcl.InitialPos)
	if diags.HasErrors() {
		return nil, diags
	}
	body, ok := file.Body.(*hclsyntax.Body)
	if !ok {
		return nil, fmt.Errorf("main.tf is no native syntax")
	}
	var resources []Resource
	for _, block := range body.Blocks {
		if block.Type != "resource" {
			continue
		}
		w := walker{knowledge: k, noun: noun(block.Labels[0]), name: block.Labels[1]}
		w.resource.Address = block.Labels[0] + "." + block.Labels[1]
		w.body(block.Body, "")
		resources = append(resources, w.resource)
	}
	return resources, nil
}

// noun is a resource type without its provider.
func noun(resourceType string) string {
	_, after, _ := strings.Cut(resourceType, "_")
	return after
}

type walker struct {
	knowledge
	noun, name string
	resource   Resource
}

// body walks attributes and blocks in the order of the text.
func (w *walker) body(body *hclsyntax.Body, prefix string) {
	attributes := make([]*hclsyntax.Attribute, 0, len(body.Attributes))
	for _, attribute := range body.Attributes {
		attributes = append(attributes, attribute)
	}
	slices.SortFunc(attributes, func(a, b *hclsyntax.Attribute) int { return a.SrcRange.Start.Byte - b.SrcRange.Start.Byte })
	for _, attribute := range attributes {
		w.value(attribute.Expr, prefix+attribute.Name)
	}
	for _, block := range body.Blocks {
		step := block.Type
		if !slices.Contains(w.singles, block.Type) {
			step += "[]"
		}
		w.body(block.Body, prefix+step+".")
	}
}

func (w *walker) value(expr hclsyntax.Expression, path string) {
	last := path[strings.LastIndexByte(path, '.')+1:]
	switch e := expr.(type) {
	case *hclsyntax.ObjectConsExpr:
		if slices.Contains(w.leaves, last) {
			break
		}
		for _, item := range e.Items {
			step := "." + hcl.ExprAsKeyword(item.KeyExpr)
			if slices.Contains(w.maps, last) {
				step = "[]"
			}
			w.value(item.ValueExpr, path+step)
		}
		return
	case *hclsyntax.TupleConsExpr:
		if objects(e) {
			for _, elem := range e.Exprs {
				w.value(elem, path+"[]")
			}
			return
		}
		for _, elem := range e.Exprs {
			w.reference(elem, path+"[]")
		}
	case *hclsyntax.LiteralValueExpr:
		if e.Val.IsNull() {
			return // the same as not written
		}
	}
	w.reference(expr, path)
	w.resource.Attributes = append(w.resource.Attributes, w.attribute(expr, path))
}

func objects(tuple *hclsyntax.TupleConsExpr) bool {
	for _, elem := range tuple.Exprs {
		if _, ok := elem.(*hclsyntax.ObjectConsExpr); ok {
			return true
		}
	}
	return false
}

func (w *walker) attribute(expr hclsyntax.Expression, path string) Attribute {
	a := Attribute{Path: path, Default: slices.Contains(w.defaults, w.noun+"."+w.name+"."+path)}
	for _, unreadable := range w.unreadable {
		whole := w.noun + "." + path
		a.Unreadable = a.Unreadable || whole == unreadable || strings.HasPrefix(whole, unreadable+".")
	}
	if t, ok := expr.(*hclsyntax.ScopeTraversalExpr); ok && t.Traversal.RootName() == "var" {
		a.Variable = t.Traversal[1].(hcl.TraverseAttr).Name
	}
	return a
}

// reference notes an expression that is an attribute of another resource.
func (w *walker) reference(expr hclsyntax.Expression, path string) {
	t, ok := expr.(*hclsyntax.ScopeTraversalExpr)
	if !ok || t.Traversal.RootName() == "var" {
		return
	}
	to := t.Traversal.RootName()
	for _, step := range t.Traversal[1:] {
		attribute, ok := step.(hcl.TraverseAttr)
		if !ok {
			return
		}
		to += "." + attribute.Name
	}
	w.resource.References = append(w.resource.References, Reference{Path: path, To: to})
}
