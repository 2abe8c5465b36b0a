package tfplan

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// replacement is what is left of a provider's RequiresReplace: the paths
// that do change, sorted. writeOnly says that one of them is a write-only
// attribute, whose change no value can show.
type replacement struct {
	paths     []cty.Path
	writeOnly bool
}

func (r replacement) needed(noOp bool) bool {
	return r.writeOnly || !noOp && len(r.paths) > 0
}

func filterReplace(block *tfschema.Block, prior, planned cty.Value, paths []cty.Path) (replacement, diag.List) {
	var r replacement
	var diags diag.List
	for _, path := range paths {
		changed, ok := changedAt(prior, planned, path)
		if !ok {
			diags = append(diags, replacePathMissing(path))
			continue
		}
		attr := attributeAt(block, path)
		writeOnly := attr != nil && attr.WriteOnly
		if changed || writeOnly {
			r.paths = append(r.paths, path)
			r.writeOnly = r.writeOnly || writeOnly
		}
	}
	slices.SortStableFunc(r.paths, func(a, b cty.Path) int {
		return strings.Compare(ctyx.PathString(a), ctyx.PathString(b))
	})
	r.paths = slices.CompactFunc(r.paths, cty.Path.Equals)
	return r, diags
}

// changedAt compares two values at a path; ok is false where neither has it.
func changedAt(prior, planned cty.Value, path cty.Path) (changed, ok bool) {
	before, beforeDiags := hcl.ApplyPath(prior, path, nil)
	after, afterDiags := hcl.ApplyPath(planned, path, nil)
	if beforeDiags.HasErrors() && afterDiags.HasErrors() {
		return false, false
	}
	if beforeDiags.HasErrors() {
		before = cty.NullVal(after.Type())
	}
	if afterDiags.HasErrors() {
		after = cty.NullVal(before.Type())
	}
	return !IsNoOp(before, after), true
}

// attributeAt finds the attribute that a path ends on, through nested blocks
// and attributes; nil where it ends elsewhere.
func attributeAt(block *tfschema.Block, path cty.Path) *tfschema.Attribute {
	find, nestedBlock := block.Attribute, block.NestedBlock
	for i, step := range path {
		s, ok := step.(cty.GetAttrStep)
		if !ok {
			continue // an element of a collection
		}
		attr := find(s.Name)
		last := i == len(path)-1
		switch {
		case attr != nil && last:
			return attr
		case attr != nil && attr.Nested != nil:
			find = attr.Nested.Attribute
			nestedBlock = func(string) *tfschema.NestedBlock { return nil }
		case attr != nil:
			return nil
		default:
			nested := nestedBlock(s.Name)
			if nested == nil {
				return nil
			}
			find, nestedBlock = nested.Block.Attribute, nested.Block.NestedBlock
		}
	}
	return nil
}
