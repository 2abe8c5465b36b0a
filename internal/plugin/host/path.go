package host

import (
	"os"
	"path/filepath"
	"runtime"

	"github.com/formation-iac/formation/internal/plugin"
)

// executableIn looks for an executable in dir; name is without the extension
// that Windows wants.
func executableIn(dir, name string) (path string, ok bool) {
	extensions := []string{""}
	if runtime.GOOS == "windows" {
		extensions = []string{".exe", ".cmd"}
	}
	for _, extension := range extensions {
		path = filepath.Join(dir, name+extension)
		info, err := os.Stat(path)
		if err == nil && !info.IsDir() && (info.Mode()&0o111 != 0 || runtime.GOOS == "windows") {
			return path, true
		}
	}
	return "", false
}

// onPath looks for an executable in the directories of PATH. Relative ones are
// passed over: they lead to files that the user may not know.
func (f Finder) onPath(name string) (path string, ok bool) {
	for _, dir := range filepath.SplitList(f.Env.Lookup("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if path, ok = executableIn(dir, name); ok {
			return path, true
		}
	}
	return "", false
}

// shippedPlugin is a plugin that comes along with a program, in its directory.
type shippedPlugin struct {
	kind       plugin.Kind
	name       string
	executable string // where it is not called after the plugin
}

// shippedPlugins are those that the pulumi program and this one bring along.
// Ours answers to the name of the bridge that it takes the place of as well.
func shippedPlugins() []shippedPlugin {
	list := []shippedPlugin{
		{kind: plugin.Resource, name: nodeDynamicProvider},
		{kind: plugin.Resource, name: "pulumi-python"},
		{kind: plugin.Resource, name: "terraform-bridge"},
		{kind: plugin.Resource, name: "terraform-provider", executable: plugin.Executable(plugin.Resource, "terraform-bridge")},
		{kind: plugin.Converter, name: "terraform"},
	}
	for _, language := range []string{"nodejs", "bun", "go", "python", "dotnet", "java", "yaml", "pcl"} {
		list = append(list, shippedPlugin{kind: plugin.Language, name: language})
	}
	return list
}

// shipped looks for a plugin beside the programs that may ship it.
func (f Finder) shipped(kind plugin.Kind, name string) (path string, ok bool) {
	programs := f.Programs
	if pulumi, ok := f.onPath("pulumi"); ok {
		programs = append(programs[:len(programs):len(programs)], pulumi)
	}
	for _, s := range shippedPlugins() {
		if s.kind != kind || s.name != name {
			continue
		}
		file := s.executable
		if file == "" {
			file = plugin.Executable(kind, name)
		}
		for _, program := range programs {
			if program, err := filepath.EvalSymlinks(program); err == nil {
				if path, ok := executableIn(filepath.Dir(program), file); ok {
					return path, true
				}
			}
		}
	}
	return "", false
}
