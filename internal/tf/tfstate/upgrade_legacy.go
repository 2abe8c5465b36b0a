package tfstate

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

func (old legacyState) upgrade() *State {
	s := &State{TerraformVersion: old.terraformVersion, Serial: old.serial, Lineage: old.lineage, Outputs: map[string]Output{}}
	if s.TerraformVersion == "" { // optional then; required now
		s.TerraformVersion = "0.0.0"
	}
	for _, module := range old.modules {
		path, err := module.address()
		if err != nil {
			module.malformed("Module path", err.Error())
			continue
		}
		s.Resources = append(s.Resources, old.upgradeModule(module, path)...)
		if path == "" {
			old.upgradeOutputs(module, s.Outputs)
		}
	}
	return s
}

// address turns ["root", "a", "b"] into "module.a.module.b". Version 1 has
// modules without a path, which are the root.
func (m legacyModule) address() (string, error) {
	if len(m.path) == 0 {
		return "", nil
	}
	if m.path[0] != "root" {
		return "", fmt.Errorf(`a list that begins with "root"`)
	}
	var b strings.Builder
	for i, name := range m.path[1:] {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString("module." + name)
	}
	if err := checkModule(b.String()); err != nil {
		return "", fmt.Errorf("a list of names (%w)", err)
	}
	return b.String(), nil
}

// upgradeModule gathers instances, which were resources of their own, under
// the resource that they are of.
func (old legacyState) upgradeModule(module legacyModule, path string) []Resource {
	byAddr := map[tfaddr.Resource]*Resource{}
	var order []*Resource
	for _, r := range module.resources {
		addr, key, err := legacyAddress(r.name)
		if err != nil {
			r.malformed("Resource address", fmt.Sprintf("type.name (%s)", err))
			continue
		}
		res := byAddr[addr]
		if res == nil {
			ref, err := r.providerRef(addr, path)
			if err != nil {
				r.malformed(fmt.Sprintf("The provider of %s", addr), fmt.Sprintf("a provider configuration (%s)", err))
				continue
			}
			res = &Resource{Module: path, Addr: addr, Provider: ref.provider, Alias: ref.alias, ProviderModule: ref.module}
			byAddr[addr], order = res, append(order, res)
		}
		instances := old.upgradeInstances(r, key)
		deps := module.dependencies(r, path)
		for i := range instances {
			instances[i].Dependencies = deps
		}
		res.Instances = append(res.Instances, instances...)
	}
	var out []Resource
	for _, res := range order {
		slices.SortStableFunc(res.Instances, func(a, b Instance) int { return compareKeys(a.Key, b.Key) })
		out = append(out, *res)
	}
	return out
}

// providerRef is the provider configuration of a resource: spelled out, by
// its name in the module, or implied by the resource type.
func (r legacyResource) providerRef(addr tfaddr.Resource, module string) (providerRef, error) {
	if strings.Contains(r.provider, "provider.") {
		return parseProviderRef(r.provider)
	}
	name := r.provider
	if name == "" {
		name, _, _ = strings.Cut(addr.Type, "_")
	}
	ref, err := parseProviderRef("provider." + name)
	ref.module = module
	return ref, err
}

// upgradeInstances lists the primary object and what is left of older ones.
// In version 1 an object to be replaced stood in a list of its own.
func (old legacyState) upgradeInstances(r legacyResource, key cty.Value) []Instance {
	primary, others := r.primary, append(slices.Clone(r.deposed), r.tainted...)
	if primary == nil && len(r.tainted) > 0 {
		first := r.tainted[0]
		first.tainted = true
		primary, others = &first, append(slices.Clone(r.deposed), r.tainted[1:]...)
	}
	var out []Instance
	if primary != nil {
		out = append(out, old.upgradeInstance(*primary, key, ""))
	}
	for n, i := range others {
		out = append(out, old.upgradeInstance(i, key, fmt.Sprintf("%08x", n+1)))
	}
	return out
}

