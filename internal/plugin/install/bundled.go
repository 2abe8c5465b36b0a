package install

import (
	"slices"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
)

// unpublished says why a plugin is not to be had by itself: it comes with a
// program, and from nowhere else. It is nil for others.
func unpublished(p plugin.Concrete) *diag.Diagnostic {
	switch {
	case p.Server != "":
		return nil
	case isOwn(p):
		return comesWithFormation(p)
	case slices.ContainsFunc(plugin.ShippedWithPulumi(), func(s plugin.Shipped) bool { return s.Is(p.Kind, p.Name) }):
		return bundled(p)
	}
	return nil
}

// isOwn reports whether a plugin is one of formation's, under its own name.
func isOwn(p plugin.Concrete) bool {
	return slices.ContainsFunc(plugin.ShippedWithFormation(), func(s plugin.Shipped) bool {
		return s.Is(p.Kind, p.Name) && !s.StandsIn(p.Kind, p.Name)
	})
}
