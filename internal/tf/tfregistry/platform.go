package tfregistry

import (
	"runtime"
	"strings"
)

// Platform is what a provider package was built for, in Go's words.
type Platform struct{ OS, Arch string }

// CurrentPlatform is the one this program was built for.
func CurrentPlatform() Platform { return Platform{runtime.GOOS, runtime.GOARCH} }

// String returns `os_arch`, as directories and mirror indexes name it.
func (p Platform) String() string { return p.OS + "_" + p.Arch }

// parsePlatform reads `os_arch`; ok is false where s is not of that form.
func parsePlatform(s string) (p Platform, ok bool) {
	os, arch, found := strings.Cut(s, "_")
	if !found || os == "" || arch == "" || strings.ContainsAny(s, "/\\ ") {
		return Platform{}, false
	}
	return Platform{os, arch}, true
}
