package plugin

import (
	"fmt"
	"runtime"

	"github.com/blang/semver/v4"
)

// Concrete is a plugin that a descriptor was resolved into: this one, and no
// other version of it.
type Concrete struct {
	Kind Kind
	// Name is what the executable is called after, and the package where
	// nothing is parameterized.
	Name    string
	Version semver.Version
	// Server is where it comes from: a URL whose scheme says how (github,
	// gitlab, http, https, git, file); or "" for where Pulumi publishes.
	Server string
	// Checksums are those of its archives; or nil.
	Checksums Checksums
}

// String returns "resource plugin random 4.16.0".
func (c Concrete) String() string {
	return fmt.Sprintf("%s plugin %s %s", c.Kind, c.Name, c.Version)
}

// Executable is the name of the plugin's executable, without the ".exe" that
// it has on Windows.
func (c Concrete) Executable() string { return Executable(c.Kind, c.Name) }

// Executable is the name of the executable of any version of a plugin.
func Executable(kind Kind, name string) string { return fmt.Sprintf("pulumi-%s-%s", kind, name) }

// ExecutableExtensions are what names of executables end in on this system,
// that of programs first.
func ExecutableExtensions() []string {
	if runtime.GOOS == "windows" {
		return []string{".exe", ".cmd"}
	}
	return []string{""}
}

// CacheName is the name that the cache knows the plugin by: its own, or for
// one from a git repository the repository's.
func (c Concrete) CacheName() string {
	if git, ok := c.git(); ok {
		return git.Name()
	}
	return c.Name
}

// Subdir is where in its directory the plugin is, with slashes; "" for the
// directory itself. Only git repositories hold plugins deeper down.
func (c Concrete) Subdir() string {
	git, _ := c.git()
	return git.Path
}

func (c Concrete) git() (Git, bool) {
	if !IsGitServer(c.Server) {
		return Git{}, false
	}
	git, err := ParseGit(c.Server)
	return git, err == nil
}

// State is how far the installation of a plugin has come
// (spec/plugins.md, "Correctly installing plugins").
type State uint8

// The three states.
const (
	// NotPresent on disk.
	NotPresent State = iota
	// Present on disk: the installation is under way, or did not end.
	Present
	// Installed, and ready to run.
	Installed
)

// String returns "not present", "present" or "installed".
func (s State) String() string {
	switch s {
	case Present:
		return "present"
	case Installed:
		return "installed"
	}
	return "not present"
}
