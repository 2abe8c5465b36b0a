package link

import (
	"github.com/formation-iac/formation/internal/tf/tfconfig"
)

// expr returns what to write instead of e, or nil where nothing changes.
func (w *walker) expr(e tfconfig.Expr, s shape, at nodes) tfconfig.Expr {
	if len(at) == 0 {
		return nil
	}
	switch e := e.(type) {
	case tfconfig.Literal:
		return w.literal(e, s, at)
	case tfconfig.List:
		return w.list(e, s, at)
	case tfconfig.Object:
		return w.object(e, s, at)
	case tfconfig.JSONEncode:
		w.document++
		defer func() { w.document-- }()
		if inner := w.expr(e.Value, s.open(), at); inner != nil {
			return tfconfig.JSONEncode{Value: inner}
		}
	case tfconfig.Call:
		return w.call(e, s, at)
	}
	return nil
}

func (w *walker) literal(e tfconfig.Literal, s shape, at nodes) tfconfig.Expr {
	rule := at.rule()
	if rule == nil {
		return nil
	}
	return w.visit(site{
		rule: rule, value: e.Value, exact: s.free, document: w.document > 0, secret: s.secret,
	})
}

// list applies rules to every member, with or without brackets.
func (w *walker) list(e tfconfig.List, s shape, at nodes) tfconfig.Expr {
	inner, next := s.element(), join(at, at.eached())
	items := e.Items
	for i, item := range e.Items {
		w.in(func() {
			if expr := w.expr(item, inner, next); expr != nil {
				items = replaced(items, e.Items, i, expr)
			}
		}, step{kind: byPosition, position: i})
	}
	if isSame(items, e.Items) {
		return nil
	}
	return tfconfig.List{Items: items}
}

// object applies rules to the members of an object or a map. In documents
// nobody knows which it is, nor whether a lone object stands for a list of
// one: a name that the rules have inside the brackets settles it.
func (w *walker) object(e tfconfig.Object, s shape, at nodes) tfconfig.Expr {
	each, items := at.eached(), e.Items
	isMap := s.isMap() || s.free && !anyNamed(each, e)
	for i, item := range e.Items {
		next, inner := at.named(item.Key), s.element()
		if isMap {
			next = join(next, each)
		} else {
			next, inner = join(next, each.named(item.Key)), s.member(item.Key)
		}
		w.in(func() {
			if expr := w.expr(item.Value, inner, next); expr != nil {
				items = replaced(items, e.Items, i, tfconfig.ObjectItem{Key: item.Key, Value: expr})
			}
		}, memberStep(item.Key, s))
	}
	if isSame(items, e.Items) {
		return nil
	}
	return tfconfig.Object{Items: items}
}

func anyNamed(each nodes, e tfconfig.Object) bool {
	for _, item := range e.Items {
		if len(each.named(item.Key)) > 0 {
			return true
		}
	}
	return false
}

// call looks through the conversions that keep a list a list.
func (w *walker) call(e tfconfig.Call, s shape, at nodes) tfconfig.Expr {
	args := e.Args
	for i, arg := range e.Args {
		if expr := w.expr(arg, s, at); expr != nil {
			args = replaced(args, e.Args, i, expr)
		}
	}
	if isSame(args, e.Args) {
		return nil
	}
	return tfconfig.Call{Function: e.Function, Args: args}
}
