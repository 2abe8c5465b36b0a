package lifecycle

import (
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/translate"
	"github.com/formation-iac/formation/internal/pulumi/pvalue"
	"github.com/formation-iac/formation/internal/tf/tfplan"
)

// response is what is shown of the differences, each once.
func (d *detail) response() DiffResponse {
	resp := DiffResponse{Detailed: map[string]PropertyDiff{}}
	for _, e := range d.shown {
		resp.Detailed[pvalue.PathText(e.path)] = e.diff
		resp.Changed = append(resp.Changed, topLevel(e.path))
		if e.diff.Kind.replaces() {
			resp.Replaces = append(resp.Replaces, topLevel(e.path))
		}
	}
	slices.Sort(resp.Changed)
	slices.Sort(resp.Replaces)
	resp.Changed, resp.Replaces = slices.Compact(resp.Changed), slices.Compact(resp.Replaces)
	return resp
}

// replace makes the differences at a path the reason for a replacement. One
// that is the provider's own is shown for that, and where nothing at all was
// seen to differ the path itself is.
func (d *detail) replace(path property.Path) {
	if promote(d.shown, path) {
		return
	}
	var rest []entry
	for _, e := range d.hidden {
		if leadsInto(e.path, path) {
			d.shown = append(d.shown, e)
		} else {
			rest = append(rest, e)
		}
	}
	d.hidden = rest
	if !promote(d.shown, path) && topLevel(path) != "" {
		d.shown = append(d.shown, entry{path, PropertyDiff{Kind: DiffUpdateReplace}})
	}
}

// promote turns the differences at a path, on the way to it or below, into
// ones that replace.
func promote(entries []entry, path property.Path) (any bool) {
	for i, e := range entries {
		if leadsInto(e.path, path) || leadsInto(path, e.path) {
			entries[i].diff.Kind = e.diff.Kind.replacing()
			any = true
		}
	}
	return any
}

func (k DiffKind) replaces() bool { return k%2 == 1 }

// replacing is the kind that also replaces.
func (k DiffKind) replacing() DiffKind { return k | 1 }

// leadsInto reports whether path leads to what is at prefix, or into it.
func leadsInto(path, prefix property.Path) bool { return prefix.AsGlob().Matches(path) }

// topLevel is the property that a path begins with.
func topLevel(path property.Path) string {
	for segment := range path.Segments {
		if key, ok := segment.(property.KeySegment); ok {
			return key.Key()
		}
	}
	return ""
}

// fallBack shows something where the plan changes something: what is the
// provider's own, or else the properties that the plan names.
func (d *detail) fallBack(o *mapping.Object, changes []tfplan.Change) {
	if len(d.shown) > 0 {
		return
	}
	d.shown, d.hidden = d.hidden, nil
	if len(d.shown) > 0 {
		return
	}
	for _, c := range changes {
		d.shown = append(d.shown, entry{translate.PropertyPath(o, c.Path, property.Map{}), PropertyDiff{Kind: DiffUpdate}})
	}
}
