package install

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/source"
)

// mend is a command that ends the state of being present but not installed. It
// installs the plugin from where it came, so far as that is known: from the
// marker, from what the pulumi program has left of a git repository, or by the
// name. Otherwise it removes the plugin, which is stray.
func mend(cache plugin.Cache, p plugin.Concrete) (command string, stray bool) {
	m := readMarker(cache, p)
	p.Server = m.server
	switch {
	case m.server == "" && isOurs(cache, p):
		return shipCommand(p), false
	case m.ours:
	case isGitName(p.Name):
		server, ok := clonedFrom(cache, p)
		if !ok {
			return removal(p), true
		}
		p.Server = server
	case isOwn(p):
	default:
		id, known, err := source.Guess(plugin.Descriptor{Kind: p.Kind, Source: p.Name})
		if err != nil || !known || p.Kind != plugin.Resource { // only packages are known by their names alone
			return removal(p), true
		}
		p.Server = id.Plugin.Server
	}
	return installation(p), false
}

func removal(p plugin.Concrete) string {
	return fmt.Sprintf("formation plugin rm %s %s %s", p.Kind, p.Name, p.Version)
}

// isGitName reports whether the cache has a plugin from a repository under
// that name.
func isGitName(name string) bool { return strings.Contains(name, ".git") }

// clonedFrom is the place in a repository that a plugin was cloned from. The
// pulumi program leaves the repository's own files with the plugin's.
func clonedFrom(cache plugin.Cache, p plugin.Concrete) (server string, ok bool) {
	dir := cache.Dir(p)
	config, err := os.ReadFile(filepath.Join(dir, ".git", "config"))
	if err != nil {
		return "", false
	}
	for line := range strings.Lines(string(config)) {
		key, address, isSetting := strings.Cut(strings.TrimSpace(line), "=")
		if !isSetting || strings.TrimSpace(key) != "url" {
			continue
		}
		git, err := plugin.ParseGit(strings.TrimSpace(address))
		if err != nil {
			return "", false
		}
		git.Path, ok = subdirNamed(dir, strings.TrimPrefix(p.Name, git.Name()))
		return git.Server(), ok
	}
	return "", false
}

// subdirNamed finds the directory that the end of a plugin's name stands for,
// which has underscores for slashes: "_sub_dir". Its path has slashes, and ok
// is false where there is not exactly one.
func subdirNamed(dir, suffix string) (path string, ok bool) {
	if suffix == "" {
		return "", true
	}
	found := 0
	_ = filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() || name == dir {
			return nil
		}
		relative, err := filepath.Rel(dir, name)
		if err != nil {
			return fs.SkipDir
		}
		relative = filepath.ToSlash(relative)
		flat := "_" + strings.ReplaceAll(relative, "/", "_")
		switch {
		case flat == suffix:
			path = relative
			found++
			return nil
		case !strings.HasPrefix(suffix, flat+"_"):
			return fs.SkipDir
		}
		return nil
	})
	return path, found == 1
}
