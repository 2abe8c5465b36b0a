package packages

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/wholefile"
)

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
	at, err := locate(src, "dependencies")
	if err != nil {
		return nil, err
	}
	dependencies := map[string]string{}
	if at.there {
		if err := json.Unmarshal(src[at.start:at.end], &dependencies); err != nil {
			return nil, err
		}
	}
	if dependencies == nil { // it said null
		dependencies = map[string]string{}
	}
	if have, ok := dependencies[name]; ok && have == value {
		return src, nil
	}
	dependencies[name] = value
	indent := indentOf(src)
	fresh, err := plainJSON(dependencies, indent)
	if err != nil {
		return nil, err
	}
	if at.there {
		return []byte(string(src[:at.start]) + string(fresh) + string(src[at.end:])), nil
	}
	head := bytes.TrimRight(src[:at.close], " \t\r\n")
	comma := ","
	if bytes.HasSuffix(head, []byte("{")) {
		comma = ""
	}
	return []byte(string(head) + comma + "\n" + indent + "\"dependencies\": " + string(fresh) + "\n" + string(src[at.close:])), nil
}

// location is where a member of a JSON object has its value, in bytes, and
// where the object's closing brace is.
type location struct {
	there             bool
	start, end, close int
}

// locate finds a member of the object that src is. Of several, the last counts
// as it does for who reads the file.
func locate(src []byte, name string) (location, error) {
	var at location
	if !json.Valid(src) {
		return at, errors.New("it is no JSON")
	}
	decoder := json.NewDecoder(bytes.NewReader(src))
	if open, err := decoder.Token(); err != nil || open != json.Delim('{') {
		return at, errors.New("it is no JSON object")
	}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return at, err
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return at, err
		}
		if key == name {
			at.there, at.end = true, int(decoder.InputOffset())
			at.start = at.end - len(value)
		}
	}
	at.close = bytes.LastIndexByte(src, '}')
	return at, nil
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
