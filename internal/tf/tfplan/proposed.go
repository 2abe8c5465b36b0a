package tfplan

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// ProposedNew merges prior state and configuration into the state that a
// provider is asked to plan towards: what is written wins, and computed
// attributes that are not written keep their prior value. Elements of lists
// are matched by index, of maps by key, and of sets by all that configuration
// could have written. Without a prior there is nothing to keep and config is
// the proposal; without a config, prior is.
//
// prior is wholly known, or unknown as a whole; config may hold unknowns.
// Neither has marks. Write-only values stay in the proposal, as Terraform
// sends them; providers null them in the plan.
//
// Source: PlanResourceChange.Request.proposed_new_state of the provider
// protocol; OpenTofu 1.12.6, objchange.ProposedNew.
func ProposedNew(block *tfschema.Block, prior, config cty.Value) cty.Value {
	if absent(prior) && config == cty.NilVal {
		return cty.NullVal(block.ImpliedType())
	}
	return proposeBlock(block, prior, config)
}

// propose is ProposedNew, which it does without where that is prior.
func propose(block *tfschema.Block, prior, config cty.Value) (proposed cty.Value, isPrior bool) {
	if proposesPrior(block, prior, config) {
		return prior, true
	}
	return ProposedNew(block, prior, config), false
}

// proposesPrior reports whether what is proposed is the prior object as it is:
// all that is written is as before, and all else is computed. It looks no
// deeper than equality does, so that false says nothing.
func proposesPrior(block *tfschema.Block, prior, config cty.Value) bool {
	if absent(prior) || !prior.IsKnown() || absent(config) || !config.IsKnown() {
		return false
	}
	for _, attr := range block.Attributes {
		written := config.GetAttr(attr.Name)
		kept := attr.Computed && attr.Nested == nil && written.IsNull()
		if !kept && !written.RawEquals(prior.GetAttr(attr.Name)) {
			return false
		}
	}
	for _, nested := range block.Blocks {
		if !config.GetAttr(nested.Name).RawEquals(prior.GetAttr(nested.Name)) {
			return false
		}
	}
	return true
}

func proposeBlock(block *tfschema.Block, prior, config cty.Value) cty.Value {
	if absent(prior) {
		return config
	}
	if absent(config) || !config.IsKnown() {
		return prior
	}
	vals := make(map[string]cty.Value, len(block.Attributes)+len(block.Blocks))
	proposeAttributes(vals, block.Attributes, prior, config)
	for _, nested := range block.Blocks {
		vals[nested.Name] = proposeNestedBlock(nested, blockOf(prior, nested.Name), config.GetAttr(nested.Name))
	}
	return cty.ObjectVal(vals)
}

func proposeNestedBlock(nested *tfschema.NestedBlock, prior, config cty.Value) cty.Value {
	if !config.IsKnown() {
		return config // a dynamic block over an unknown collection
	}
	if nested.Nesting == tfschema.NestingSingle && config.IsNull() {
		return config
	}
	return proposeNested(nested.Nesting, blockBody{nested.Block}, prior, config)
}

func proposeObject(object *tfschema.Object, prior, config cty.Value) cty.Value {
	if !config.IsKnown() || config.IsNull() {
		return config
	}
	return proposeNested(object.Nesting, objectBody{object}, prior, config)
}

// body is what blocks and nested attributes share: the element of either.
type body interface {
	propose(prior, config cty.Value) cty.Value
	mayDerive(prior, config cty.Value) bool
}

type blockBody struct{ *tfschema.Block }

func (b blockBody) propose(prior, config cty.Value) cty.Value {
	return proposeBlock(b.Block, prior, config)
}

type objectBody struct{ *tfschema.Object }

func (o objectBody) propose(prior, config cty.Value) cty.Value {
	if absent(prior) || config.IsNull() || !config.IsKnown() {
		return config
	}
	vals := make(map[string]cty.Value, len(o.Attributes))
	proposeAttributes(vals, o.Attributes, prior, config)
	return cty.ObjectVal(vals)
}

