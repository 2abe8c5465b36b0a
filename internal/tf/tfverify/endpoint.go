package tfverify

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
)

// endpoint is an address taken apart: modules, and a resource or nil.
type endpoint struct {
	modules  []moduleStep
	resource *tfaddr.Resource
	key      cty.Value // of the resource, or cty.NilVal
}

// moduleStep is one module in an address. Key is cty.NilVal where there is
// none.
type moduleStep struct {
	name string
	key  cty.Value
}

// String is the address.
func (e endpoint) String() string {
	var parts []string
	for _, m := range e.modules {
		parts = append(parts, "module."+m.name+repetition{key: m.key}.suffix())
	}
	if e.resource != nil {
		parts = append(parts, e.resource.String()+repetition{key: e.key}.suffix())
	}
	return strings.Join(parts, ".")
}

// static is the address without keys.
func (e endpoint) static() string {
	bare := endpoint{resource: e.resource}
	for _, m := range e.modules {
		bare.modules = append(bare.modules, moduleStep{name: m.name})
	}
	return bare.String()
}

func parseEndpointText(address string) (endpoint, bool) {
	t, diags := hclsyntax.ParseTraversalAbs([]byte(address), "", hcl.InitialPos)
	if diags.HasErrors() {
		return endpoint{}, false
	}
	return parseEndpoint(t)
}

func parseEndpoint(t hcl.Traversal) (endpoint, bool) {
	e := endpoint{key: cty.NilVal}
	for len(t) >= 2 && tfconfig.StepName(t[0]) == "module" {
		m := moduleStep{name: tfconfig.StepName(t[1]), key: cty.NilVal}
		if m.name == "" {
			return e, false
		}
		t = t[2:]
		if key, ok := keyOf(t); ok {
			m.key, t = key, t[1:]
		}
		e.modules = append(e.modules, m)
	}
	if len(t) == 0 {
		return e, len(e.modules) > 0
	}
	mode := tfaddr.Managed
	switch tfconfig.StepName(t[0]) {
	case "data":
		mode, t = tfaddr.Data, t[1:]
	case "resource":
		t = t[1:]
	}
	if len(t) < 2 || tfconfig.StepName(t[0]) == "" || tfconfig.StepName(t[1]) == "" {
		return e, false
	}
	e.resource = &tfaddr.Resource{Mode: mode, Type: tfconfig.StepName(t[0]), Name: tfconfig.StepName(t[1])}
	t = t[2:]
	if key, ok := keyOf(t); ok {
		e.key, t = key, t[1:]
	}
	return e, len(t) == 0
}

func keyOf(t hcl.Traversal) (cty.Value, bool) {
	if len(t) == 0 {
		return cty.NilVal, false
	}
	step, ok := t[0].(hcl.TraverseIndex)
	if !ok {
		return cty.NilVal, false
	}
	return step.Key, true
}

func sameKey(a, b cty.Value) bool {
	if a == cty.NilVal || b == cty.NilVal {
		return a == b
	}
	return a.RawEquals(b)
}
