package tfstate

import (
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/go-version"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

func decodeV4(members []member) *State {
	s := &State{}
	for _, m := range members {
		switch m.name {
		case "version":
		case "terraform_version":
			s.TerraformVersion = m.release()
		case "serial":
			s.Serial = m.uint(`"serial"`)
		case "lineage":
			s.Lineage = m.str(`"lineage"`)
		case "outputs":
			s.Outputs = decodeOutputs(m.node)
		case "resources":
			s.Resources = decodeResources(m.node)
		case "check_results":
			m.array(`"check_results"`)
			if !m.isNull() {
				s.CheckResults = m.raw()
			}
		default:
			s.Unknown.keep(m)
		}
	}
	return s
}

func decodeOutputs(n node) map[string]Output {
	outputs := map[string]Output{}
	for _, m := range n.object(`"outputs"`) {
		outputs[m.name] = decodeOutput(m)
	}
	return outputs
}

func decodeOutput(out member) Output {
	var o Output
	for _, m := range out.object(fmt.Sprintf("output %q", out.name)) {
		switch m.name {
		case "value":
			o.Value = m.raw()
		case "type":
			o.Type = m.raw()
		case "sensitive":
			o.Sensitive = m.boolean(`"sensitive"`)
		case "deprecated":
			o.Deprecated = m.str(`"deprecated"`)
		default:
			o.Unknown.keep(m)
		}
	}
	if _, err := o.Decode(); err != nil {
		out.malformed(fmt.Sprintf("Output %q", out.name), fmt.Sprintf("a value under its type (%s)", err))
	}
	return o
}

func decodeResources(n node) []Resource {
	var out []Resource
	seen := map[string]bool{}
	for _, elem := range n.array(`"resources"`) {
		r := decodeResource(elem, seen)
		out = append(out, r)
	}
	return out
}

func decodeResource(n node, seen map[string]bool) Resource {
	var r Resource
	var instances node
	for _, m := range n.object("resource") {
		switch m.name {
		case "module":
			r.Module = m.module(`"module"`)
		case "mode":
			r.Addr.Mode = m.mode()
		case "type":
			r.Addr.Type = m.str(`"type"`)
		case "name":
			r.Addr.Name = m.str(`"name"`)
		case "each":
			r.Each = m.str(`"each"`)
		case "provider":
			ref := m.provider()
			r.Provider, r.Alias, r.ProviderModule = ref.provider, ref.alias, ref.module
		case "instances":
			instances = m.node
		default:
			r.Unknown.keep(m)
		}
	}
	if r.Addr.Mode == "" || r.Addr.Type == "" || r.Addr.Name == "" {
		n.malformed("Resource", `an object with "mode", "type" and "name"`)
		return r
	}
	if instances.doc != nil {
		r.instances(instances, seen)
	}
	if r.Provider.IsZero() && !n.doc.diags.HasErrors() {
		n.malformed(fmt.Sprintf("Resource %s", r), `an object with "provider"`)
	}
	return r
}

func (n node) mode() tfaddr.Mode {
	switch mode := tfaddr.Mode(n.str(`"mode"`)); mode {
	case tfaddr.Managed, tfaddr.Data:
		return mode
	default:
		n.malformed(`"mode"`, `"managed" or "data"`)
		return tfaddr.Managed
	}
}

func (n node) module(what string) string {
	s := n.str(what)
	if err := checkModule(s); err != nil {
		n.malformed(what, fmt.Sprintf("the address of a module instance (%s)", err))
	}
	return s
}

func (n node) provider() providerRef {
	text := n.str(`"provider"`)
	if ref, known := n.doc.providers[text]; known {
		return ref
	}
	ref, err := parseProviderRef(text)
	if err != nil {
		n.malformed(`"provider"`, fmt.Sprintf("a provider configuration (%s)", err))
		return ref
	}
	n.doc.providers[text] = ref
	return ref
}

// instances decodes the instances of r, and takes the provider of those that
// name it themselves.
func (r *Resource) instances(n node, seen map[string]bool) {
	for _, elem := range n.array(`"instances"`) {
		i, ref := decodeInstance(elem)
		if !ref.provider.IsZero() {
			if !r.Provider.IsZero() && (ref.provider != r.Provider || ref.alias != r.Alias || ref.module != r.ProviderModule) {
				elem.malformed(fmt.Sprintf("The provider of each instance of %s", r), "the same")
			}
			r.Provider, r.Alias, r.ProviderModule = ref.provider, ref.alias, ref.module
		}
		id := r.InstanceAddress(i) + " " + i.Deposed
		if seen[id] {
			elem.fail(duplicateInstance(elem.at(), r.InstanceAddress(i)))
		}
		seen[id] = true
		r.Instances = append(r.Instances, i)
	}
}

func decodeInstance(n node) (Instance, providerRef) {
	i := Instance{Key: cty.NilVal, ProviderKey: cty.NilVal}
	var ref providerRef
	for _, m := range n.object("instance") {
		switch m.name {
		case "index_key":
			i.Key = m.key(`"index_key"`)
		case "status":
			i.Status = m.status()
		case "deposed":
			i.Deposed = m.deposed()
		case "provider":
			ref = m.provider()
			i.ProviderKey = ref.key
		case "schema_version":
			i.SchemaVersion = m.uint(`"schema_version"`)
		case "dependencies":
			i.Dependencies = m.dependencies()
		case "create_before_destroy":
			i.CreateBeforeDestroy = m.boolean(`"create_before_destroy"`)
		default:
			i.object(m)
		}
	}
	if i.Attributes != nil {
		i.Flatmap = nil // clients do not look at it then
	}
	return i, ref
}

// object decodes a member that says what the object is.
func (i *Instance) object(m member) {
	switch m.name {
	case "attributes":
		i.Attributes = m.attributes()
	case "attributes_flat":
		i.Flatmap = m.flatmap()
	case "sensitive_attributes":
		i.SensitiveAttributes = m.paths()
	case "identity_schema_version":
		i.identity().SchemaVersion = m.uint(`"identity_schema_version"`)
	case "identity":
		if raw := m.rawObject(`"identity"`); raw != nil {
			i.identity().JSON = raw
		}
	case "private":
		data, err := base64.StdEncoding.DecodeString(m.str(`"private"`))
		if err != nil {
			m.malformed(`"private"`, "base64")
		}
		i.Private = data
	default:
		i.Unknown.keep(m)
	}
}

func (i *Instance) identity() *Identity {
	if i.Identity == nil {
		i.Identity = &Identity{}
	}
	return i.Identity
}

func (n node) status() string {
	s := n.str(`"status"`)
	if s != "" && s != StatusTainted {
		n.malformed(`"status"`, `"tainted", or left out`)
	}
	return s
}

func (n node) strings(what string) []string {
	var out []string
	for _, elem := range n.array(what) {
		out = append(out, elem.str(what))
	}
	return out
}

// release is the version of a client; "" is none.
func (n node) release() string {
	s := n.str(`"terraform_version"`)
	if _, err := version.NewVersion(s); s != "" && err != nil {
		n.malformed(`"terraform_version"`, "a version")
	}
	return s
}

// deposed is the key of a deposed object; "" is none.
func (n node) deposed() string {
	s := n.str(`"deposed"`)
	if s != "" && len(s) != deposedLength {
		n.malformed(`"deposed"`, fmt.Sprintf("a key of %d characters", deposedLength))
	}
	return s
}

const deposedLength = 8

// attributes is the text of an object, or of null, which says that there is
// none.
func (n node) attributes() json.RawMessage {
	if n.isNull() {
		return n.raw()
	}
	return n.rawObject(`"attributes"`)
}

// dependencies are addresses of resources.
func (n node) dependencies() []string {
	out := n.strings(`"dependencies"`)
	for _, text := range out {
		if n.doc.dependencies[text] {
			continue
		}
		if err := checkResource(text); err != nil {
			n.malformed(`"dependencies"`, fmt.Sprintf("addresses of resources (%s)", err))
			break
		}
		n.doc.dependencies[text] = true
	}
	return out
}

func (n node) flatmap() map[string]string {
	if n.isNull() {
		return nil
	}
	out := map[string]string{}
	for _, m := range n.object(`"attributes_flat"`) {
		out[m.name] = m.str(fmt.Sprintf("flat attribute %q", m.name))
	}
	return out
}
