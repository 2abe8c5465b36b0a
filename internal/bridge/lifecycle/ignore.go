package lifecycle

import (
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/translate"
	"github.com/formation-iac/formation/internal/pulumi/pvalue"
	"github.com/formation-iac/formation/internal/tf/tfplan"
)

// ignoring reads ignoreChanges: it returns what Terraform is to leave as it
// is, and inputs that have their old values where Terraform has no path to,
// which is inside of sets.
func ignoring(o *mapping.Object, patterns []string, outputs, inputs property.Map) (tfplan.Ignore, property.Map, error) {
	var ignore tfplan.Ignore
	for _, text := range patterns {
		pattern, err := pvalue.ParsePattern(text)
		if err != nil {
			return tfplan.Ignore{}, inputs, badPath(text, err)
		}
		segments := slices.Collect(pattern.Segments)
		if len(segments) == 1 && segments[0] == property.Splat {
			return tfplan.Ignore{All: true}, inputs, nil
		}
		ignore.Paths = append(ignore.Paths, translate.TerraformPaths(o, pattern, outputs, inputs)...)
		inputs = insideSets(objectType(o), segments, property.New(inputs), property.New(outputs)).AsMap()
	}
	return ignore, inputs, nil
}

// objectType is the type of an object that is no property.
func objectType(o *mapping.Object) *mapping.Type {
	return &mapping.Type{Kind: mapping.KindObject, Terraform: o.Terraform, Object: o}
}

// insideSets returns an input in which the elements of sets have what their
// old selves had where the segments lead. Outside of sets nothing changes.
func insideSets(t *mapping.Type, segments []property.GlobSegment, input, output property.Value) property.Value {
	switch {
	case len(segments) < 2: // no set, or a set as a whole
		return input
	case input.IsArray() && output.IsArray() && t.Terraform.IsSetType():
		return insideSet(t, segments, input, output)
	default:
		return eachMatch(t, segments[0], input, output, func(t *mapping.Type, in, out property.Value) property.Value {
			return insideSets(t, segments[1:], in, out)
		})
	}
}

// insideSet gives each element the old values of the one that it is then
// equal to, since elements have no place to know them by.
func insideSet(t *mapping.Type, segments []property.GlobSegment, input, output property.Value) property.Value {
	olds := pool{all: elements(output), used: make([]bool, output.AsArray().Len())}
	elems := elements(input)
	for i, in := range elems {
		if !matches(segments[0], property.NewSegment(i)) {
			continue
		}
		old, ok := olds.take(in, func(in, old property.Value) bool {
			return derives(plain(old), plain(graft(t.Elem, segments[1:], in, old)))
		})
		if ok {
			elems[i] = graft(t.Elem, segments[1:], in, olds.all[old])
		}
	}
	return property.WithGoValue(input, property.NewArray(elems))
}

// graft returns an input with what an output has where the segments lead.
func graft(t *mapping.Type, segments []property.GlobSegment, input, output property.Value) property.Value {
	if len(segments) == 0 {
		return settable(t, output)
	}
	return eachMatch(t, segments[0], input, output, func(t *mapping.Type, in, out property.Value) property.Value {
		return graft(t, segments[1:], in, out)
	})
}

// eachMatch returns an input with change made to every property, member or
// element that a segment leads to, in the input or in the output. A null
// takes it away.
func eachMatch(t *mapping.Type, segment property.GlobSegment, input, output property.Value, change func(t *mapping.Type, in, out property.Value) property.Value) property.Value {
	switch {
	case input.IsMap() && output.IsMap():
		members := input.AsMap().AsMap()
		for _, key := range keys(input, output) {
			inner, ok := memberType(t, key)
			if !ok || !matches(segment, pvalue.Key(key)) {
				continue
			}
			if v := change(inner, members[key], output.AsMap().Get(key)); v.IsNull() {
				delete(members, key)
			} else {
				members[key] = v
			}
		}
		return property.WithGoValue(input, property.NewMap(members))
	case input.IsArray() && output.IsArray():
		elems := elements(input)
		for i := range min(len(elems), output.AsArray().Len()) {
			if matches(segment, property.NewSegment(i)) {
				elems[i] = change(translate.ElementType(t, i), elems[i], output.AsArray().Get(i))
			}
		}
		return property.WithGoValue(input, property.NewArray(elems))
	default:
		return input
	}
}

func matches(pattern property.GlobSegment, segment property.PathSegment) bool {
	return pattern == property.Splat || pattern == segment
}

// memberType is the type of a member of a map or object, unless it is one
// that a program cannot set.
func memberType(t *mapping.Type, key string) (*mapping.Type, bool) {
	if t.Kind != mapping.KindObject {
		return translate.ElementType(t, 0), true
	}
	p := t.Object.Property(key)
	if p == nil || !p.Input() {
		return nil, false
	}
	return p.Type, true
}
