package tfstate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// Encode writes a state in format version 4, in the layout and order that
// Terraform writes: two spaces of indentation, resources and instances
// sorted, a newline at the end. The same state gives the same bytes. The
// error says which resource cannot be written.
func Encode(s *State) ([]byte, error) {
	resources, err := encodeResources(s.Resources)
	if err != nil {
		return nil, err
	}
	var top object
	top.add("version", 4)
	top.add("terraform_version", s.TerraformVersion)
	top.add("serial", s.Serial)
	top.add("lineage", s.Lineage)
	top.add("outputs", encodeOutputs(s.Outputs))
	top.add("resources", resources)
	top.add("check_results", s.CheckResults)
	top.keep(s.Unknown)
	return top.indented()
}

// object is a JSON object under construction, in order.
type object struct {
	Members
	err error
}

func (o *object) add(name string, value any) {
	raw, err := marshal(value)
	if err != nil {
		o.err = errors.Join(o.err, fmt.Errorf("%s: %w", name, err))
	}
	o.Members = append(o.Members, Member{name, raw})
}

// marshal is json.Marshal, which would scan objects again at every level.
func marshal(value any) (json.RawMessage, error) {
	objects, ok := value.([]object)
	if !ok {
		return json.Marshal(value)
	}
	b := []byte{'['}
	for i, obj := range objects {
		if i > 0 {
			b = append(b, ',')
		}
		raw, err := obj.MarshalJSON()
		if err != nil {
			return nil, err
		}
		b = append(b, raw...)
	}
	return append(b, ']'), nil
}

// addUnless is add for members that are left out when they say nothing.
func (o *object) addUnless(empty bool, name string, value any) {
	if !empty {
		o.add(name, value)
	}
}

func (o *object) keep(unknown Members) {
	for _, m := range unknown {
		o.add(m.Name, m.Value)
	}
}

// MarshalJSON writes the members in order.
func (o object) MarshalJSON() ([]byte, error) {
	if o.err != nil {
		return nil, o.err
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o.Members {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(m.Name)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(m.Value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func (o object) indented() ([]byte, error) {
	raw, err := o.MarshalJSON()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

func encodeOutputs(outputs map[string]Output) map[string]object {
	out := make(map[string]object, len(outputs))
	for name, o := range outputs {
		var obj object
		obj.add("value", o.Value)
		obj.add("type", o.Type)
		obj.addUnless(!o.Sensitive, "sensitive", true)
		obj.keep(o.Unknown)
		out[name] = obj
	}
	return out
}

func encodeResources(resources []Resource) ([]object, error) {
	sorted := slices.Clone(resources)
	slices.SortStableFunc(sorted, func(a, b Resource) int {
		return cmp.Or(cmp.Compare(a.Module, b.Module), cmp.Compare(a.Addr.Mode, b.Addr.Mode),
			cmp.Compare(a.Addr.Type, b.Addr.Type), cmp.Compare(a.Addr.Name, b.Addr.Name))
	})
	out := make([]object, 0, len(sorted))
	for _, r := range sorted {
		obj, err := encodeResource(r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r, err)
		}
		out = append(out, obj)
	}
	return out, nil
}

func encodeResource(r Resource) (object, error) {
	if r.Addr.Mode != tfaddr.Managed && r.Addr.Mode != tfaddr.Data {
		return object{}, fmt.Errorf("invalid mode %q", r.Addr.Mode)
	}
	ref := providerRef{module: r.ProviderModule, provider: r.Provider, alias: r.Alias, key: cty.NilVal}
	keyed := slices.ContainsFunc(r.Instances, func(i Instance) bool { return i.ProviderKey != cty.NilVal })
	instances, err := encodeInstances(r.Instances, ref, keyed)
	if err != nil {
		return object{}, err
	}
	var obj object
	obj.addUnless(r.Module == "", "module", r.Module)
	obj.add("mode", r.Addr.Mode)
	obj.add("type", r.Addr.Type)
	obj.add("name", r.Addr.Name)
	obj.addUnless(r.Each == "", "each", r.Each)
	obj.addUnless(keyed, "provider", ref.String())
	obj.add("instances", instances)
	obj.keep(r.Unknown)
	return obj, obj.err
}

func encodeInstances(instances []Instance, ref providerRef, keyed bool) ([]object, error) {
	sorted := slices.Clone(instances)
	slices.SortStableFunc(sorted, func(a, b Instance) int {
		return cmp.Or(compareKeys(a.Key, b.Key), cmp.Compare(a.Deposed, b.Deposed))
	})
	out := make([]object, 0, len(sorted))
	for _, i := range sorted {
		provider := ""
		if keyed {
			ref.key = i.ProviderKey
			provider = ref.String()
		}
		obj, err := encodeInstance(i, provider)
		if err != nil {
			return nil, err
		}
		out = append(out, obj)
	}
	return out, nil
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

func encodeInstance(i Instance, provider string) (object, error) {
	key, err := encodeKey(i.Key)
	if err != nil {
		return object{}, err
	}
	if i.Attributes != nil && i.Flatmap != nil {
		return object{}, errors.New("an instance has both JSON attributes and a flatmap")
	}
	paths, err := encodePaths(i.SensitiveAttributes)
	if err != nil {
		return object{}, err
	}
	var obj object
	obj.addUnless(key == nil, "index_key", key)
	obj.addUnless(i.Status == "", "status", i.Status)
	obj.addUnless(i.Deposed == "", "deposed", i.Deposed)
	obj.addUnless(provider == "", "provider", provider)
	obj.add("schema_version", i.SchemaVersion)
	obj.addUnless(i.Attributes == nil, "attributes", i.Attributes)
	obj.addUnless(i.Flatmap == nil, "attributes_flat", i.Flatmap)
	obj.addUnless(paths == nil, "sensitive_attributes", paths)
	if i.Identity != nil {
		obj.add("identity_schema_version", i.Identity.SchemaVersion)
		obj.addUnless(i.Identity.JSON == nil, "identity", i.Identity.JSON)
	}
	obj.addUnless(len(i.Private) == 0, "private", i.Private)
	obj.addUnless(len(i.Dependencies) == 0, "dependencies", i.Dependencies)
	obj.addUnless(!i.CreateBeforeDestroy, "create_before_destroy", true)
	obj.keep(i.Unknown)
	return obj, obj.err
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