func proposeNested(nesting tfschema.Nesting, elem body, prior, config cty.Value) cty.Value {
	switch nesting {
	case tfschema.NestingList:
		return proposeList(elem, prior, config)
	case tfschema.NestingMap:
		return proposeMap(elem, prior, config)
	case tfschema.NestingSet:
		return proposeSet(elem, prior, config)
	default:
		return elem.propose(prior, config)
	}
}

// proposeAttributes fills vals. Neither object is null; config is known.
func proposeAttributes(vals map[string]cty.Value, attrs []*tfschema.Attribute, prior, config cty.Value) {
	for _, attr := range attrs {
		vals[attr.Name] = proposeAttribute(attr, attrOf(prior, attr.Name, attr.Type), config.GetAttr(attr.Name))
	}
}

func proposeAttribute(attr *tfschema.Attribute, prior, config cty.Value) cty.Value {
	switch {
	case attr.Computed && config.IsNull():
		// An object that was partly written cannot have been computed, so
		// that taking it out of the configuration takes it away.
		if attr.Optional && attr.Nested != nil && holdsWritten(attr.Nested, prior) {
			return config
		}
		return prior
	case attr.Nested != nil:
		return proposeObject(attr.Nested, prior, config)
	default:
		return config
	}
}

// holdsWritten reports whether v, a value of the nested attribute, has
// anything that only configuration can set.
func holdsWritten(object *tfschema.Object, v cty.Value) bool {
	if object.Nesting == tfschema.NestingSingle {
		return objectHoldsWritten(object, v)
	}
	for _, elem := range elements(v) {
		if objectHoldsWritten(object, elem) {
			return true
		}
	}
	return false
}

func objectHoldsWritten(object *tfschema.Object, v cty.Value) bool {
	if v.IsNull() || !v.IsKnown() {
		return false
	}
	for _, attr := range object.Attributes {
		val := v.GetAttr(attr.Name)
		if val.IsNull() {
			continue
		}
		if !attr.Computed || attr.Nested != nil && holdsWritten(attr.Nested, val) {
			return true
		}
	}
	return false
}

func proposeList(elem body, prior, config cty.Value) cty.Value {
	if config.IsNull() || config.LengthInt() == 0 {
		return config
	}
	vals := make([]cty.Value, 0, config.LengthInt())
	for step, val := range elements(config) {
		vals = append(vals, elem.propose(priorElement(prior, step), val))
	}
	if config.Type().IsTupleType() { // elements with dynamic attributes
		return cty.TupleVal(vals)
	}
	if !cty.CanListVal(vals) { // a prior of another type than the schema's
		return config
	}
	return cty.ListVal(vals)
}

// priorElement is elementAt for a prior that may be unknown as a whole, and
// whose elements are then unknown.
func priorElement(prior cty.Value, step cty.PathStep) cty.Value {
	if !absent(prior) && !prior.IsKnown() {
		return cty.DynamicVal
	}
	val, _ := elementAt(prior, step)
	return val
}

func proposeMap(elem body, prior, config cty.Value) cty.Value {
	if config.IsNull() || config.LengthInt() == 0 {
		return config
	}
	vals := make(map[string]cty.Value, config.LengthInt())
	for step, val := range elements(config) {
		before, _ := elementAt(prior, step)
		vals[stepKey(step)] = elem.propose(before, val)
	}
	if config.Type().IsObjectType() { // elements with dynamic attributes
		return cty.ObjectVal(vals)
	}
	if !cty.CanMapVal(vals) {
		return config
	}
	return cty.MapVal(vals)
}

// stepKey is the key of an element of a map, or of an object in its place.
func stepKey(step cty.PathStep) string {
	if s, ok := step.(cty.GetAttrStep); ok {
		return s.Name
	}
	return step.(cty.IndexStep).Key.AsString()
}
