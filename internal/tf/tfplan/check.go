package tfplan

import (
	"errors"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// CheckPlanned holds a plan against the rules: a provider may only plan what
// is written, or the prior value of what is written, or anything for what is
// computed and not written. legacy says that the provider's SDK cannot keep
// the rules, so that only the type of the value counts. The result has
// errors only, each with the path of the value.
//
// Source: OpenTofu 1.12.6, objchange.AssertPlanValid.
func CheckPlanned(block *tfschema.Block, prior, config, planned cty.Value, legacy bool) diag.List {
	if diags := conforms(block, planned); diags != nil || legacy {
		return diags
	}
	c := &planCheck{}
	c.block(block, orNull(prior, block), orNull(config, block), planned, nil)
	return c.diags
}

// conforms checks the type of what a provider answered.
func conforms(block *tfschema.Block, v cty.Value) diag.List {
	var diags diag.List
	for _, err := range misfits(block, v) {
		diags = append(diags, wrongType(pathOf(err), err))
	}
	return diags
}

// answered is conforms for an answer of which it is known what it kept: that was
// taken off the wire, and nothing comes off the wire with another type.
func answered(block *tfschema.Block, v cty.Value, kept tfprovider.Kept) diag.List {
	if kept.Known() {
		return nil
	}
	return conforms(block, v)
}

func misfits(block *tfschema.Block, v cty.Value) []error {
	if v == cty.NilVal {
		return []error{errors.New("there is no value")}
	}
	return v.Type().TestConformance(block.ImpliedType())
}

func pathOf(err error) cty.Path {
	var pathErr cty.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Path
	}
	return nil
}

// planCheck gathers the problems of one plan.
type planCheck struct{ diags diag.List }

func (c *planCheck) fail(path cty.Path, problem string) {
	c.diags = append(c.diags, invalidPlan(path, problem))
}

// presence reports whether planned and config are both there, and fails
// where only one of them is.
func (c *planCheck) presence(config, planned cty.Value, path cty.Path) bool {
	switch {
	case planned.IsNull() && !config.IsNull():
		c.fail(path, "configuration wants this object, but the plan has none")
	case config.IsNull() && !planned.IsNull():
		c.fail(path, "configuration does not have this object, but the plan does")
	}
	return !planned.IsNull() && !config.IsNull()
}

func (c *planCheck) block(block *tfschema.Block, prior, config, planned cty.Value, path cty.Path) {
	if !c.presence(config, planned, path) {
		return
	}
	c.attributes(block.Attributes, prior, config, planned, path)
	for _, nested := range block.Blocks {
		path := extend(path, attrStep(nested.Name))
		c.nestedBlock(nested, blockOf(prior, nested.Name), blockOf(config, nested.Name), blockOf(planned, nested.Name), path)
	}
}

func (c *planCheck) attributes(attrs []*tfschema.Attribute, prior, config, planned cty.Value, path cty.Path) {
	for _, attr := range attrs {
		written := attrOf(config, attr.Name, attr.Type)
		if attr.Computed && (!attr.Optional || written.IsNull()) {
			continue // the provider's to say
		}
		c.attribute(attr, attrOf(prior, attr.Name, attr.Type), written, attrOf(planned, attr.Name, attr.Type), path)
	}
}

// attribute checks one attribute of the object at parent that configuration
// may decide.
func (c *planCheck) attribute(attr *tfschema.Attribute, prior, config, planned cty.Value, parent cty.Path) {
	switch {
	case sameUnrefined(planned, config): // as written
	case !prior.IsNull() && !config.IsNull() && sameUnrefined(planned, prior): // written means the same as before
	case config.IsNull():
		c.fail(extend(parent, attrStep(attr.Name)), "plan has a value for an attribute that is neither written nor computed")
	case planned.IsNull() && attr.WriteOnly: // must not be stored
	case attr.Nested != nil:
		c.object(attr.Nested, prior, config, planned, extend(parent, attrStep(attr.Name)))
	case prior.IsNull():
		c.fail(extend(parent, attrStep(attr.Name)), "planned value is not the configured one")
	default:
		c.fail(extend(parent, attrStep(attr.Name)), "planned value is neither the configured nor the prior one")
	}
}

// object checks a nested attribute as a whole.
func (c *planCheck) object(object *tfschema.Object, prior, config, planned cty.Value, path cty.Path) {
	if !c.presence(config, planned, path) {
		return
	}
	if !planned.IsKnown() {
		c.fail(path, "plan is unknown for an attribute that is written")
		return
	}
	switch object.Nesting {
	case tfschema.NestingList, tfschema.NestingMap:
		c.objects(object, prior, config, planned, path)
	case tfschema.NestingSet:
		// Elements of sets cannot be paired, so only their number is checked.
		if ok := planned.Length().Range().Includes(config.Length()); ok.IsKnown() && ok.False() {
			c.fail(path, "number of elements in the plan is not the configured one")
		}
	default:
		c.attributes(object.Attributes, prior, config, planned, path)
	}
}

func (c *planCheck) objects(object *tfschema.Object, prior, config, planned cty.Value, path cty.Path) {
	if !config.IsKnown() {
		c.fail(path, "plan has elements where configuration does not know how many there are")
		return
	}
	c.pairs(prior, config, planned, path, func(prior, config, planned cty.Value, path cty.Path) {
		if c.presence(config, planned, path) {
			c.attributes(object.Attributes, prior, config, planned, path)
		}
	})
}

// pairs calls check for each element that is in both config and planned, and
// fails for elements that only one of them has.
func (c *planCheck) pairs(prior, config, planned cty.Value, path cty.Path, check func(prior, config, planned cty.Value, path cty.Path)) {
	for step, val := range elements(planned) {
		path := extend(path, step)
		written, ok := elementAt(config, step)
		if !ok {
			c.fail(path, "plan has an element that configuration does not have")
			continue
		}
		before, _ := elementAt(prior, step)
		check(before, written, val, path)
	}
	for step := range elements(config) {
		if _, ok := elementAt(planned, step); !ok {
			c.fail(extend(path, step), "plan lacks an element that configuration has")
		}
	}
}

func (c *planCheck) nestedBlock(nested *tfschema.NestedBlock, prior, config, planned cty.Value, path cty.Path) {
	switch {
	case planned.RawEquals(config):
		return
	case !config.IsKnown():
		c.fail(path, "plan has blocks where configuration does not know how many there are")
		return
	case !planned.IsKnown():
		c.fail(path, "plan is unknown for nested blocks, of which only attributes may be unknown")
		return
	}
	switch nested.Nesting {
	case tfschema.NestingSet:
		c.blockElements(planned, path)
	case tfschema.NestingList, tfschema.NestingMap:
		if !c.blockElements(planned, path) {
			return
		}
		c.pairs(prior, config, planned, path, func(prior, config, planned cty.Value, path cty.Path) {
			c.block(nested.Block, prior, config, planned, path)
		})
	default:
		c.block(nested.Block, prior, config, planned, path)
	}
}

// blockElements checks what must hold for any collection of blocks, and
// reports whether it does.
func (c *planCheck) blockElements(planned cty.Value, path cty.Path) bool {
	if planned.IsNull() {
		c.fail(path, "plan is null for nested blocks, where none is an empty collection")
		return false
	}
	ok := true
	for step, val := range elements(planned) {
		if !val.IsKnown() {
			c.fail(extend(path, step), "plan is unknown for a nested block, of which only attributes may be unknown")
			ok = false
		}
	}
	return ok
}
