package install

import (
	"slices"

	"github.com/formation-iac/formation/internal/plugin"
)

// isBundled reports whether a plugin comes with the pulumi program, and from
// nowhere else.
func isBundled(p plugin.Concrete) bool {
	switch p.Kind {
	case plugin.Language:
		return p.Server == "" && slices.Contains([]string{"nodejs", "bun", "python", "go", "dotnet", "java", "yaml", "pcl"}, p.Name)
	case plugin.Resource:
		return p.Server == "" && (p.Name == "pulumi-nodejs" || p.Name == "pulumi-python")
	}
	return false
}
