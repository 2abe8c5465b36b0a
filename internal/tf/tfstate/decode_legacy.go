package tfstate

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// legacyState is a state of version 1, 2 or 3. They have one shape: outputs
// of version 1 are plain strings, and its replaced objects are listed apart.
type legacyState struct {
	version          int
	terraformVersion string
	serial           uint64
	lineage          string
	modules          []legacyModule
}

type legacyModule struct {
	node
	path      []string
	outputs   []member
	resources []legacyResource
}

type legacyResource struct {
	member
	primary  *legacyInstance
	deposed  []legacyInstance
	tainted  []legacyInstance // version 1
	provider string
	depends  []string
}

type legacyInstance struct {
	id         string
	attributes map[string]string
	meta       map[string]any
	tainted    bool
}

func decodeV1(root node) *State { return decodeLegacy(root, 1) }
func decodeV2(root node) *State { return decodeLegacy(root, 2) }
func decodeV3(root node) *State { return decodeLegacy(root, 3) }

func decodeLegacy(root node, version int) *State {
	old := legacyState{version: version}
	for _, m := range root.object("state file") {
		switch m.name {
		case "version":
		case "terraform_version":
			old.terraformVersion = m.release()
		case "serial":
			old.serial = m.uint(`"serial"`)
		case "lineage":
			old.lineage = m.str(`"lineage"`)
		case "modules":
			for _, elem := range m.array(`"modules"`) {
				old.modules = append(old.modules, decodeModule(elem))
			}
		default:
			if !m.isNull() {
				m.fail(dropped(fmt.Sprintf("The member %q.", m.name), "Where a state is kept belongs to the configuration now.").At(m.at()))
			}
		}
	}
	return old.upgrade()
}

func decodeModule(n node) legacyModule {
	module := legacyModule{node: n}
	for _, m := range n.object("module") {
		switch m.name {
		case "path":
			module.path = m.strings(`"path"`)
		case "outputs":
			module.outputs = m.object(`"outputs"`)
		case "resources":
			for _, r := range m.object(`"resources"`) {
				module.resources = append(module.resources, decodeLegacyResource(r))
			}
		case "depends_on": // configuration says so
		default:
			m.fail(dropped(fmt.Sprintf("The module member %q.", m.name), "").At(m.at()))
		}
	}
	return module
}

func decodeLegacyResource(n member) legacyResource {
	r := legacyResource{member: n}
	for _, m := range n.object("resource") {
		switch m.name {
		case "type": // the key has it
		case "depends_on":
			r.depends = m.strings(`"depends_on"`)
		case "primary":
			if !m.isNull() {
				i := decodeLegacyInstance(m.node)
				r.primary = &i
			}
		case "deposed":
			r.deposed = decodeLegacyInstances(m)
		case "tainted":
			r.tainted = decodeLegacyInstances(m)
		case "provider":
			r.provider = m.str(`"provider"`)
		default:
			m.fail(dropped(fmt.Sprintf("The resource member %q.", m.name), "").At(m.at()).For(n.name))
		}
	}
	return r
}

func decodeLegacyInstances(m member) []legacyInstance {
	var out []legacyInstance
	for _, elem := range m.array(strconv.Quote(m.name)) {
		if !elem.isNull() {
			out = append(out, decodeLegacyInstance(elem))
		}
	}
	return out
}

func decodeLegacyInstance(n node) legacyInstance {
	i := legacyInstance{}
	for _, m := range n.object("instance") {
		switch m.name {
		case "id":
			i.id = m.str(`"id"`)
		case "attributes":
			i.attributes = m.flatmap()
		case "meta":
			if raw := m.rawObject(`"meta"`); raw != nil {
				_ = json.Unmarshal(raw, &i.meta) // a valid object
			}
		case "tainted":
			i.tainted = m.boolean(`"tainted"`)
		default:
			m.fail(dropped(fmt.Sprintf("The instance member %q.", m.name), "").At(m.at()))
		}
	}
	return i
}
