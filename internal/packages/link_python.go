package packages

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/formation-iac/formation/internal/base/diag"
)

// The files in which Python programs name their dependencies.
const (
	requirementsTxt = "requirements.txt"
	pyprojectTOML   = "pyproject.toml"
)

// toolchain is what installs Python packages, as runtime option of Pulumi.yaml.
type toolchain string

const (
	pip    toolchain = "pip"
	poetry toolchain = "poetry"
	uv     toolchain = "uv"
)

// linkPython adds the SDK to what the project's toolchain installs, by a path
// that is right wherever the project is.
func linkPython(to program, l *linking) diag.List {
	module := pythonModule(to.staged, l.Name)
	l.Import = "import " + module + " as " + strings.ReplaceAll(l.Name, "-", "_")
	sdk := distribution(to.staged, module)
	file, tool := to.pythonFile()
	if file == "" {
		l.Next = "pip install " + dotted(to.nameFor(to.sdk))
		return diag.List{noLinkFile(to.dir, requirementsTxt, pyprojectTOML)}
	}
	way, err := to.sdkFrom(file)
	if err != nil {
		return diag.List{cannotLink(file, err)}
	}
	if theirs := publishedIn(file, sdk); theirs != "" && l.first {
		return diag.List{dependencyTaken(l.Name, theirs, file)}
	}
	l.Next = to.pythonNext(tool, file)
	err = l.edit(file, func(src []byte) ([]byte, error) {
		switch {
		case filepath.Base(file) == requirementsTxt:
			return withRequirement(src, sdk, way), nil
		case tool == uv:
			return withSource(src, sdk, way)
		}
		return withPoetry(src, sdk, way)
	})
	switch {
	case errors.Is(err, errLayout):
		return diag.List{notLinked(file, err, sdk, way)}
	case err != nil:
		return diag.List{cannotLink(file, err)}
	}
	return nil
}

// pythonFile is where the program's dependencies are named, or are to be, and
// for whom; "" where nothing is known of any. What Pulumi's toolchains install
// from requirements.txt is there, although uv and poetry move it later.
func (to program) pythonFile() (string, toolchain) {
	requirements, own := to.nearest(to.project, requirementsTxt), to.nearest(to.project, pyprojectTOML)
	tool := to.toolchain(requirements, own)
	if file := to.nearest(to.repository, pyprojectTOML); tool != pip && file != "" {
		var has struct {
			Project any
			Tool    struct{ Poetry any }
		}
		err := readTOML(file, &has)
		if err != nil || requirements == "" || has.Project != nil || tool == poetry && has.Tool.Poetry != nil {
			return file, tool
		}
	}
	if requirements == "" && tool == pip && own != "" {
		return filepath.Join(filepath.Dir(own), requirementsTxt), pip
	}
	return requirements, tool
}

// pythonNext is what installs what a file names.
func (to program) pythonNext(tool toolchain, file string) string {
	switch {
	case tool == pip:
		return "pip install -r " + to.nameFor(file)
	case filepath.Base(file) == requirementsTxt:
		return "formation install"
	case tool == uv:
		return "uv sync"
	case to.nearest(to.repository, "poetry.lock") != "":
		return "poetry lock && poetry install"
	}
	return "poetry install"
}

// toolchain is the one that Pulumi would run: the one of the options, else the
// one whose lock file is there. Without either, the files tell.
func (to program) toolchain(requirements, pyproject string) toolchain {
	switch named := toolchain(to.option("toolchain")); {
	case named == pip, named == poetry, named == uv:
		return named
	case to.nearest(to.repository, "uv.lock") != "":
		return uv
	case to.nearest(to.repository, "poetry.lock") != "":
		return poetry
	case requirements != "":
		return pip
	}
	var of struct {
		Tool struct{ UV, Poetry any }
	}
	switch _ = readTOML(pyproject, &of); { // what is wrong with it, its edit says
	case of.Tool.Poetry != nil:
		return poetry
	case of.Tool.UV != nil:
		return uv
	}
	return pip
}

// pythonModule is the module that an SDK's directory holds.
func pythonModule(root, pkg string) string {
	found, err := filepath.Glob(filepath.Join(root, "*", "pulumi-plugin.json"))
	if err != nil || len(found) == 0 {
		return "pulumi_" + strings.ReplaceAll(pkg, "-", "_")
	}
	return filepath.Base(filepath.Dir(found[0]))
}

// distribution is the name under which an SDK is installed, normalized.
func distribution(root, module string) string {
	var own struct {
		Project struct{ Name string }
	}
	_ = readTOML(filepath.Join(root, pyprojectTOML), &own) // it is named after its module then
	return normalized(cmp.Or(own.Project.Name, module))
}

var separators = regexp.MustCompile(`[-_.]+`)

// normalized is a name by which Python packages are compared. Source: PyPA,
// specification of names and normalization.
func normalized(name string) string {
	return strings.ToLower(separators.ReplaceAllString(name, "-"))
}

var requirementName = regexp.MustCompile(`^[ \t]*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)[ \t]*(?:$|[^A-Za-z0-9/\\])`)

// requires reports whether a requirement, in requirements.txt or in
// pyproject.toml, is one of a package.
func requires(requirement, name string) bool {
	found := requirementName.FindStringSubmatch(requirement)
	return found != nil && normalized(found[1]) == name
}

func readTOML(file string, v any) error {
	src, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return toml.Unmarshal(src, v)
}
