package cli

import "runtime/debug"

// linkedVersion is set by the linker in releases.
var linkedVersion string

// version returns the program's version: the linked one, the module's when
// it was installed from one, else "dev".
func version() string {
	if linkedVersion != "" {
		return linkedVersion
	}
	info, ok := debug.ReadBuildInfo()
	if ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}
