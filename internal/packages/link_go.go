package packages

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/formation-iac/formation/internal/base/diag"
)

// linkGo requires the SDK's module, and replaces it by the directory.
func linkGo(to program, l *linking) diag.List {
	name, err := moduleOf(filepath.Join(to.staged, "go.mod"))
	if err != nil {
		return diag.List{cannotLink(to.staged, err)}
	}
	l.Import = `import "` + goImport(to.staged, name) + `"`
	file := to.nearest(to.repository, "go.mod")
	if file == "" {
		l.Next = "go mod init && go mod tidy"
		return diag.List{noLinkFile(to.dir, "go.mod")}
	}
	l.Next = "go mod tidy"
	way, err := to.sdkFrom(file)
	if err == nil {
		err = l.edit(file, func(src []byte) ([]byte, error) { return withModule(file, src, name, dotted(way)) })
	}
	if err != nil {
		return diag.List{cannotLink(file, err)}
	}
	return nil
}

// dotted is a relative path that cannot be taken for a module's.
func dotted(way string) string {
	if strings.HasPrefix(way, "../") {
		return way
	}
	return "./" + way
}

func moduleOf(file string) (string, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	if module := modfile.ModulePath(src); module != "" {
		return module, nil
	}
	return "", errors.New(file + " names no module")
}

// withModule requires a module that a directory takes the place of. The version
// says nothing then, but must be one that the module's path may have.
func withModule(file string, src []byte, path, sdk string) ([]byte, error) {
	_, major, ok := module.SplitPathVersion(path)
	if !ok {
		return nil, fmt.Errorf("%q is no path of a module", path)
	}
	mod, err := modfile.Parse(file, src, nil)
	if err != nil {
		return nil, err
	}
	if err := mod.AddRequire(path, cmp.Or(module.PathMajorPrefix(major), "v0")+".0.0"); err != nil {
		return nil, err
	}
	if err := mod.AddReplace(path, "", sdk, ""); err != nil {
		return nil, err
	}
	mod.Cleanup()
	return mod.Format()
}

// goImport is the path of the SDK's root package: where pulumi-plugin.json is.
func goImport(root, module string) string {
	entries, err := os.ReadDir(root)
	if err != nil {
		return module
	}
	for _, entry := range entries {
		if _, err := os.Stat(filepath.Join(root, entry.Name(), "pulumi-plugin.json")); err == nil {
			return path.Join(module, entry.Name())
		}
	}
	return module
}
