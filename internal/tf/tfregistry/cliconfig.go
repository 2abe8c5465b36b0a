package tfregistry

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/opentofu/svchost"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// CLIConfig is what the CLI configuration files of terraform and tofu say
// about providers. The zero value is that of a machine without such files.
type CLIConfig struct {
	// Files are those that were read, in order.
	Files []string
	// PluginCacheDir is plugin_cache_dir or TF_PLUGIN_CACHE_DIR, or "".
	PluginCacheDir string
	// Installation is the provider_installation block, or nil.
	Installation *Installation
	// HelperName and HelperArgs are the credentials_helper block, or "".
	HelperName string
	HelperArgs []string
	// Services holds the services of host blocks, by host in comparison
	// form: what the host's discovery document would say.
	Services map[svchost.Hostname]map[string]any
	// PluginDirs are the plugins directories of the configuration and data
	// directories, where mirrors and credentials helpers may be.
	PluginDirs []string

	// tokens are those of credentials blocks, by host in comparison form.
	tokens map[svchost.Hostname]string
}

// String tells where the configuration comes from, and no secret.
func (c CLIConfig) String() string { return fmt.Sprintf("CLI configuration of %q", c.Files) }

// GoString is String: the tokens are not for printing in any form.
func (c CLIConfig) GoString() string { return c.String() }

// Installation is a provider_installation block.
type Installation struct {
	// DevOverrides maps addresses to directories, or to binaries.
	DevOverrides map[tfaddr.Provider]string
	// Methods are in the order of the file.
	Methods []Method
}

// MethodKind is the name of an installation method's block.
type MethodKind string

// The installation methods.
const (
	Direct           MethodKind = "direct"
	FilesystemMirror MethodKind = "filesystem_mirror"
	NetworkMirror    MethodKind = "network_mirror"
)

// Method is one installation method.
type Method struct {
	Kind MethodKind
	// Location is the path of a filesystem mirror, the URL of a network one.
	Location string
	// Include and Exclude are address patterns such as "registry.example/*/*".
	// No Include means all; Exclude wins.
	Include, Exclude []string
	// TrustAllHashes takes a network mirror's word for the hashes of other
	// platforms.
	TrustAllHashes bool
}

// LoadCLIConfig reads the CLI configuration: the file that TF_CLI_CONFIG_FILE
// (or TERRAFORM_CONFIG) names and nothing else, or .tofurc or .terraformrc in
// the home directory followed by the *.tfrc and *.tfrc.json files, among
// them credentials.tfrc.json, of the configuration directory. Environment
// variables override files. Missing files are no error, save a named one; on
// errors the result holds what could be read.
func LoadCLIConfig(env func(string) string) (CLIConfig, diag.List) {
	if env == nil {
		env = os.Getenv
	}
	var config CLIConfig
	var diags diag.List
	files, err := cliFiles(env)
	diags = append(diags, asDiagnostics(err)...)
	for _, file := range files {
		diags = append(diags, config.load(file, env)...)
	}
	if dir := env("TF_PLUGIN_CACHE_DIR"); dir != "" {
		config.PluginCacheDir = dir
	}
	if dir := config.PluginCacheDir; dir != "" {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			diags = append(diags, noPluginCache(dir))
			config.PluginCacheDir = ""
		}
	}
	config.PluginDirs = pluginDirs(env)
	return config, diags
}

func cliFiles(env func(string) string) ([]string, error) {
	for _, name := range []string{"TF_CLI_CONFIG_FILE", "TERRAFORM_CONFIG"} {
		if file := env(name); file != "" {
			if _, err := os.Stat(file); err != nil {
				return nil, noCLIFile(name, file)
			}
			return []string{file}, nil
		}
	}
	var files []string
	if file, ok := mainCLIFile(env); ok {
		files = append(files, file)
	}
	for _, dir := range configDirs(env) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, entry := range entries {
			if name := entry.Name(); strings.HasSuffix(name, ".tfrc") || strings.HasSuffix(name, ".tfrc.json") {
				files = append(files, filepath.Join(dir, name))
			}
		}
		break
	}
	return files, nil
}

func (c *CLIConfig) load(file string, env func(string) string) diag.List {
	src, err := os.ReadFile(file)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return asDiagnostics(invalidCLIFile(hcl.Range{Filename: file}, err.Error()))
	}
	c.Files = append(c.Files, file)
	return c.decode(src, file, env)
}

// decode adds what one file says. The first file to say a thing wins, but
// for credentials and hosts, where the last does.
func (c *CLIConfig) decode(src []byte, file string, env func(string) string) diag.List {
	entries, err := parseCLITree(src, file)
	if err != nil {
		return asDiagnostics(err)
	}
	var diags diag.List
	var installation []cliEntry
	for _, entry := range entries {
		if entry.key == "provider_installation" {
			installation = append(installation, entry)
			continue
		}
		diags = append(diags, asDiagnostics(c.decodeEntry(entry, env))...)
	}
	if len(installation) == 0 {
		return diags
	}
	decoded, more := decodeInstallation(installation)
	diags = append(diags, more...)
	if c.Installation != nil {
		return append(diags, invalidCLIFile(installation[0].at, "provider_installation is set in another file already; keep one"))
	}
	c.Installation = decoded
	return diags
}

// decodeEntry ignores keys that do not concern providers.
func (c *CLIConfig) decodeEntry(entry cliEntry, env func(string) string) error {
	switch entry.key {
	case "plugin_cache_dir":
		dir, err := entry.text()
		if err == nil && c.PluginCacheDir == "" {
			c.PluginCacheDir = os.Expand(dir, env)
		}
		return err
	case "credentials":
		return c.decodeCredentials(entry)
	case "credentials_helper":
		return c.decodeHelper(entry)
	case "host":
		return c.decodeHost(entry)
	}
	return nil
}
