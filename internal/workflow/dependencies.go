package workflow

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/lastwords"
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
		cmd.Dir, cmd.Env = m.ProgramDir(), l.env.Vars
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
		return [][]string{{nodeManager(m), "install"}}, true
	case "go":
		return [][]string{{"go", "mod", "tidy"}}, true
	case "python":
		return pythonCommands(m), true
	}
	return nil, false
}

// nodeManager is the package manager that the project chose, by its options or
// by the lock file that is there.
func nodeManager(m *project.Manifest) string {
	if chosen, ok := m.Runtime.Options["packagemanager"].(string); ok && chosen != "" {
		return chosen
	}
	for _, manager := range []struct{ lock, name string }{
		{"yarn.lock", "yarn"}, {"pnpm-lock.yaml", "pnpm"}, {"bun.lock", "bun"}, {"bun.lockb", "bun"},
	} {
		if exists(m, manager.lock) {
			return manager.name
		}
	}
	if m.Runtime.Name == "bun" {
		return "bun"
	}
	return "npm"
}

func pythonCommands(m *project.Manifest) [][]string {
	switch m.Runtime.Options["toolchain"] {
	case "poetry":
		return [][]string{{"poetry", "install", "--no-ansi"}}
	case "uv":
		return [][]string{{"uv", "sync"}}
	}
	pip := []string{"python3", "-m", "pip"}
	var commands [][]string
	if dir, ok := m.Runtime.Options["virtualenv"].(string); ok && dir != "" {
		commands = append(commands, []string{"python3", "-m", "venv", dir})
		pip = []string{virtualPython(dir), "-m", "pip"}
	}
	if exists(m, "requirements.txt") {
		return append(commands, append(pip, "install", "-r", "requirements.txt"))
	}
	return append(commands, append(pip, "install", "."))
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
