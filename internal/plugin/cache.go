package plugin

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/blang/semver/v4"
)

// Cache names the files of a plugin cache. Its layout is that of the pulumi
// program, which works in it at the same time: beside the directory
// `<kind>-<name>-v<version>` stand `.lock`, held by who installs or removes
// the plugin, `.partial` while it is not installed yet, and `.lastused`, whose
// modification time is that of the last start.
type Cache struct {
	// Root is an absolute directory.
	Root string
}

// Suffixes of the files beside a plugin's directory.
const (
	lockSuffix     = ".lock"
	partialSuffix  = ".partial"
	lastUsedSuffix = ".lastused"
	downloadSuffix = ".download"
)

// OpenCache finds the cache of the user: $PULUMI_HOME/plugins, or
// ~/.pulumi/plugins without it. Nothing is created. env looks up a variable.
func OpenCache(env func(string) string) (Cache, error) {
	home, err := Home(env)
	return Cache{filepath.Join(home, "plugins")}, err
}

// Home is the directory that PULUMI_HOME names, or ~/.pulumi.
func Home(env func(string) string) (string, error) {
	if home := env("PULUMI_HOME"); home != "" {
		return filepath.Abs(home)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("there is no home directory, and PULUMI_HOME is not set: %w", err)
	}
	return filepath.Join(home, ".pulumi"), nil
}

// Dir is the directory of a plugin.
func (c Cache) Dir(p Concrete) string {
	return filepath.Join(c.Root, fmt.Sprintf("%s-%s-v%s", p.Kind, p.CacheName(), p.Version))
}

// RunDir is where in its directory the plugin's executable, or its
// PulumiPlugin.yaml, is.
func (c Cache) RunDir(p Concrete) string {
	return filepath.Join(c.Dir(p), filepath.FromSlash(p.Subdir()))
}

// Lock is the lock file of a plugin's directory.
func (c Cache) Lock(p Concrete) string { return c.Dir(p) + lockSuffix }

// Partial is the marker of a plugin that is present and not installed.
func (c Cache) Partial(p Concrete) string { return c.Dir(p) + partialSuffix }

// LastUsed is the file whose modification time is that of the last start.
func (c Cache) LastUsed(p Concrete) string { return c.Dir(p) + lastUsedSuffix }

// State tells how far the installation of a plugin has come.
func (c Cache) State(p Concrete) (State, error) {
	info, err := os.Stat(c.Dir(p))
	if errors.Is(err, os.ErrNotExist) {
		return NotPresent, nil
	}
	if err != nil {
		return NotPresent, err
	}
	if !info.IsDir() {
		return NotPresent, fmt.Errorf("%s is in the way: it is not a directory", c.Dir(p))
	}
	_, err = os.Stat(c.Partial(p))
	if errors.Is(err, os.ErrNotExist) {
		return Installed, nil
	}
	return Present, err
}

// Entry is a plugin's directory in the cache. Kind, Name and Version are
// those of the directory; for a plugin from git, Name is its CacheName.
type Entry struct {
	Kind    Kind
	Name    string
	Version semver.Version
	Dir     string
	State   State
}

// Entries lists the plugins in the cache by their directories' names. A cache
// that does not exist is empty. What is no plugin is passed over.
func (c Cache) Entries() ([]Entry, error) {
	files, err := os.ReadDir(c.Root)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	partial := map[string]bool{}
	for _, file := range files {
		if dir, ok := strings.CutSuffix(file.Name(), partialSuffix); ok {
			partial[dir] = true
		}
	}
	var entries []Entry
	for _, file := range files {
		kind, name, version, ok := parseDirName(file.Name())
		if !ok || !file.IsDir() {
			continue
		}
		e := Entry{Kind: kind, Name: name, Version: version, Dir: filepath.Join(c.Root, file.Name()), State: Installed}
		if partial[file.Name()] {
			e.State = Present
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// Find returns the installed version of a plugin that meets a constraint;
// name is a [Concrete.CacheName]. ok is false where none does.
func (c Cache) Find(kind Kind, name string, constraint Constraint) (found Entry, ok bool, err error) {
	entries, err := c.Entries()
	if err != nil {
		return Entry{}, false, err
	}
	var versions []semver.Version
	for _, e := range entries {
		if e.State == Installed && e.Kind == kind && e.Name == name {
			versions = append(versions, e.Version)
		}
	}
	version, ok := constraint.Select(versions)
	for _, e := range entries {
		if ok && e.Kind == kind && e.Name == name && e.Version.String() == version.String() {
			return e, true, nil
		}
	}
	return Entry{}, false, nil
}

// Download is where an archive is kept that has not come whole yet. The pulumi
// program has no such file.
func (c Cache) Download(p Concrete) string { return c.Dir(p) + downloadSuffix }

// Staging is where a plugin is unpacked before it goes to its directory, and
// where that goes to be removed. The pulumi program does not look at it.
func (c Cache) Staging(p Concrete) string {
	return filepath.Join(c.Root, stagingPrefix+filepath.Base(c.Dir(p)))
}

const stagingPrefix = ".staging-"

// Stages maps the staging directories that there are to the locks under which
// they are filled.
func (c Cache) Stages() map[string]string {
	stages := map[string]string{}
	files, err := os.ReadDir(c.Root)
	if err != nil {
		return stages // there is no cache yet
	}
	for _, file := range files {
		if dir, ok := strings.CutPrefix(file.Name(), stagingPrefix); ok {
			stages[filepath.Join(c.Root, file.Name())] = filepath.Join(c.Root, dir+lockSuffix)
		}
	}
	return stages
}
