package packages

import (
	"os"
	"path/filepath"

	"github.com/formation-iac/formation/internal/pulumi/project"
)

// program is what an SDK is linked into.
type program struct {
	// dir is where it is; project is the project's directory, above it or the
	// same; repository is the one with the repository that holds it, or project.
	dir, project, repository string
	// options are those of its language.
	options map[string]any
	// sdk is where the SDK will be, and staged where it is now.
	sdk, staged string
}

func programOf(m *project.Manifest, sdk *directory) program {
	to := programAt(m)
	to.sdk, to.staged = sdk.path, sdk.fresh
	return to
}

// programAt is a program without an SDK to be linked.
func programAt(m *project.Manifest) program {
	to := program{dir: m.ProgramDir(), project: m.Dir(), options: m.Runtime.Options}
	if way, err := filepath.Rel(to.project, to.dir); err != nil || !filepath.IsLocal(way) {
		to.project = to.dir // it is elsewhere
	}
	to.repository = to.project
	for dir := to.project; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			to.repository = dir
			break
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return to
}

// Manager names the program that installs what a Node.js or Python program
// depends on, as Pulumi would choose it: npm, yarn, pnpm or bun; pip, poetry or
// uv. It is "" for other languages.
func Manager(m *project.Manifest) string {
	to := programAt(m)
	switch runtime := Runtime(m.Runtime.Name); runtime {
	case "nodejs", "bun":
		return string(to.nodeManager(runtime))
	case "python":
		return string(to.toolchain(to.nearest(to.project, requirementsTxt), to.nearest(to.project, pyprojectTOML)))
	}
	return ""
}

// option is a text among the language's options; or "".
func (to program) option(name string) string {
	text, _ := to.options[name].(string)
	return text
}

// nearest finds the first directory, from the program's up to top, that has a
// file of one of the names, and returns the file's path; or "".
func (to program) nearest(top string, names ...string) string {
	for dir := to.dir; ; dir = filepath.Dir(dir) {
		for _, name := range names {
			path := filepath.Join(dir, name)
			if info, err := os.Stat(path); err == nil && !info.IsDir() {
				return path
			}
		}
		if dir == top || dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// sdkFrom is the way to the SDK from the directory of a file, with slashes.
func (to program) sdkFrom(file string) (string, error) {
	way, err := filepath.Rel(filepath.Dir(file), to.sdk)
	return filepath.ToSlash(way), err
}

// nameFor is how people call a file: from where the program is.
func (to program) nameFor(file string) string {
	if way, err := filepath.Rel(to.dir, file); err == nil {
		return filepath.ToSlash(way)
	}
	return file
}
