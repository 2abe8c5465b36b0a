package translate

import (
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/suggest"
	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/pulumi/pvalue"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// writer makes a Terraform value of properties.
type writer struct {
	state    bool   // and not configuration
	at       []step // where the writer is
	unknowns bool   // there were some
	problems []Problem
}

// step is one to a key or to an index. It becomes a segment of a path where
// there is a problem, which is seldom.
type step struct {
	key   string
	index int
	keyed bool
}

func atKey(key string) step { return step{key: key, keyed: true} }

func atIndex(index int) step { return step{index: index} }

func (s step) segment() property.PathSegment {
	if s.keyed {
		return pvalue.Key(s.key)
	}
	return property.NewSegment(s.index)
}

// in calls f one step further down.
func (w *writer) in(to step, f func()) {
	w.at = append(w.at, to)
	f()
	w.at = w.at[:len(w.at)-1]
}

func (w *writer) problem(reason string) {
	segments := make([]property.PathSegment, len(w.at))
	for i, to := range w.at {
		segments[i] = to.segment()
	}
	w.problems = append(w.problems, Problem{Path: property.PathFromSegments(segments...), Reason: reason})
}

// misfit reports a problem and puts null in its place.
func (w *writer) misfit(ty cty.Type, reason string) cty.Value {
	w.problem(reason)
	return null(ty)
}

func (w *writer) object(o *mapping.Object, m property.Map) cty.Value {
	vals := make(map[string]cty.Value, len(o.Properties))
	met := 0
	for _, p := range o.Properties {
		v, ok := m.GetOk(p.Name)
		if ok {
			met++
		}
		if v.IsNull() {
			vals[p.Terraform] = absent(p)
			continue
		}
		w.in(atKey(p.Name), func() { vals[p.Terraform] = w.property(p, v) })
	}
	if met < m.Len() {
		w.strangers(o, m)
	}
	return cty.ObjectVal(vals)
}

// property writes a value that is not null.
func (w *writer) property(p *mapping.Property, v property.Value) cty.Value {
	switch {
	case w.state && p.WriteOnly:
		return absent(p)
	case !w.state && !p.Input():
		w.problem("The provider computes this property, so that it cannot be set")
		return absent(p)
	case p.Block:
		return w.block(p.Type, v)
	default:
		return w.value(p.Type, v)
	}
}

// internalPrefix begins the names of properties that are Pulumi's own, such
// as __defaults.
const internalPrefix = "__"

// strangers reports the properties that o does not have.
func (w *writer) strangers(o *mapping.Object, m property.Map) {
	if w.state {
		return
	}
	for name, v := range m.AllStable {
		if o.Property(name) == nil && !v.IsNull() && !strings.HasPrefix(name, internalPrefix) {
			w.in(atKey(name), func() { w.stray(o, name) })
		}
	}
}

// stray reports the property at hand, which o does not have.
func (w *writer) stray(o *mapping.Object, name string) {
	names := make([]string, len(o.Properties))
	for i, p := range o.Properties {
		names[i] = p.Name
	}
	reason := "There is no such property"
	if near := suggest.DidYouMean(name, names); near != "" {
		reason += " (" + strings.TrimSpace(near) + ")"
	}
	w.problem(reason)
	w.problems[len(w.problems)-1].Stray = true
}

// absent is what Terraform has where a program sets nothing.
func absent(p *mapping.Property) cty.Value {
	ty := p.Type.Terraform
	switch {
	case !p.Block || p.Nesting == tfschema.NestingSingle:
		return null(ty)
	case p.Nesting == tfschema.NestingGroup:
		return emptyObject(p.Type.Object)
	default:
		return emptyCollection(p.Type)
	}
}

func emptyObject(o *mapping.Object) cty.Value {
	vals := make(map[string]cty.Value, len(o.Properties))
	for _, p := range o.Properties {
		vals[p.Terraform] = absent(p)
	}
	return cty.ObjectVal(vals)
}

// emptyCollection is the empty list, set or map of t, or the empty tuple or
// object where it is dynamic.
func emptyCollection(t *mapping.Type) cty.Value {
	ty := plain(t.Terraform)
	switch {
	case ty.IsListType():
		return cty.ListValEmpty(ty.ElementType())
	case ty.IsSetType():
		return cty.SetValEmpty(ty.ElementType())
	case ty.IsMapType():
		return cty.MapValEmpty(ty.ElementType())
	case t.Kind == mapping.KindMap:
		return cty.EmptyObjectVal
	default:
		return cty.EmptyTupleVal
	}
}

// null is the null of a type. Attributes that a type marks as optional are
// not marked in a value's type.
func null(ty cty.Type) cty.Value { return cty.NullVal(plain(ty)) }

func (w *writer) unknown(ty cty.Type) cty.Value {
	w.unknowns = true
	return cty.UnknownVal(plain(ty))
}

func plain(ty cty.Type) cty.Type {
	if ty.IsPrimitiveType() || ty == cty.DynamicPseudoType {
		return ty
	}
	return ty.WithoutOptionalAttributesDeep()
}
