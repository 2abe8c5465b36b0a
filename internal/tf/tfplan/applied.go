package tfplan

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// CheckApplied holds the result of an apply against its plan: whatever the
// plan knew must have come true. legacy is as in [CheckPlanned], and what the
// provider is known to have kept is not looked at. The result has errors only.
//
// Source: OpenTofu 1.12.6, objchange.AssertObjectCompatible.
func CheckApplied(block *tfschema.Block, planned, actual cty.Value, legacy bool, same tfprovider.Kept) diag.List {
	if diags := answered(block, actual, same); diags != nil || legacy {
		return diags
	}
	c := &applyCheck{}
	c.block(without(block, same), orNull(planned, block), actual, nil)
	return c.diags
}

type applyCheck struct{ diags diag.List }

func (c *applyCheck) fail(path cty.Path, problem string, args ...any) {
	c.diags = append(c.diags, invalidResult(path, problem, args...))
}

// agrees runs check on its own and reports whether it found nothing.
func agrees(check func(*applyCheck)) bool {
	probe := &applyCheck{}
	check(probe)
	return len(probe.diags) == 0
}

func (c *applyCheck) presence(planned, actual cty.Value, path cty.Path) bool {
	switch {
	case planned.IsNull() && !actual.IsNull():
		c.fail(path, "value was planned to be null and is not")
	case actual.IsNull() && !planned.IsNull():
		c.fail(path, "value was planned and is now null")
	}
	return !planned.IsNull() && !actual.IsNull()
}

func (c *applyCheck) block(block *tfschema.Block, planned, actual cty.Value, path cty.Path) {
	if !c.presence(planned, actual, path) {
		return
	}
	for _, attr := range block.Attributes {
		c.value(attrOf(planned, attr.Name, attr.Type), actual.GetAttr(attr.Name), extend(path, attrStep(attr.Name)))
	}
	for _, nested := range block.Blocks {
		c.nestedBlock(nested, planned.GetAttr(nested.Name), actual.GetAttr(nested.Name), extend(path, attrStep(nested.Name)))
	}
}

func (c *applyCheck) nestedBlock(nested *tfschema.NestedBlock, planned, actual cty.Value, path cty.Path) {
	if !planned.IsKnown() || !actual.IsKnown() {
		return // a dynamic block may have become any number of blocks
	}
	switch nested.Nesting {
	case tfschema.NestingList, tfschema.NestingMap:
		if planned.IsNull() || actual.IsNull() {
			return
		}
		c.pairs(planned, actual, path, func(c *applyCheck, planned, actual cty.Value, path cty.Path) {
			c.block(nested.Block, planned, actual, path)
		})
	case tfschema.NestingSet:
		c.sets(planned, actual, path, func(c *applyCheck, planned, actual cty.Value) {
			c.block(nested.Block, planned, actual, path)
		})
	default:
		c.block(nested.Block, planned, actual, path)
	}
}

// value checks anything below an attribute, where the type says the shape.
func (c *applyCheck) value(planned, actual cty.Value, path cty.Path) {
	switch {
	case planned.Type() == cty.DynamicPseudoType:
		return
	case len(actual.Type().TestConformance(planned.Type())) > 0:
		c.fail(path, "type of the value is not the planned one")
		return
	case !planned.IsKnown():
		if ok := planned.Range().Includes(actual); ok.IsKnown() && ok.False() {
			c.fail(path, "value is outside of what the plan promised")
		}
		return
	case planned.IsNull() || actual.IsNull():
		c.presence(planned, actual, path)
		return
	case !actual.IsKnown():
		c.fail(path, "value was known in the plan and is now unknown")
		return
	}
	c.known(planned, actual, path)
}

// known checks two values that are neither null nor unknown.
func (c *applyCheck) known(planned, actual cty.Value, path cty.Path) {
	switch ty := planned.Type(); {
	case ty.IsPrimitiveType():
		if eq := actual.Equals(planned); eq.IsKnown() && eq.False() {
			c.fail(path, "value is not the planned one")
		}
	case ty.IsSetType():
		c.sets(planned, actual, path, func(c *applyCheck, planned, actual cty.Value) {
			c.value(planned, actual, path)
		})
	default:
		c.pairs(planned, actual, path, (*applyCheck).value)
	}
}

func (c *applyCheck) pairs(planned, actual cty.Value, path cty.Path, check func(c *applyCheck, planned, actual cty.Value, path cty.Path)) {
	for step, val := range elements(planned) {
		result, ok := elementAt(actual, step)
		if !ok {
			c.fail(extend(path, step), "planned element is not there")
			continue
		}
		check(c, val, result, extend(path, step))
	}
	for step := range elements(actual) {
		if _, ok := elementAt(planned, step); !ok {
			c.fail(extend(path, step), "element was not planned")
		}
	}
}

// sets checks that each element of either set agrees with one of the other.
// A set may shrink, when unknown elements turn out to be equal, but not grow.
func (c *applyCheck) sets(planned, actual cty.Value, path cty.Path, check func(c *applyCheck, planned, actual cty.Value)) {
	if absent(planned) || absent(actual) || !planned.IsKnown() || !actual.IsKnown() || planned.RawEquals(actual) {
		return
	}
	plannedVals, actualVals := planned.AsValueSlice(), actual.AsValueSlice()
	matched := make([]bool, len(actualVals))
	complete := true
	for _, want := range plannedVals {
		found := false
		for i, got := range actualVals {
			if agrees(func(c *applyCheck) { check(c, want, got) }) {
				found, matched[i] = true, true
			}
		}
		complete = complete && found
	}
	for _, m := range matched {
		complete = complete && m
	}
	switch {
	case !complete:
		c.fail(path, "elements of the set are not the planned ones")
	case len(plannedVals) < len(actualVals):
		c.fail(path, "set grew from %d to %d elements", len(plannedVals), len(actualVals))
	}
}
