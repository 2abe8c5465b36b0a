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
	"github.com/formation-iac/formation/internal/base/wholefile"
)

// linkGo requires the SDK's module, and replaces it by the directory.
func linkGo(dir, sdk string, added Added) (Added, diag.List) {
	root := filepath.Join(dir, filepath.FromSlash(sdk))
	name, err := moduleOf(filepath.Join(root, "go.mod"))
	if err != nil {
		return added, diag.List{cannotLink(root, err)}
	}
	added.Import, added.Next = `import "`+goImport(root, name)+`"`, "go mod tidy"
	file := filepath.Join(dir, "go.mod")
	src, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return added, diag.List{noLinkFile(dir, "go.mod")}
	}
	if err == nil {
		src, err = withModule(file, src, name, "./"+strings.TrimPrefix(sdk, "./"))
	}
	if err == nil {
		err = wholefile.Replace(file, src, 0o644)
	}
	if err != nil {
		return added, diag.List{cannotLink(file, err)}
	}
	return added, nil
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
