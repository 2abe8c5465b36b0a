package packages

import (
	"context"
	"encoding/json"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/blang/semver/v4"
	"go.yaml.in/yaml/v3"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/wholefile"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// nodeManager is a program that installs Node.js packages. The SDK of one
// program is compiled by a script of its own when it is installed, and most
// managers run such scripts only of packages that they are told.
type nodeManager string

const (
	npm  nodeManager = "npm"
	yarn nodeManager = "yarn"
	pnpm nodeManager = "pnpm"
	bun  nodeManager = "bun"
)

const pnpmWorkspace = "pnpm-workspace.yaml"

// nodeManager is the one that Pulumi would run: the one of the options, else
// the one whose lock file is there.
func (to program) nodeManager(runtime string) nodeManager {
	named := nodeManager(to.option("packagemanager"))
	switch {
	case runtime == "bun":
		return bun
	case slices.Contains([]nodeManager{npm, yarn, pnpm, bun}, named):
		return named
	case to.nearest(to.repository, "yarn.lock") != "":
		return yarn
	case to.nearest(to.repository, "pnpm-lock.yaml", pnpmWorkspace, packageYAML) != "":
		return pnpm
	case to.nearest(to.repository, "bun.lock", "bun.lockb") != "":
		return bun
	}
	return npm
}

// add is the command that makes a package.json, where there is none, with a
// dependency.
func (m nodeManager) add() string {
	if m == npm {
		return "npm install"
	}
	return string(m) + " add"
}

// allow tells the manager to run the script of the SDK, which the package.json
// at file has among its dependencies, and the user to run the manager.
func (m nodeManager) allow(ctx context.Context, to program, l *linking, file, sdk string) diag.List {
	l.Next = string(m) + " install"
	var err error
	switch m {
	case npm: // since version 12; those before do not read it
		file = to.workspaceOf(file)
		var way string
		if way, err = to.sdkFrom(file); err == nil {
			err = l.editJSON(file, func(t jsonText) ([]byte, error) { return t.with("allowScripts", "file:"+way, true) })
		}
	case bun:
		err = l.editJSON(file, func(t jsonText) ([]byte, error) { return t.withElement("trustedDependencies", sdk) })
	case pnpm:
		return to.allowPnpm(ctx, l, file, sdk)
	}
	if err != nil {
		return diag.List{cannotLink(file, err)}
	}
	return nil
}

// workspaceOf finds the package.json of the workspace that a package is in:
// its own, where it is in none.
func (to program) workspaceOf(file string) string {
	member := filepath.Dir(file)
	for dir := member; dir != to.repository && dir != filepath.Dir(dir); {
		dir = filepath.Dir(dir)
		root := filepath.Join(dir, packageJSON)
		var m nodeManifest
		if wholefile.ReadJSON(root, &m) == nil && m.includes(dir, member) {
			return root
		}
	}
	return file
}

// includes reports whether the workspaces of a package.json in root have a
// directory. They are a list, or an object with one.
func (m nodeManifest) includes(root, dir string) bool {
	var patterns []string
	if json.Unmarshal(m.Workspaces, &patterns) != nil {
		var yarn struct{ Packages []string }
		if json.Unmarshal(m.Workspaces, &yarn) != nil {
			return false
		}
		patterns = yarn.Packages
	}
	way, err := filepath.Rel(root, dir)
	if err != nil {
		return false
	}
	way = filepath.ToSlash(way)
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		pattern = path.Clean(pattern)
		if above, ok := strings.CutSuffix(pattern, "/**"); ok {
			return strings.HasPrefix(way, above+"/")
		}
		matched, err := path.Match(pattern, way)
		return matched && err == nil
	})
}

// allowPnpm notes the SDK among the packages whose scripts pnpm runs. Since
// 10.34.2 a package from a directory is named with the way to it.
func (to program) allowPnpm(ctx context.Context, l *linking, file, sdk string) diag.List {
	version, err := to.pnpmVersion(ctx, file)
	switch {
	case err != nil: // it is not here
		l.Next += " && pnpm approve-builds"
		return nil
	case version.Major < 10: // it runs all
		return nil
	}
	workspace := to.nearest(to.repository, pnpmWorkspace)
	if workspace == "" {
		workspace = filepath.Join(filepath.Dir(file), pnpmWorkspace)
	}
	way, err := to.sdkFrom(workspace)
	if err != nil {
		return diag.List{cannotLink(workspace, err)}
	}
	if version.GE(semver.Version{Major: 10, Minor: 34, Patch: 2}) {
		return l.editYAML(workspace, []string{"allowBuilds", sdk + "@file:" + way}, func([]byte) any { return true })
	}
	return l.editYAML(workspace, []string{"onlyBuiltDependencies"}, func(src []byte) any {
		var have struct {
			Only []string `yaml:"onlyBuiltDependencies"`
		}
		if yaml.Unmarshal(src, &have) != nil || slices.Contains(have.Only, sdk) {
			return have.Only
		}
		return append(have.Only, sdk)
	})
}

// editYAML sets a value of a YAML file, on top of what is to change in it
// already.
func (l *linking) editYAML(file string, keys []string, value func(src []byte) any) diag.List {
	var diags diag.List
	err := l.edit(file, func(src []byte) (out []byte, err error) {
		out, diags = project.SetYAML(file, src, keys, value(src))
		return out, diags.Err()
	})
	if err != nil && !diags.HasErrors() {
		diags = append(diags, cannotLink(file, err))
	}
	return diags
}

// pnpmVersion is the version that the package.json at file, or one above it,
// asks for; else the one on the PATH.
func (to program) pnpmVersion(ctx context.Context, file string) (semver.Version, error) {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		var m nodeManifest
		if wholefile.ReadJSON(filepath.Join(dir, packageJSON), &m) == nil {
			if version, ok := strings.CutPrefix(m.PackageManager, string(pnpm)+"@"); ok {
				return semver.ParseTolerant(version)
			}
		}
		if dir == to.repository || dir == filepath.Dir(dir) {
			break
		}
	}
	cmd := exec.CommandContext(ctx, string(pnpm), "--version")
	cmd.Dir = filepath.Dir(file)
	out, err := cmd.Output()
	if err != nil {
		return semver.Version{}, err
	}
	return semver.ParseTolerant(strings.TrimSpace(string(out)))
}
