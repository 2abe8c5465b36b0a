package packages

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/formation-iac/formation/internal/base/diag"
)

const goMod = "go.mod"

// linkGo requires the SDK's module, and replaces it by the directory.
func linkGo(to program, l *linking) diag.List {
	name, err := moduleOf(filepath.Join(to.staged, goMod))
	if err != nil {
		return diag.List{cannotLink(to.staged, err)}
	}
	l.Import = `import "` + goImport(to.staged, name) + `"`
	file := to.nearest(to.repository, goMod)
	if file == "" {
		l.Next = "go mod init " + filepath.Base(to.dir) + " && go mod edit -replace " + name + "=" + dotted(to.nameFor(to.sdk)) + " && go mod tidy"
		return diag.List{noLinkFile(to.dir, goMod)}
	}
	way, err := to.sdkFrom(file)
	if err == nil {
		err = l.edit(file, func(src []byte) ([]byte, error) { return withModule(file, src, name, dotted(way)) })
	}
	if err != nil {
		return diag.List{cannotLink(file, err)}
	}
	work := to.nearest(to.repository, "go.work")
	l.Next = goNext(file, work)
	if other := to.otherReplacement(work, file, name); other != "" {
		return diag.List{replacedTwice(name, file, other)}
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

// goNext is what brings the rest of a module into line with its go.mod: where
// copies of its dependencies are kept, builds take nothing but these.
func goNext(file, work string) string {
	next := "go mod tidy"
	kept := func(beside string) bool {
		_, err := os.Stat(filepath.Join(filepath.Dir(beside), "vendor", "modules.txt"))
		return beside != "" && err == nil
	}
	switch {
	case kept(work):
		return next + " && go work vendor"
	case kept(file):
		return next + " && go mod vendor"
	}
	return next
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
	required := slices.ContainsFunc(mod.Require, func(r *modfile.Require) bool { return r.Mod.Path == path })
	if required && replacement(mod.Replace, path) == sdk {
		return src, nil
	}
	if !required {
		err = mod.AddRequire(path, cmp.Or(module.PathMajorPrefix(major), "v0")+".0.0")
	}
	if err == nil {
		err = mod.AddReplace(path, "", sdk, "")
	}
	if err != nil {
		return nil, err
	}
	mod.Cleanup()
	out, err := mod.Format()
	if bytes.Contains(src, []byte("\r\n")) {
		out = bytes.ReplaceAll(out, []byte("\n"), []byte("\r\n"))
	}
	return out, err
}

// replacement is what takes the place of all versions of a module; or "".
func replacement(all []*modfile.Replace, path string) string {
	for _, r := range all {
		if r.Old.Path == path && r.Old.Version == "" {
			return r.New.Path
		}
	}
	return ""
}

// otherReplacement finds the go.mod, among those of a workspace, that replaces
// the module by another directory: go refuses to build any of them then. An
// entry in go.work would decide, and so finds none.
func (to program) otherReplacement(work, file, name string) string {
	src, err := os.ReadFile(work)
	if err != nil {
		return ""
	}
	workspace, err := modfile.ParseWork(work, src, nil)
	if err != nil || replacement(workspace.Replace, name) != "" {
		return ""
	}
	for _, use := range workspace.Use {
		other := filepath.Join(filepath.Dir(work), filepath.FromSlash(use.Path), goMod)
		src, err := os.ReadFile(other)
		if err != nil || other == file {
			continue
		}
		mod, err := modfile.Parse(other, src, nil)
		if err != nil {
			continue
		}
		theirs := replacement(mod.Replace, name)
		if theirs != "" && filepath.Join(filepath.Dir(other), filepath.FromSlash(theirs)) != to.sdk {
			return other
		}
	}
	return ""
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