func (old legacyState) upgradeInstance(i legacyInstance, key cty.Value, deposed string) Instance {
	out := Instance{Key: key, Deposed: deposed, ProviderKey: cty.NilVal, Flatmap: maps.Clone(i.attributes)}
	if i.tainted {
		out.Status = StatusTainted
	}
	if out.Flatmap == nil {
		out.Flatmap = map[string]string{}
	}
	if out.Flatmap["id"] == "" && i.id != "" {
		out.Flatmap["id"] = i.id
	}
	if old.version < 3 {
		upgradeCounts(out.Flatmap)
	}
	out.SchemaVersion, out.Private = splitMeta(i.meta)
	return out
}

// splitMeta takes the schema version, which SDKs kept among their own data,
// out of it. What remains is the private data of version 4.
func splitMeta(meta map[string]any) (version uint64, private []byte) {
	rest := maps.Clone(meta)
	switch v := meta["schema_version"].(type) {
	case string:
		if n, err := strconv.ParseUint(v, 10, 64); err == nil {
			version = n
			delete(rest, "schema_version")
		}
	case float64:
		if v >= 0 && v == float64(uint64(v)) {
			version = uint64(v)
			delete(rest, "schema_version")
		}
	}
	if len(rest) == 0 {
		return version, nil
	}
	private, _ = json.Marshal(rest) // came from JSON
	return version, private
}

// dependencies turns the names that a resource depended on, which are of its
// own module, into addresses. Modules, locals and resources that are gone
// have none; configuration says what to do with those.
func (m legacyModule) dependencies(r legacyResource, path string) []string {
	var out []string
	for _, name := range r.depends {
		addr, _, err := legacyAddress(strings.TrimSuffix(name, ".*"))
		if err == nil && m.has(addr) {
			out = append(out, Resource{Module: path, Addr: addr}.String())
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (m legacyModule) has(addr tfaddr.Resource) bool {
	return slices.ContainsFunc(m.resources, func(r legacyResource) bool {
		return r.name == addr.String() || strings.HasPrefix(r.name, addr.String()+".")
	})
}

func (old legacyState) upgradeOutputs(module legacyModule, outputs map[string]Output) {
	for _, m := range module.outputs {
		var out Output
		if old.version == 1 {
			value := m.str(fmt.Sprintf("output %q", m.name))
			out, _ = NewOutput(cty.StringVal(value), false) // a string can be encoded
		} else {
			out = upgradeOutput(m)
		}
		outputs[m.name] = out
	}
}

func upgradeOutput(n member) Output {
	out := Output{Value: json.RawMessage("null")}
	for _, m := range n.object(fmt.Sprintf("output %q", n.name)) {
		switch m.name {
		case "sensitive":
			out.Sensitive = m.boolean(`"sensitive"`)
		case "value":
			out.Value = m.raw()
		case "type": // string, list or map: less than the value says
		default:
			m.fail(dropped(fmt.Sprintf("The output member %q.", m.name), "").At(m.at()))
		}
	}
	ty, err := ctyjson.ImpliedType(out.Value)
	if err == nil {
		out.Type, err = ctyjson.MarshalType(collectionType(ty))
	}
	if err != nil {
		n.malformed(fmt.Sprintf("Output %q", n.name), fmt.Sprintf("a value (%s)", err))
	}
	return out
}

// collectionType makes lists and maps of tuples and objects whose elements
// are of one type: the older formats had nothing else.
func collectionType(ty cty.Type) cty.Type {
	var elems []cty.Type
	switch {
	case ty.IsTupleType():
		elems = ty.TupleElementTypes()
	case ty.IsObjectType():
		elems = slices.Collect(maps.Values(ty.AttributeTypes()))
	}
	if len(elems) == 0 || slices.ContainsFunc(elems, func(e cty.Type) bool { return !e.Equals(elems[0]) }) {
		return ty
	}
	if ty.IsTupleType() {
		return cty.List(collectionType(elems[0]))
	}
	return cty.Map(collectionType(elems[0]))
}
