package packages

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/wholefile"
)

// manifests are the files in which Node.js programs name their dependencies.
// Only pnpm reads the second.
const (
	packageJSON = "package.json"
	packageYAML = "package.yaml"
)

// nodeManifest is what counts here in a package.json.
type nodeManifest struct {
	Name           string          `json:"name"`
	Type           string          `json:"type"`
	PackageManager string          `json:"packageManager"`
	Workspaces     json.RawMessage `json:"workspaces"`
	Dependencies   map[string]any  `json:"dependencies"`
}

// linkNode adds the SDK to package.json, whose other bytes stay as they are,
// and has the package manager compile it.
func linkNode(ctx context.Context, to program, l *linking) diag.List {
	var sdk nodeManifest
	own := filepath.Join(to.staged, packageJSON)
	if err := wholefile.ReadJSON(own, &sdk); err != nil {
		return diag.List{cannotLink(own, err)}
	}
	file := to.nearest(to.repository, packageJSON, packageYAML)
	var m nodeManifest
	_ = wholefile.ReadJSON(file, &m) // the edit says what is wrong with it
	l.Import = nodeImport(to, m, l.Name, sdk.Name)
	if file == "" {
		l.Next = to.nodeManager(l.Runtime).add() + " " + dotted(to.nameFor(to.sdk))
		return diag.List{noLinkFile(to.dir, packageJSON)}
	}
	if published, ok := m.Dependencies[sdk.Name].(string); ok && l.first && !isLocalDependency(published) {
		return diag.List{dependencyTaken(l.Name, sdk.Name+" "+published, file)}
	}
	if diags := to.depend(l, file, sdk.Name); diags.HasErrors() {
		return diags
	}
	return to.nodeManager(l.Runtime).allow(ctx, to, l, file, sdk.Name)
}

// isLocalDependency reports whether a dependency leads to a directory, and not
// to a registry.
func isLocalDependency(text string) bool {
	for _, scheme := range []string{"file:", "link:", "portal:", "workspace:", ".", "/"} {
		if strings.HasPrefix(text, scheme) {
			return true
		}
	}
	return false
}

// depend adds the SDK to the dependencies in a file.
func (to program) depend(l *linking, file, sdk string) diag.List {
	way, err := to.sdkFrom(file)
	switch {
	case err != nil:
	case filepath.Base(file) == packageYAML:
		return l.editYAML(file, []string{"dependencies", sdk}, func([]byte) any { return "file:" + way })
	default:
		err = l.editJSON(file, func(t jsonText) ([]byte, error) { return t.with("dependencies", sdk, "file:"+way) })
	}
	if err != nil {
		return diag.List{cannotLink(file, err)}
	}
	return nil
}

// editJSON changes a JSON file, on top of what is to change in it already.
func (l *linking) editJSON(file string, change func(jsonText) ([]byte, error)) error {
	return l.edit(file, func(src []byte) ([]byte, error) {
		mark := []byte("\xef\xbb\xbf") // some editors put it first
		rest, marked := bytes.CutPrefix(src, mark)
		text, err := parseJSON(rest)
		if err != nil {
			return nil, err
		}
		out, err := change(text)
		if marked {
			out = append(mark, out...)
		}
		return out, err
	})
}

// nodeImport is how a program gets at the SDK: with import in TypeScript and
// in modules, with require in scripts.
func nodeImport(to program, m nodeManifest, name, npm string) string {
	typescript, said := to.options["typescript"].(bool)
	typescript = typescript || !said || to.option("tsconfig") != "" || to.nearest(to.repository, "tsconfig.json") != ""
	if typescript || m.Type == "module" {
		return `import * as ` + camelName(name) + ` from "` + npm + `";`
	}
	return `const ` + camelName(name) + ` = require("` + npm + `");`
}

// camelName is a package's name as a variable.
func camelName(name string) string {
	parts := strings.Split(name, "-")
	for i, part := range parts[1:] {
		if part != "" {
			parts[i+1] = strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return strings.Join(parts, "")
}
