package tfplan

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// Ignore is a resource's lifecycle.ignore_changes: paths into the object, or
// everything. A path may end on a key of a map, which need not exist.
type Ignore struct {
	All   bool
	Paths []cty.Path
}

func (i Ignore) empty() bool { return !i.All && len(i.Paths) == 0 }

// IgnoreChanges returns the configuration to plan with: what is ignored has
// its prior value, where there is a prior at all. With All, configuration is
// the prior without what only the provider can set.
//
// Source: OpenTofu 1.12.6, processIgnoreChanges.
func IgnoreChanges(block *tfschema.Block, prior, config cty.Value, ignore Ignore) cty.Value {
	if ignore.empty() || absent(prior) || absent(config) {
		return config
	}
	if !ignore.All {
		return ignorePaths(prior, config, ignore.Paths)
	}
	out, err := cty.Transform(prior, func(path cty.Path, v cty.Value) (cty.Value, error) {
		if attr := attributeAt(block, path); attr != nil && attr.Computed && !attr.Optional {
			return cty.NullVal(v.Type()), nil
		}
		return v, nil
	})
	if err != nil { // the callback returns none
		return config
	}
	return out
}

// revert takes a legacy provider's changes to what is ignored back out of
// its plan: such providers may change what they were not asked to.
func (i Ignore) revert(prior, planned cty.Value) cty.Value {
	switch {
	case i.empty() || absent(prior) || absent(planned):
		return planned
	case i.All:
		return prior
	default:
		return ignorePaths(prior, planned, i.Paths)
	}
}

func ignorePaths(prior, config cty.Value, paths []cty.Path) cty.Value {
	for _, path := range paths {
		config = ignorePath(prior, config, path)
	}
	return config
}

// ignorePath leaves config alone where the path exists in one value only.
func ignorePath(prior, config cty.Value, path cty.Path) cty.Value {
	if len(path) == 0 {
		return config
	}
	key, keyed := mapKey(path)
	if keyed {
		path = path[:len(path)-1]
	}
	before, err := path.Apply(prior)
	if err != nil {
		return config
	}
	written, err := path.Apply(config)
	if err != nil || before.RawEquals(written) {
		return config
	}
	if keyed && before.Type().IsMapType() && written.Type().IsMapType() {
		before = withKey(before, written, key)
	}
	return replaceAt(config, path, before)
}

func mapKey(path cty.Path) (string, bool) {
	step, ok := path[len(path)-1].(cty.IndexStep)
	if !ok || step.Key.Type() != cty.String || !step.Key.IsKnown() || step.Key.IsNull() {
		return "", false
	}
	return step.Key.AsString(), true
}

// withKey returns the written map with one key as it was before: the prior
// value, or no such key.
func withKey(before, written cty.Value, key string) cty.Value {
	if !written.IsKnown() || !before.IsKnown() {
		return written
	}
	vals := entries(written)
	if old, had := entries(before)[key]; had {
		vals[key] = old
	} else {
		delete(vals, key)
	}
	switch {
	case len(vals) > 0:
		return cty.MapVal(vals)
	case written.IsNull():
		return written
	default:
		return cty.MapValEmpty(written.Type().ElementType())
	}
}

// entries returns a copy of a map's elements; a null map has none.
func entries(m cty.Value) map[string]cty.Value {
	if m.IsNull() || m.LengthInt() == 0 {
		return map[string]cty.Value{}
	}
	return m.AsValueMap()
}

func replaceAt(v cty.Value, path cty.Path, with cty.Value) cty.Value {
	out, err := cty.Transform(v, func(at cty.Path, v cty.Value) (cty.Value, error) {
		if at.Equals(path) {
			return with, nil
		}
		return v, nil
	})
	if err != nil { // the callback returns none
		return v
	}
	return out
}
