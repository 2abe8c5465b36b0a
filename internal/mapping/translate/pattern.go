package translate

import (
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/mapping"
)

// TerraformPaths are the paths that a pattern such as `disks[*].sizeGb` leads
// to, where `*` stands for every property of an object, and every key and
// index that any of around has. Each path comes once, in the order of the
// properties.
//
// Terraform has no path into a set: a pattern into one leads nowhere, as does
// one past what the schema has.
func TerraformPaths(o *mapping.Object, pattern property.Glob, around ...property.Map) []cty.Path {
	at := terrain{object: o}
	for _, m := range around {
		at.values = append(at.values, property.New(m))
	}
	f := finder{segments: slices.Collect(pattern.Segments)}
	f.find(at, nil, 0)
	return f.found
}

// terrain is what is at a path: an object or a type, and the values there.
type terrain struct {
	object *mapping.Object
	typ    *mapping.Type
	values []property.Value
}

type finder struct {
	segments []property.GlobSegment
	found    []cty.Path
}

// find goes on with the segment at depth.
func (f *finder) find(at terrain, path cty.Path, depth int) {
	if depth == len(f.segments) {
		f.found = append(f.found, path)
		return
	}
	if at.typ != nil && at.typ.Flat {
		if !at.typ.Terraform.IsListType() {
			return
		}
		path = path.IndexInt(0).Copy()
	}
	if at.object == nil && at.typ.Object != nil {
		at = terrain{object: at.typ.Object, values: at.values}
	}
	switch {
	case at.object != nil:
		f.properties(at, path, depth)
	case !at.typ.Terraform.IsSetType():
		f.elements(at, path, depth)
	}
}

func (f *finder) properties(at terrain, path cty.Path, depth int) {
	for _, p := range at.object.Properties {
		if matches(f.segments[depth], property.NewSegment(p.Name)) {
			inner := terrain{typ: p.Type, values: collect(at.values, func(v property.Value) property.Value { return memberOf(v, p.Name) })}
			f.find(inner, path.GetAttr(p.Terraform).Copy(), depth+1)
		}
	}
}

// elements goes into an array, a map or a dynamic value.
func (f *finder) elements(at terrain, path cty.Path, depth int) {
	for _, segment := range f.candidates(at, depth) {
		switch s := segment.(type) {
		case property.IndexSegment:
			if indexed(at.typ) {
				inner := collect(at.values, func(v property.Value) property.Value { return elementOf(v, s.Index()) })
				f.find(terrain{typ: ElementType(at.typ, s.Index()), values: inner}, path.IndexInt(s.Index()).Copy(), depth+1)
			}
		case property.KeySegment:
			if keyed(at.typ) {
				inner := collect(at.values, func(v property.Value) property.Value { return memberOf(v, s.Key()) })
				f.find(terrain{typ: ElementType(at.typ, 0), values: inner}, f.key(at, path, s.Key()), depth+1)
			}
		}
	}
}

// indexed and keyed report whether values of a type may have elements under
// indexes, or members under keys.
func indexed(t *mapping.Type) bool { return t.Kind == mapping.KindArray || t.Kind == mapping.KindAny }

func keyed(t *mapping.Type) bool { return t.Kind == mapping.KindMap || t.Kind == mapping.KindAny }

// key steps to a key of a map, or to an attribute of a dynamic object.
func (f *finder) key(at terrain, path cty.Path, key string) cty.Path {
	if at.typ.Terraform == cty.DynamicPseudoType {
		return path.GetAttr(key).Copy()
	}
	return path.IndexString(key).Copy()
}

// candidates are the steps that the segment at depth stands for.
func (f *finder) candidates(at terrain, depth int) []property.PathSegment {
	if one, ok := f.segments[depth].(property.PathSegment); ok {
		return []property.PathSegment{one}
	}
	var out []property.PathSegment
	seen := map[property.PathSegment]bool{}
	for _, v := range at.values {
		for _, s := range steps(v) {
			if !seen[s] {
				seen[s] = true
				out = append(out, s)
			}
		}
	}
	return out
}

// steps lead from a value to what it holds.
func steps(v property.Value) []property.PathSegment {
	var out []property.PathSegment
	switch {
	case v.IsArray():
		for i := range v.AsArray().All {
			out = append(out, property.NewSegment(i))
		}
	case v.IsMap():
		for key := range v.AsMap().AllStable {
			out = append(out, property.NewSegment(key))
		}
	}
	return out
}

func matches(pattern property.GlobSegment, segment property.PathSegment) bool {
	return pattern == property.Splat || pattern == property.GlobSegment(segment)
}

func collect(values []property.Value, get func(property.Value) property.Value) []property.Value {
	out := make([]property.Value, len(values))
	for i, v := range values {
		out[i] = get(v)
	}
	return out
}
