package packages

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/wholefile"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// linkInto names an SDK among the dependencies of a program.
func linkInto(m *project.Manifest, runtime string, added Added) (Added, diag.List) {
	dir := m.ProgramDir()
	sdk, err := filepath.Rel(dir, filepath.Join(m.Dir(), filepath.FromSlash(added.SDK)))
	if err != nil {
		return added, diag.List{cannotLink(dir, err)}
	}
	sdk = filepath.ToSlash(sdk)
	switch runtime {
	case "nodejs", "bun":
		return linkNode(dir, sdk, added)
	case "python":
		return linkPython(dir, sdk, added)
	case "go":
		return linkGo(dir, sdk, added)
	}
	return added, nil
}

// linkYAML writes the lock file that is the SDK of programs in YAML.
func (p *Packages) linkYAML(m *project.Manifest, pkg *Package, added Added) (Added, diag.List) {
	lock := lockOf(pkg)
	file, err := lock.File()
	if err != nil {
		return added, diag.List{cannotWrite(m.Dir(), err)}
	}
	data, err := lock.Encode()
	if err == nil {
		err = wholefile.Replace(filepath.Join(m.Dir(), filepath.FromSlash(file)), data, 0o644)
	}
	if err != nil {
		return added, diag.List{cannotWrite(file, err)}
	}
	added.SDK, added.Import = file, "Its types begin with "+pkg.Bound.Name()+":"
	return added, nil
}

func lockOf(pkg *Package) project.Lock {
	h := pkg.Bound.Header
	lock := project.Lock{Name: pkg.Bound.Name(), Version: pkg.Bound.Version(), DownloadURL: h.PluginDownloadURL}
	if h.Parameterization != nil {
		lock.Name, lock.Version = h.Parameterization.BaseProvider.Name, h.Parameterization.BaseProvider.Version
		lock.Parameterization = &project.Parameter{Name: pkg.Bound.Name(), Version: pkg.Bound.Version(), Value: h.Parameterization.Parameter}
	}
	return lock
}

// linkNode adds the SDK to package.json, whose other lines stay as they are.
func linkNode(dir, sdk string, added Added) (Added, diag.List) {
	var npm struct {
		Name string `json:"name"`
	}
	own := filepath.Join(dir, filepath.FromSlash(sdk), "package.json")
	if err := wholefile.ReadJSON(own, &npm); err != nil {
		return added, diag.List{cannotLink(own, err)}
	}
	added.Import = `import * as ` + camelName(added.Name) + ` from "` + npm.Name + `";`
	added.Next = "npm install"
	file := filepath.Join(dir, "package.json")
	src, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return added, diag.List{noLinkFile(dir, "package.json")}
	}
	if err == nil {
		src, err = withDependency(src, npm.Name, "file:"+sdk)
	}
	if err == nil {
		err = wholefile.Replace(file, src, 0o644)
	}
	if err != nil {
		return added, diag.List{cannotLink(file, err)}
	}
	return added, nil
}

// withDependency sets one entry of a package.json's "dependencies". Only the
// text of that object changes.
func withDependency(src []byte, name, value string) ([]byte, error) {
	var whole map[string]json.RawMessage
	if err := json.Unmarshal(src, &whole); err != nil {
		return nil, err
	}
	dependencies := map[string]string{}
	old, there := whole["dependencies"]
	if there {
		if err := json.Unmarshal(old, &dependencies); err != nil {
			return nil, err
		}
	}
	if dependencies[name] == value {
		return src, nil
	}
	dependencies[name] = value
	indent := indentOf(src)
	fresh, err := plainJSON(dependencies, indent)
	if err != nil {
		return nil, err
	}
	if there {
		return replaceMember(src, old, fresh)
	}
	end := bytes.LastIndexByte(src, '}')
	head := bytes.TrimRight(src[:end], " \t\r\n")
	comma := ","
	if bytes.HasSuffix(head, []byte("{")) {
		comma = ""
	}
	return []byte(string(head) + comma + "\n" + indent + "\"dependencies\": " + string(fresh) + "\n" + string(src[end:])), nil
}

// replaceMember puts fresh in the place of the value of "dependencies" at the
// top of a document, found by its position.
func replaceMember(src []byte, old json.RawMessage, fresh []byte) ([]byte, error) {
	decoder := json.NewDecoder(bytes.NewReader(src))
	depth := 0
	for {
		token, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		if delim, ok := token.(json.Delim); ok {
			if delim == '{' || delim == '[' {
				depth++
			} else {
				depth--
			}
			continue
		}
		if depth != 1 || token != "dependencies" {
			continue
		}
		at := bytes.Index(src[decoder.InputOffset():], old)
		if at < 0 {
			return nil, errors.New("its dependencies are not where they should be")
		}
		at += int(decoder.InputOffset())
		return []byte(string(src[:at]) + string(fresh) + string(src[at+len(old):])), nil
	}
}

