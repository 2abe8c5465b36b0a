// Package release says which release of Formation a program is.
package release

import (
	"runtime/debug"
	"strings"
)

// linked is set by the linker in releases:
//
//	-ldflags "-X github.com/formation-iac/formation/internal/base/release.linked=1.2.3"
var linked string

// Version returns the release: the linked one, the module's when the program
// was installed from one, else "dev".
func Version() string {
	if linked != "" {
		return linked
	}
	info, ok := debug.ReadBuildInfo()
	if ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}

// Semantic returns Version as a semantic version without "v", as plugin
// protocols want it. A development build is older than every release.
func Semantic() string {
	if v := Version(); v != "dev" {
		return strings.TrimPrefix(v, "v")
	}
	return "0.0.0-dev"
}
