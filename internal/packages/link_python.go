package packages

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/wholefile"
)

// linkPython adds the SDK to requirements.txt, or to the dependencies of
// pyproject.toml.
func linkPython(dir, sdk string, added Added) (Added, diag.List) {
	module := pythonModule(filepath.Join(dir, filepath.FromSlash(sdk)), added.Name)
	added.Import = "import " + module + " as " + strings.ReplaceAll(added.Name, "-", "_")
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

func linkPyproject(dir, sdk string, added Added) (Added, diag.List) {
	file := filepath.Join(dir, "pyproject.toml")
	src, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return added, diag.List{noLinkFile(dir, "requirements.txt", "pyproject.toml")}
	}
	if err != nil {
		return added, diag.List{cannotLink(file, err)}
	}
	// Python's names for dependencies know no relative paths.
	absolute, err := filepath.Abs(filepath.Join(dir, filepath.FromSlash(sdk)))
	if err != nil {
		return added, diag.List{cannotLink(file, err)}
	}
	added.Next = "pip install ."
	text, ok := withRequirement(string(src), pythonModule(absolute, added.Name), "file://"+filepath.ToSlash(absolute))
	if !ok {
		return added, diag.List{noLinkFile(dir, "list of dependencies in pyproject.toml")}
	}
	if err := wholefile.Replace(file, []byte(text), 0o644); err != nil {
		return added, diag.List{cannotLink(file, err)}
	}
	return added, nil
}

// pythonModule is the module that an SDK's directory holds.
func pythonModule(root, pkg string) string {
	found, err := filepath.Glob(filepath.Join(root, "*", "pulumi-plugin.json"))
	if err != nil || len(found) == 0 {
		return "pulumi_" + strings.ReplaceAll(pkg, "-", "_")
	}
	return filepath.Base(filepath.Dir(found[0]))
}

var (
	pyProject      = regexp.MustCompile(`(?m)^\[project\][ \t]*(#.*)?\r?$`)
	pyTable        = regexp.MustCompile(`(?m)^\[`)
	pyDependencies = regexp.MustCompile(`(?m)^dependencies[ \t]*=[ \t]*\[`)
)

// withRequirement puts a requirement at the head of the dependencies of a
// pyproject.toml's project, or replaces the one of its name. ok is false where
// there is no such list.
func withRequirement(text, name, url string) (changed string, ok bool) {
	entry := strconv.Quote(name + " @ " + url)
	head := pyProject.FindStringIndex(text)
	if head == nil {
		return "", false
	}
	end := len(text)
	if next := pyTable.FindStringIndex(text[head[1]:]); next != nil {
		end = head[1] + next[0]
	}
	list := pyDependencies.FindStringIndex(text[head[1]:end])
	if list == nil {
		return "", false
	}
	at := head[1] + list[1]
	old := regexp.MustCompile(`"` + regexp.QuoteMeta(name) + ` @ [^"\n]*"`)
	if there := old.FindStringIndex(text[at:end]); there != nil {
		return text[:at+there[0]] + entry + text[at+there[1]:], true
	}
	return text[:at] + beforeOthers(entry, text[at:end]) + text[at:], true
}

// beforeOthers lays a first member of a list out as the others are.
func beforeOthers(entry, others string) string {
	rest := strings.TrimLeft(others, " \t\r\n")
	switch space := others[:len(others)-len(rest)]; {
	case strings.HasPrefix(rest, "]"):
		return entry
	case strings.Contains(space, "\n"):
		return space + entry + ","
	default:
		return entry + ", "
	}
}
