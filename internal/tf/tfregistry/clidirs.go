package tfregistry

import (
	"os"
	"path/filepath"
	"runtime"
)

// homeDir returns the home directory by env, or "" where there is none.
func homeDir(env func(string) string) string {
	if home := env("HOME"); home != "" {
		return home
	}
	return env("USERPROFILE")
}

// mainCLIFile finds the one main configuration file.
func mainCLIFile(env func(string) string) (string, bool) {
	var candidates []string
	if home := homeDir(env); home != "" {
		candidates = append(candidates, filepath.Join(home, ".tofurc"), filepath.Join(home, ".terraformrc"))
	}
	if xdg := env("XDG_CONFIG_HOME"); xdg != "" {
		candidates = append(candidates, filepath.Join(xdg, "opentofu", "tofurc"))
	}
	if data := env("APPDATA"); data != "" && runtime.GOOS == "windows" {
		candidates = append(candidates, filepath.Join(data, "tofu.rc"), filepath.Join(data, "terraform.rc"))
	}
	for _, file := range candidates {
		if _, err := os.Stat(file); err == nil {
			return file, true
		}
	}
	return "", false
}

// configDirs are the candidates for the configuration directory; the first
// that exists is it.
func configDirs(env func(string) string) []string {
	var dirs []string
	if home := homeDir(env); home != "" {
		dirs = append(dirs, filepath.Join(home, ".terraform.d"))
	}
	if xdg := env("XDG_CONFIG_HOME"); xdg != "" {
		dirs = append(dirs, filepath.Join(xdg, "opentofu"))
	}
	if data := env("APPDATA"); data != "" && runtime.GOOS == "windows" {
		dirs = append(dirs, filepath.Join(data, "terraform.d"))
	}
	return dirs
}

// pluginDirs are where providers may lie without any configuration, beside
// terraform.d/plugins in the working directory. Source: OpenTofu 1.12,
// cmd/tofu/provider_source.go, and go-userdirs for "Terraform".
func pluginDirs(env func(string) string) []string {
	home := homeDir(env)
	var dirs []string
	add := func(base string, parts ...string) {
		if base != "" {
			dirs = append(dirs, filepath.Join(append([]string{base}, parts...)...))
		}
	}
	add(home, ".terraform.d", "plugins")
	data := env("XDG_DATA_HOME")
	add(data, "opentofu", "plugins")
	switch runtime.GOOS {
	case "windows":
		add(env("APPDATA"), "terraform.d", "plugins")
		add(env("APPDATA"), "HashiCorp", "Terraform", "plugins")
	case "darwin":
		add(home, "Library", "Application Support", "io.terraform", "plugins")
		add("/", "Library", "Application Support", "io.terraform", "plugins")
	default:
		if data == "" && home != "" {
			data = filepath.Join(home, ".local", "share")
		}
		add(data, "terraform", "plugins")
		system := env("XDG_DATA_DIRS")
		if system == "" {
			system = "/usr/local/share" + string(filepath.ListSeparator) + "/usr/share"
		}
		for _, dir := range filepath.SplitList(system) {
			add(dir, "terraform", "plugins")
		}
	}
	return dirs
}
