package install

import (
	"slices"

	"github.com/formation-iac/formation/internal/plugin"
)

// isBundled reports whether a plugin comes with the pulumi program, and from
// nowhere else.
func isBundled(p plugin.Concrete) bool {
	return p.Server == "" && slices.ContainsFunc(plugin.ShippedWithPulumi(), func(s plugin.Shipped) bool { return s.Is(p.Kind, p.Name) })
}
