package bridge

import (
	"path/filepath"
	"strings"

	"github.com/blang/semver/v4"

	"github.com/formation-iac/formation/internal/base/release"
)

// pluginVersion is the version that the bridge gives itself. In a plugin cache
// it is that of its directory, `resource-<name>-v<version>`: engines start a
// plugin by the version that an SDK or a stack names, and SDKs name the one
// that the plugin gave. So SDKs and stacks of another bridge find this one in
// its place. Elsewhere it is that of the release.
func pluginVersion(path string) string {
	_, text, ok := strings.Cut(filepath.Base(filepath.Dir(path)), "resource-"+pluginName(path)+"-v")
	if version, err := semver.Parse(text); ok && err == nil {
		return version.String()
	}
	return release.Semantic()
}
