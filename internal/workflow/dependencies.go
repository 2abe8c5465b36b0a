package workflow

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/lastwords"
	"github.com/formation-iac/formation/internal/base/offspring"
	"github.com/formation-iac/formation/internal/packages"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// unaided installs a program's dependencies as people do who have no language
// plugin: with the language's own package manager.
func (l languages) unaided(ctx context.Context, m *project.Manifest) diag.List {
	commands, known := dependencyCommands(m)
	if !known {
		return diag.List{dependenciesLeft(m.Runtime.Name, nil)}
	}
	for _, command := range commands {
		path, ok := l.env.onPath(m.ProgramDir(), command[0])
		if !ok {
			return diag.List{dependenciesLeft(m.Runtime.Name, command)}
		}
		lines := &lastwords.Lines{Take: l.heard(m)}
		words := &lastwords.Tail{Also: lines}
		cmd := exec.CommandContext(ctx, path, command[1:]...)
		cmd.Dir, cmd.Env, cmd.SysProcAttr = m.ProgramDir(), l.dependencyEnvironment(m), offspring.Child()
		cmd.Stdout, cmd.Stderr = words, words
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
		cmd.WaitDelay = 5 * time.Second
		err := cmd.Run()
		lines.Flush()
		if err != nil {
			return diag.List{dependenciesFailed(strings.Join(command, " "), err, words.String())}
		}
	}
	return nil
}

// dependencyCommands are what installs a program's dependencies; known is
// false for languages that nothing is known of.
func dependencyCommands(m *project.Manifest) (commands [][]string, known bool) {
	switch m.Runtime.Name {
	case "yaml", "pcl", "hcl":
		return nil, true
	case "nodejs", "bun":
		return [][]string{{packages.Manager(m), "install"}}, true
	case "go":
		return [][]string{{"go", "mod", "tidy"}}, true
	case "python":
		return pythonCommands(m), true
	}
	return nil, false
}

func pythonCommands(m *project.Manifest) [][]string {
	dir := virtualEnvironment(m)
	requirements := exists(m, "requirements.txt")
	switch packages.Manager(m) {
	case "poetry":
		return [][]string{{"poetry", "install", "--no-ansi"}}
	case "uv":
		if requirements && !exists(m, "pyproject.toml") { // it is no project of uv's yet
			dir = cmp.Or(dir, ".venv")
			return [][]string{{"uv", "venv", "--allow-existing", dir}, {"uv", "pip", "install", "--python", dir, "-r", "requirements.txt"}}
		}
		return [][]string{{"uv", "sync"}}
	}
	pip := []string{"python3", "-m", "pip", "install"}
	var commands [][]string
	if dir != "" {
		commands = append(commands, []string{"python3", "-m", "venv", dir})
		pip[0] = virtualPython(dir)
	}
	switch {
	case requirements:
		commands = append(commands, append(pip, "-r", "requirements.txt"))
	case exists(m, "pyproject.toml"), exists(m, "setup.py"):
		commands = append(commands, append(pip, "."))
	}
	return commands
}

// dependencyEnvironment is the user's, and where uv is to have the virtual
// environment that the project names.
func (l languages) dependencyEnvironment(m *project.Manifest) []string {
	dir := virtualEnvironment(m)
	if dir == "" || m.Runtime.Name != "python" {
		return l.env.Vars
	}
	return append(slices.Clone(l.env.Vars), "UV_PROJECT_ENVIRONMENT="+dir)
}

// virtualEnvironment is the one that the project names, from where the program
// is; or "". In Pulumi.yaml it is relative to the project.
func virtualEnvironment(m *project.Manifest) string {
	dir, _ := m.Runtime.Options["virtualenv"].(string)
	if dir == "" || m.Main == "" {
		return dir
	}
	dir = m.Abs(dir)
	if way, err := filepath.Rel(m.ProgramDir(), dir); err == nil {
		return way
	}
	return dir
}

func virtualPython(dir string) string {
	if runtime.GOOS == "windows" {
		return filepath.Join(dir, "Scripts", "python.exe")
	}
	return filepath.Join(dir, "bin", "python")
}

// onPath finds a program on the PATH of the user, or a path below a directory.
func (e PluginEnvironment) onPath(dir, name string) (path string, ok bool) {
	if strings.ContainsRune(name, filepath.Separator) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		return name, true
	}
	for _, dir := range filepath.SplitList(e.Vars.Lookup("PATH")) {
		found, err := exec.LookPath(filepath.Join(dir, name))
		if err == nil && filepath.IsAbs(found) {
			return found, true
		}
	}
	return "", false
}
