package tfplan

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// proposeSet pairs each written element with the first unpaired prior one
// that could have come from it.
func proposeSet(elem body, prior, config cty.Value) cty.Value {
	if config.IsNull() || config.LengthInt() == 0 {
		return config
	}
	var priors []cty.Value
	if !absent(prior) && prior.IsKnown() {
		priors = prior.AsValueSlice()
	}
	used := make([]bool, len(priors))
	vals := make([]cty.Value, 0, config.LengthInt())
	for _, val := range elements(config) {
		vals = append(vals, elem.propose(takeMatch(elem, priors, used, val), val))
	}
	if !cty.CanSetVal(vals) {
		return config
	}
	return cty.SetVal(vals)
}

func takeMatch(elem body, priors []cty.Value, used []bool, config cty.Value) cty.Value {
	for i, prior := range priors {
		if !used[i] && elem.mayDerive(prior, config) {
			used[i] = true
			return prior
		}
	}
	return cty.NilVal
}

// mayDerive reports whether the prior element could be what became of the
// written one: they differ only where a computed attribute is not written.
func (b blockBody) mayDerive(prior, config cty.Value) bool {
	if done, same := settled(prior, config); done {
		return same
	}
	if !attributesMayDerive(b.Attributes, prior, config) {
		return false
	}
	for _, nested := range b.Blocks {
		if !nestedMayDerive(nested.Nesting, blockBody{nested.Block}, prior.GetAttr(nested.Name), config.GetAttr(nested.Name)) {
			return false
		}
	}
	return true
}

func (o objectBody) mayDerive(prior, config cty.Value) bool {
	if done, same := settled(prior, config); done {
		return same
	}
	return attributesMayDerive(o.Attributes, prior, config)
}

// settled answers for a pair of objects where their attributes need not, or
// cannot, be compared. A null prior says nothing, so it contradicts nothing.
func settled(prior, config cty.Value) (done, same bool) {
	switch {
	case sameUnrefined(prior, config), prior.IsNull():
		return true, true
	case config.IsNull(), !prior.IsKnown():
		return true, false
	default:
		return false, false
	}
}

func attributesMayDerive(attrs []*tfschema.Attribute, prior, config cty.Value) bool {
	for _, attr := range attrs {
		if !attributeMayDerive(attr, prior.GetAttr(attr.Name), config.GetAttr(attr.Name)) {
			return false
		}
	}
	return true
}

func attributeMayDerive(attr *tfschema.Attribute, prior, config cty.Value) bool {
	switch {
	case sameUnrefined(prior, config):
		return true
	case config.Type().IsSetType(): // sets inside sets must agree whole
		return false
	case attr.Nested != nil:
		return nestedMayDerive(attr.Nested.Nesting, objectBody{attr.Nested}, prior, config)
	default:
		return attr.Computed && config.IsNull()
	}
}

// nestedMayDerive looks at the prior's elements only: Terraform lets
// configuration have more of them.
func nestedMayDerive(nesting tfschema.Nesting, elem body, prior, config cty.Value) bool {
	switch {
	case sameUnrefined(prior, config):
		return true
	case config.Type().IsSetType():
		return false
	case nesting == tfschema.NestingSingle || nesting == tfschema.NestingGroup:
		return elem.mayDerive(prior, config)
	}
	for step, val := range elements(prior) {
		written, ok := elementAt(config, step)
		if !ok || !elem.mayDerive(val, written) {
			return false
		}
	}
	return true
}