// firstIndent is the space before the first member of a document.
var firstIndent = regexp.MustCompile(`^\s*\{[ \t\r]*\n([ \t]+)"`)

// indentOf is what one level is indented by; package managers take two spaces.
func indentOf(src []byte) string {
	if found := firstIndent.FindSubmatch(src); found != nil {
		return string(found[1])
	}
	return "  "
}

// plainJSON indents an object that stands one level down.
func plainJSON(v any, indent string) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent(indent, indent)
	err := encoder.Encode(v)
	return bytes.TrimSpace(out.Bytes()), err
}

// linkPython adds the SDK to requirements.txt, or to the dependencies of
// pyproject.toml.
func linkPython(dir, sdk string, added Added) (Added, diag.List) {
	added.Import = "import pulumi_" + strings.ReplaceAll(added.Name, "-", "_") + " as " + strings.ReplaceAll(added.Name, "-", "_")
	line := "./" + strings.TrimPrefix(sdk, "./")
	file := filepath.Join(dir, "requirements.txt")
	src, err := os.ReadFile(file)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return linkPyproject(dir, sdk, added)
	case err != nil:
		return added, diag.List{cannotLink(file, err)}
	}
	added.Next = "pip install -r requirements.txt"
	for have := range strings.Lines(string(src)) {
		if strings.Trim(strings.TrimSpace(have), "./") == strings.Trim(line, "./") {
			return added, nil
		}
	}
	text := string(src)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if err := wholefile.Replace(file, []byte(text+line+"\n"), 0o644); err != nil {
		return added, diag.List{cannotLink(file, err)}
	}
	return added, nil
}

// pyDependencies is the list of dependencies of a pyproject.toml's project.
var pyDependencies = regexp.MustCompile(`(?s)(\[project\][^\[]*?\n\s*dependencies\s*=\s*\[)(.*?)\]`)

func linkPyproject(dir, sdk string, added Added) (Added, diag.List) {
	file := filepath.Join(dir, "pyproject.toml")
	src, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return added, diag.List{noLinkFile(dir, "requirements.txt", "pyproject.toml")}
	}
	if err != nil {
		return added, diag.List{cannotLink(file, err)}
	}
	name := "pulumi_" + strings.ReplaceAll(added.Name, "-", "_")
	added.Next = "pip install ."
	text := string(src)
	if strings.Contains(text, `"`+name+` @ `) {
		return added, nil
	}
	at := pyDependencies.FindStringSubmatchIndex(text)
	if at == nil {
		return added, diag.List{noLinkFile(dir, "list of dependencies in pyproject.toml")}
	}
	list := strings.TrimRight(text[at[4]:at[5]], " \t\r\n,")
	if strings.TrimSpace(list) != "" {
		list += ", "
	}
	absolute, err := filepath.Abs(filepath.Join(dir, filepath.FromSlash(sdk)))
	if err != nil {
		return added, diag.List{cannotLink(file, err)}
	}
	text = text[:at[4]] + list + `"` + name + " @ file://" + filepath.ToSlash(absolute) + `"]` + text[at[1]:]
	if err := wholefile.Replace(file, []byte(text), 0o644); err != nil {
		return added, diag.List{cannotLink(file, err)}
	}
	return added, nil
}

// linkGo requires the SDK's module, and replaces it by the directory.
func linkGo(dir, sdk string, added Added) (Added, diag.List) {
	root := filepath.Join(dir, filepath.FromSlash(sdk))
	module, err := moduleOf(filepath.Join(root, "go.mod"))
	if err != nil {
		return added, diag.List{cannotLink(root, err)}
	}
	added.Import, added.Next = `import "`+goImport(root, module)+`"`, "go mod tidy"
	file := filepath.Join(dir, "go.mod")
	src, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return added, diag.List{noLinkFile(dir, "go.mod")}
	}
	if err == nil {
		src, err = withModule(file, src, module, "./"+strings.TrimPrefix(sdk, "./"))
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

func withModule(file string, src []byte, module, sdk string) ([]byte, error) {
	mod, err := modfile.Parse(file, src, nil)
	if err != nil {
		return nil, err
	}
	if err := mod.AddRequire(module, "v0.0.0"); err != nil {
		return nil, err
	}
	if err := mod.AddReplace(module, "", sdk, ""); err != nil {
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
