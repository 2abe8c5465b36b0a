package tfverify

import (
	"context"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tflang"
)

// trigger is what replace_triggered_by makes of an object: Replace, or why that
// cannot be told; or nothing, "".
type trigger struct {
	verdict Verdict
	reason  *diag.Diagnostic
}

// triggered finds the first entry of replace_triggered_by that would change.
func (i *instance) triggered(ctx context.Context) trigger {
	for _, expr := range i.res.Lifecycle.ReplaceTriggeredBy {
		path, ok := i.frame().traversal(ctx, expr)
		if !ok {
			continue // refused
		}
		refs, _ := tflang.References([]hcl.Traversal{path}, nil)
		if len(refs) != 1 || refs[0].Kind != tflang.KindResource || i.m.config.Resources[refs[0].Resource] == nil {
			continue // refused
		}
		if t := i.triggeredBy(ctx, refs[0], expr.Range()); t.verdict != "" {
			return t
		}
	}
	return trigger{}
}

// triggeredBy says whether a resource, an instance of it or an attribute of one
// would change.
func (i *instance) triggeredBy(ctx context.Context, ref tflang.Reference, at hcl.Range) trigger {
	block, key, rest := i.m.block(ctx, i.m.config.Resources[ref.Resource]), ref.Key(), ref.Rest
	found := block.instances
	if key != cty.NilVal {
		rest = rest[1:]
		one, ok := block.instance(repetition{key: key}.suffix())
		if found = nil; ok {
			found = []happens{one}
		}
	}
	if len(found) == 0 || ref.Resource.Mode == tfaddr.Data && !block.changes() {
		return trigger{Failed, missingTrigger(ref.String(), at)}
	}
	path, err := traversalPath(rest)
	if err != nil {
		return trigger{} // refused
	}
	for _, one := range found {
		switch one.verdict {
		case Failed, Unevaluated, Import:
			return trigger{Unevaluated, unevaluatedTrigger(ref.String(), at)}
		case Create, Update, Replace:
			if one.differs(path) {
				return trigger{Replace, triggered(ref.String(), at)}
			}
		}
	}
	return trigger{}
}

// differs reports whether an object changes at a path.
func (h happens) differs(path cty.Path) bool {
	if len(path) == 0 {
		return true
	}
	before, after := valueAt(h.before, path), valueAt(h.after, path)
	if before == cty.NilVal || after == cty.NilVal {
		return before != after
	}
	return !before.RawEquals(after)
}

// valueAt is what is at a path, or cty.NilVal.
func valueAt(v cty.Value, path cty.Path) cty.Value {
	if v == cty.NilVal {
		return v
	}
	out, err := path.Apply(v)
	if err != nil {
		return cty.NilVal
	}
	return out
}
