package tfconfig

import (
	"slices"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// attribute lowers an attribute's value; nil means that nothing is written.
func (l *lowering) attribute(a *tfschema.Attribute, v cty.Value, path cty.Path) Expr {
	if v.IsNull() {
		return nil
	}
	if a.Nested != nil {
		return l.nested(a.Nested, v, path)
	}
	return l.value(a.Type, v, path)
}

// nested lowers the objects of a nested attribute. Their absent attributes
// need no mention, unlike those of an opaque object type.
func (l *lowering) nested(o *tfschema.Object, v cty.Value, path cty.Path) Expr {
	if !v.IsKnown() {
		l.report(unknownValue(path))
		return nil
	}
	if o.Nesting == tfschema.NestingSingle || o.Nesting == tfschema.NestingGroup {
		return l.nestedObject(o, v, path)
	}
	if !v.CanIterateElements() {
		l.report(unwritableValue(v.Type().FriendlyName(), path))
		return nil
	}
	each := func(elem cty.Value, path cty.Path) Expr { return l.nestedObject(o, elem, path) }
	if o.Nesting == tfschema.NestingMap {
		return l.members(v, path, each)
	}
	return l.items(v, o.Nesting == tfschema.NestingSet, path, each)
}

func (l *lowering) nestedObject(o *tfschema.Object, v cty.Value, path cty.Path) Expr {
	if v.IsNull() {
		return Literal{cty.NullVal(cty.DynamicPseudoType)}
	}
	if !l.isObject(v, path) {
		return nil
	}
	var out Object
	for _, a := range printOrder(o.Attributes) {
		if expr := l.attribute(a, member(v, a.Name), path.GetAttr(a.Name)); expr != nil {
			out.Items = append(out.Items, ObjectItem{a.Name, expr})
		}
	}
	return out
}

// value lowers v where the schema wants ty. Where the schema leaves the type
// open, conversions keep lists, sets and maps from becoming tuples and
// objects. It returns nil for what cannot be written.
func (l *lowering) value(ty cty.Type, v cty.Value, path cty.Path) Expr {
	switch {
	case v.IsNull():
		return Literal{cty.NullVal(cty.DynamicPseudoType)}
	case !v.IsKnown():
		l.report(unknownValue(path))
		return nil
	case v.Type().IsPrimitiveType():
		return l.primitive(v, path)
	case v.Type().IsCapsuleType():
		l.report(unwritableValue(v.Type().FriendlyName(), path))
		return nil
	case ty == cty.DynamicPseudoType:
		return l.dynamic(v, path)
	}
	return l.compound(v, path, func(elem cty.Value, at cty.Path) Expr {
		return l.value(elementType(ty, at), elem, at)
	})
}

func (l *lowering) dynamic(v cty.Value, path cty.Path) Expr {
	expr := l.compound(v, path, func(elem cty.Value, at cty.Path) Expr {
		return l.value(cty.DynamicPseudoType, elem, at)
	})
	switch {
	case v.Type().IsListType():
		return Call{"tolist", []Expr{expr}}
	case v.Type().IsSetType():
		return Call{"toset", []Expr{expr}}
	case v.Type().IsMapType():
		return Call{"tomap", []Expr{expr}}
	}
	return expr
}

// elementType is the type that ty has at the last step of path.
func elementType(ty cty.Type, path cty.Path) cty.Type {
	if ty.IsCollectionType() {
		return ty.ElementType()
	}
	switch step := path[len(path)-1].(type) {
	case cty.GetAttrStep:
		if ty.IsObjectType() && ty.HasAttribute(step.Name) {
			return ty.AttributeType(step.Name)
		}
	case cty.IndexStep:
		if ty.IsTupleType() {
			if i, _ := step.Key.AsBigFloat().Int64(); int(i) < ty.Length() {
				return ty.TupleElementType(int(i))
			}
		}
	}
	return cty.DynamicPseudoType
}

func (l *lowering) compound(v cty.Value, path cty.Path, each func(cty.Value, cty.Path) Expr) Expr {
	if v.Type().IsMapType() || v.Type().IsObjectType() {
		return l.members(v, path, each)
	}
	return l.items(v, v.Type().IsSetType(), path, each)
}

func (l *lowering) items(v cty.Value, sorted bool, path cty.Path, each func(cty.Value, cty.Path) Expr) Expr {
	var out List
	for it := v.ElementIterator(); it.Next(); {
		key, elem := it.Element()
		if expr := each(elem, path.Index(key)); expr != nil {
			out.Items = append(out.Items, expr)
		}
	}
	if sorted {
		slices.SortStableFunc(out.Items, compareExprs)
	}
	return out
}

// members lowers what has keys, which cty yields sorted.
func (l *lowering) members(v cty.Value, path cty.Path, each func(cty.Value, cty.Path) Expr) Expr {
	var out Object
	for it := v.ElementIterator(); it.Next(); {
		key, elem := it.Element()
		at := path.Index(key)
		if v.Type().IsObjectType() {
			at = path.GetAttr(key.AsString())
		}
		if !utf8.ValidString(key.AsString()) {
			l.report(unwritableText(at))
			continue
		}
		if expr := each(elem, at); expr != nil {
			out.Items = append(out.Items, ObjectItem{key.AsString(), expr})
		}
	}
	return out
}

func (l *lowering) primitive(v cty.Value, path cty.Path) Expr {
	switch v.Type() {
	case cty.Number:
		if v.AsBigFloat().IsInf() {
			l.report(infiniteNumber(path))
			return nil
		}
	case cty.String:
		if !utf8.ValidString(v.AsString()) {
			l.report(unwritableText(path))
			return nil
		}
		if doc, ok := document(v.AsString()); ok {
			return JSONEncode{doc}
		}
	}
	return Literal{v}
}
