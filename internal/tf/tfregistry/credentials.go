package tfregistry

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/opentofu/svchost"
)

// credentials finds the token for a host: TF_TOKEN_* variables first, then
// credentials blocks, then the credentials helper, each asked once.
type credentials struct {
	config   CLIConfig
	env      func(string) string
	platform Platform

	mu     sync.Mutex
	helped map[svchost.Hostname]string
}

func newCredentials(config CLIConfig, env func(string) string, platform Platform) *credentials {
	return &credentials{config: config, env: env, platform: platform, helped: map[svchost.Hostname]string{}}
}

// token returns the token for host, or "". The error is a diagnostic.
func (c *credentials) token(ctx context.Context, host svchost.Hostname) (string, error) {
	for _, name := range tokenVariables(host) {
		if token := c.env(name); token != "" {
			return token, nil
		}
	}
	if token := c.config.tokens[host]; token != "" {
		return token, nil
	}
	if c.config.HelperName == "" {
		return "", nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if token, asked := c.helped[host]; asked {
		return token, nil
	}
	token, err := c.askHelper(ctx, host)
	if err == nil {
		c.helped[host] = token
	}
	return token, err
}

// tokenVariables are the names under which a host's token may stand: the
// host in punycode or unicode, dots as they are or as "_", hyphens as they
// are or as "__", in lower or upper case.
func tokenVariables(host svchost.Hostname) []string {
	var names []string
	seen := map[string]bool{}
	for _, form := range []string{string(host), svchost.ForDisplay(string(host))} {
		for _, hyphen := range []string{"__", "-"} {
			for _, dot := range []string{"_", "."} {
				name := strings.NewReplacer("-", hyphen, ".", dot).Replace(form)
				for _, name := range []string{name, strings.ToUpper(name)} {
					if !seen[name] {
						seen[name] = true
						names = append(names, "TF_TOKEN_"+name)
					}
				}
			}
		}
	}
	return names
}

// helperWait bounds how long a credentials helper may take.
const helperWait = time.Minute

// askHelper runs `terraform-credentials-NAME ARGS… get HOST`, which prints
// {"token": "…"}, or {} for none. Its output is never shown: it is secret.
func (c *credentials) askHelper(ctx context.Context, host svchost.Hostname) (string, error) {
	program, err := c.findHelper()
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, helperWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, append(append([]string{}, c.config.HelperArgs...), "get", string(host))...)
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		return "", helperFailed(program, svchost.ForDisplay(string(host)), err)
	}
	var answer struct {
		Token string `json:"token"`
	}
	if json.Unmarshal(out.Bytes(), &answer) != nil {
		return "", helperGarbled(program, svchost.ForDisplay(string(host)))
	}
	return answer.Token, nil
}

func (c *credentials) findHelper() (string, error) {
	name := "terraform-credentials-" + c.config.HelperName
	if c.platform.OS == "windows" {
		name += ".exe"
	}
	for _, dir := range c.config.PluginDirs {
		for _, path := range []string{filepath.Join(dir, name), filepath.Join(dir, c.platform.String(), name)} {
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				return path, nil
			}
		}
	}
	return "", helperMissing(name, c.config.PluginDirs)
}
