package install

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// content is what a plugin runs from: one of the two.
type content struct {
	executable string
	manifest   string
}

// path is that of [Installed].
func (c content) path() string {
	if c.executable != "" {
		return c.executable
	}
	return filepath.Dir(c.manifest)
}

// findMain finds what a plugin at a path runs from: the path itself, or in a
// directory the executable or else the manifest.
func findMain(kind plugin.Kind, name, path string) (content, error) {
	info, err := os.Stat(path)
	if err != nil {
		return content{}, err
	}
	if !info.IsDir() {
		return content{executable: path}, nil
	}
	wanted := plugin.Executable(kind, name)
	for _, extension := range plugin.ExecutableExtensions() {
		file := filepath.Join(path, wanted+extension)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			return content{executable: file}, nil
		}
	}
	manifest := manifestKind(kind)
	if file, ok := project.In(path, manifest); ok && kind != plugin.Language {
		return content{manifest: file}, nil
	}
	return content{}, fmt.Errorf("it holds neither %s nor %s", wanted, manifest.FileName())
}

func manifestKind(kind plugin.Kind) project.Kind {
	if kind == plugin.Analyzer {
		return project.Policy
	}
	return project.Plugin
}

// findLocal is findMain for a place of the user's, where the plugin's name is
// not known: that of the package may be it, or else there is one executable
// that is called as plugins are.
func findLocal(kind plugin.Kind, likely, path string) (content, error) {
	found, err := findMain(kind, likely, path)
	if err == nil {
		return found, nil
	}
	prefix := plugin.Executable(kind, "")
	entries, readErr := os.ReadDir(path)
	if readErr != nil {
		return content{}, err
	}
	var plugins []string
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), prefix) && entry.Type().IsRegular() {
			plugins = append(plugins, filepath.Join(path, entry.Name()))
		}
	}
	switch len(plugins) {
	case 0:
		return content{}, fmt.Errorf("it holds neither an executable %s… nor %s", prefix, manifestKind(kind).FileName())
	case 1:
		return content{executable: plugins[0]}, nil
	}
	return content{}, fmt.Errorf("it holds %d executables %s…; name one of them", len(plugins), prefix)
}

// makeExecutable gives a file the right to be run, unless it has it: it may
// have other names. A path of "" is no file.
func makeExecutable(path string) error {
	if path == "" {
		return nil
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode()&0o111 == 0o111 {
		return err
	}
	return os.Chmod(path, 0o755)
}
