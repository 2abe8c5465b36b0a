package tfstate

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// providerRef is a "provider" member: a provider configuration somewhere in
// the module tree.
type providerRef struct {
	module   string
	provider tfaddr.Provider
	alias    string
	key      cty.Value
}

// parseProviderRef reads `[module.a.]provider["host/ns/type"][.alias["key"]]`
// and the form of Terraform 0.12 and before, `[module.a.]provider.type[.alias]`.
func parseProviderRef(s string) (providerRef, error) {
	ref := providerRef{key: cty.NilVal}
	steps, err := traversal(s)
	if err != nil {
		return ref, err
	}
	n, err := moduleLength(steps)
	if err != nil {
		return ref, err
	}
	ref.module, steps = moduleString(steps[:n]), steps[n:]
	if len(steps) < 2 || stepName(steps[0]) != "provider" {
		return ref, errors.New(`it must contain "provider"`)
	}
	switch step := steps[1].(type) {
	case hcl.TraverseIndex:
		if step.Key.Type() != cty.String {
			return ref, errors.New("the address of the provider must be a string")
		}
		if ref.provider, err = parseAddress(step.Key.AsString()); err != nil {
			return ref, err
		}
	case hcl.TraverseAttr:
		ref.provider = LegacyProvider(step.Name)
	}
	return ref, ref.aliasAndKey(steps[2:])
}

func (r *providerRef) aliasAndKey(steps hcl.Traversal) error {
	for i, step := range steps {
		switch step := step.(type) {
		case hcl.TraverseAttr:
			if i > 0 {
				return errors.New("there is more than one alias")
			}
			r.alias = step.Name
		case hcl.TraverseIndex:
			if i != len(steps)-1 {
				return errors.New("the key must come last")
			}
			r.key = step.Key
		}
	}
	return nil
}

// parseAddress is tfaddr.ParseProvider for the one namespace that is not
// valid anywhere else.
func parseAddress(s string) (tfaddr.Provider, error) {
	parts := strings.Split(s, "/")
	if len(parts) == 3 && parts[1] == legacyNamespace {
		p, err := tfaddr.ParseProvider(parts[0] + "/x/" + parts[2])
		p.Namespace = legacyNamespace
		return p, err
	}
	return tfaddr.ParseProvider(s)
}

// String is the inverse of parseProviderRef.
func (r providerRef) String() string {
	s := r.provider.StateString(r.alias)
	if IsLegacyProvider(r.provider) {
		s = "provider." + r.provider.Type
		if r.alias != "" {
			s += "." + r.alias
		}
	}
	if r.key != cty.NilVal {
		s += ctyx.PathString(cty.Path{cty.IndexStep{Key: r.key}})
	}
	if r.module != "" {
		s = r.module + "." + s
	}
	return s
}

// checkModule checks that s is a module instance address, or "".
func checkModule(s string) error {
	if s == "" {
		return nil
	}
	steps, err := traversal(s)
	if err != nil {
		return err
	}
	n, err := moduleLength(steps)
	if err == nil && n != len(steps) {
		err = errors.New(`each step must be "module" and a name`)
	}
	return err
}

// checkResource checks that s is the address of a resource, without a key.
func checkResource(s string) error {
	steps, err := traversal(s)
	if err != nil {
		return err
	}
	n, err := moduleLength(steps)
	if err != nil {
		return err
	}
	if steps = steps[n:]; len(steps) > 0 && (stepName(steps[0]) == string(tfaddr.Data) || stepName(steps[0]) == "ephemeral") {
		steps = steps[1:]
	}
	if len(steps) != 2 || stepName(steps[0]) == "" || stepName(steps[1]) == "" {
		return fmt.Errorf("%q is none", s)
	}
	return nil
}

func traversal(s string) (hcl.Traversal, error) {
	steps, diags := hclsyntax.ParseTraversalAbs([]byte(s), "", hcl.InitialPos)
	if diags.HasErrors() {
		return nil, fmt.Errorf("%q is not an address", s)
	}
	return steps, nil
}

// moduleLength counts the leading steps that name a module instance.
func moduleLength(steps hcl.Traversal) (int, error) {
	n := 0
	for n < len(steps) && stepName(steps[n]) == "module" {
		if n+1 >= len(steps) || stepName(steps[n+1]) == "" {
			return 0, errors.New(`"module" must have a name after it`)
		}
		n += 2
		if n < len(steps) {
			if _, ok := steps[n].(hcl.TraverseIndex); ok {
				n++
			}
		}
	}
	return n, nil
}

func stepName(step hcl.Traverser) string {
	switch s := step.(type) {
	case hcl.TraverseRoot:
		return s.Name
	case hcl.TraverseAttr:
		return s.Name
	default:
		return ""
	}
}

func moduleString(steps hcl.Traversal) string {
	var path cty.Path
	for _, step := range steps {
		if index, ok := step.(hcl.TraverseIndex); ok {
			path = append(path, cty.IndexStep{Key: index.Key})
			continue
		}
		path = append(path, cty.GetAttrStep{Name: stepName(step)})
	}
	return ctyx.PathString(path)
}

// legacyAddress reads a resource key of versions 1 to 3:
// `[data.]type.name[.index]`.
func legacyAddress(s string) (tfaddr.Resource, cty.Value, error) {
	addr := tfaddr.Resource{Mode: tfaddr.Managed}
	parts := strings.Split(s, ".")
	if len(parts) > 2 && parts[0] == "data" {
		addr.Mode, parts = tfaddr.Data, parts[1:]
	}
	if len(parts) < 2 || len(parts) > 3 || parts[0] == "" || parts[1] == "" {
		return addr, cty.NilVal, fmt.Errorf("%q is not type.name or type.name.index", s)
	}
	addr.Type, addr.Name = parts[0], parts[1]
	if len(parts) == 2 {
		return addr, cty.NilVal, nil
	}
	index, err := parseIndex(parts[2])
	if err != nil {
		return addr, cty.NilVal, fmt.Errorf("%q has an index that is not a number", s)
	}
	return addr, cty.NumberIntVal(index), nil
}
