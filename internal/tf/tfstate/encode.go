package tfstate

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/parallel"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// Encode writes a state in format version 4, in the layout and order that
// Terraform writes: two spaces of indentation, resources and instances
// sorted, a newline at the end. The same state gives the same bytes. The
// error says which resource cannot be written.
func Encode(s *State) ([]byte, error) {
	w := newWriter(0)
	w.open('{')
	w.add("version", 4)
	w.add("terraform_version", s.TerraformVersion)
	w.add("serial", s.Serial)
	w.add("lineage", s.Lineage)
	w.name("outputs")
	w.outputs(s.Outputs)
	w.name("resources")
	w.resources(s.Resources)
	w.add("check_results", s.CheckResults)
	w.keep(s.Unknown)
	w.close('}')
	_ = w.out.WriteByte('\n')
	return w.finish()
}

func (w *writer) outputs(outputs map[string]Output) {
	w.open('{')
	for _, name := range slices.Sorted(maps.Keys(outputs)) {
		o := outputs[name]
		w.name(name)
		w.open('{')
		w.add("value", o.Value)
		w.add("type", o.Type)
		w.addUnless(!o.Sensitive, "sensitive", true)
		w.addUnless(o.Deprecated == "", "deprecated", o.Deprecated)
		w.keep(o.Unknown)
		w.close('}')
	}
	w.close('}')
}

// resources writes the resources, which are the bulk of a state, on all
// processors.
func (w *writer) resources(resources []Resource) {
	sorted := slices.Clone(resources)
	slices.SortStableFunc(sorted, func(a, b Resource) int {
		return cmp.Or(cmp.Compare(a.Module, b.Module), cmp.Compare(a.Addr.Mode, b.Addr.Mode),
			cmp.Compare(a.Addr.Type, b.Addr.Type), cmp.Compare(a.Addr.Name, b.Addr.Name))
	})
	w.open('[')
	parts := slices.Collect(slices.Chunk(sorted, resourcesInPart))
	written := parallel.Map(context.Background(), runtime.GOMAXPROCS(0), parts, func(_ context.Context, part []Resource) *writer {
		out := newWriter(w.depth)
		for _, r := range part {
			out.item()
			out.resource(r)
			if out.err != nil {
				out.err = fmt.Errorf("%s: %w", r, out.err)
				break
			}
		}
		return out
	})
	w.append(written)
	w.close(']')
}

// resourcesInPart is how many resources are written in one go.
const resourcesInPart = 64

func (w *writer) resource(r Resource) {
	if r.Addr.Mode != tfaddr.Managed && r.Addr.Mode != tfaddr.Data {
		w.fail(fmt.Errorf("invalid mode %q", r.Addr.Mode))
	}
	ref := providerRef{module: r.ProviderModule, provider: r.Provider, alias: r.Alias, key: cty.NilVal}
	keyed := slices.ContainsFunc(r.Instances, func(i Instance) bool { return i.ProviderKey != cty.NilVal })
	w.open('{')
	w.addUnless(r.Module == "", "module", r.Module)
	w.add("mode", string(r.Addr.Mode))
	w.add("type", r.Addr.Type)
	w.add("name", r.Addr.Name)
	w.addUnless(r.Each == "", "each", r.Each)
	w.addUnless(keyed, "provider", ref.String())
	w.name("instances")
	w.instances(r.Instances, ref, keyed)
	w.keep(r.Unknown)
	w.close('}')
}

func (w *writer) instances(instances []Instance, ref providerRef, keyed bool) {
	sorted := slices.Clone(instances)
	slices.SortStableFunc(sorted, func(a, b Instance) int {
		return cmp.Or(compareKeys(a.Key, b.Key), cmp.Compare(a.Deposed, b.Deposed))
	})
	w.open('[')
	for _, i := range sorted {
		provider := ""
		if keyed {
			ref.key = i.ProviderKey
			provider = ref.String()
		}
		w.item()
		w.instance(i, provider)
	}
	w.close(']')
}

// compareKeys orders no key before numbers before strings.
func compareKeys(a, b cty.Value) int {
	rank := func(v cty.Value) int {
		switch {
		case v == cty.NilVal:
			return 0
		case v.Type() == cty.Number:
			return 1
		default:
			return 2
		}
	}
	if c := cmp.Compare(rank(a), rank(b)); c != 0 || a == cty.NilVal {
		return c
	}
	if a.Type() == cty.Number {
		return a.AsBigFloat().Cmp(b.AsBigFloat())
	}
	return cmp.Compare(a.AsString(), b.AsString())
}

func (w *writer) instance(i Instance, provider string) {
	key, err := encodeKey(i.Key)
	w.fail(err)
	if i.Attributes != nil && i.Flatmap != nil {
		w.fail(errors.New("an instance has both JSON attributes and a flatmap"))
	}
	paths, err := encodePaths(i.SensitiveAttributes)
	w.fail(err)
	w.open('{')
	w.addUnless(key == nil, "index_key", key)
	w.addUnless(i.Status == "", "status", i.Status)
	w.addUnless(i.Deposed == "", "deposed", i.Deposed)
	w.addUnless(provider == "", "provider", provider)
	w.add("schema_version", i.SchemaVersion)
	w.addUnless(i.Attributes == nil, "attributes", i.Attributes)
	w.addUnless(i.Flatmap == nil, "attributes_flat", i.Flatmap)
	w.addUnless(paths == nil, "sensitive_attributes", paths)
	if i.Identity != nil {
		w.add("identity_schema_version", i.Identity.SchemaVersion)
		w.addUnless(i.Identity.JSON == nil, "identity", i.Identity.JSON)
	}
	w.addUnless(len(i.Private) == 0, "private", i.Private)
	w.addUnless(len(i.Dependencies) == 0, "dependencies", i.Dependencies)
	w.addUnless(!i.CreateBeforeDestroy, "create_before_destroy", true)
	w.keep(i.Unknown)
	w.close('}')
}

// encodeKey returns nil for no key.
func encodeKey(key cty.Value) (any, error) {
	switch {
	case key == cty.NilVal:
		return nil, nil
	case key.IsMarked() || !key.IsKnown() || key.IsNull():
	case key.Type() == cty.String:
		return key.AsString(), nil
	case key.Type() == cty.Number && key.AsBigFloat().IsInt():
		return json.RawMessage(key.AsBigFloat().Text('f', 0)), nil
	}
	return nil, errors.New("an instance key must be a known string or whole number")
}
