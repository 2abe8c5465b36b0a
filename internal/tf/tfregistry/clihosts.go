package tfregistry

import (
	"fmt"
	"strings"

	"github.com/opentofu/svchost"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

func (c *CLIConfig) decodeCredentials(entry cliEntry) error {
	hosts, err := entry.block()
	if err != nil {
		return err
	}
	for _, host := range hosts {
		name, err := parseHost(host.key)
		if err != nil {
			return invalidCLIFile(host.at, fmt.Sprintf("credentials %q: invalid host: %s", host.key, err))
		}
		members, err := host.block()
		if err != nil {
			return err
		}
		for _, member := range members {
			if member.key != "token" {
				continue
			}
			token, err := member.text()
			if err != nil {
				return err
			}
			if c.tokens == nil {
				c.tokens = map[svchost.Hostname]string{}
			}
			c.tokens[name] = token
		}
	}
	return nil
}

func (c *CLIConfig) decodeHelper(entry cliEntry) error {
	helpers, err := entry.block()
	if err != nil {
		return err
	}
	if len(helpers) != 1 || c.HelperName != "" || strings.ContainsAny(helpers[0].key, `/\`) {
		return invalidCLIFile(entry.at, "credentials_helper must be one block with one label, a plain name")
	}
	members, err := helpers[0].block()
	if err != nil {
		return err
	}
	c.HelperName = helpers[0].key
	for _, member := range members {
		if member.key == "args" {
			c.HelperArgs, err = member.texts()
		}
	}
	return err
}

func (c *CLIConfig) decodeHost(entry cliEntry) error {
	hosts, err := entry.block()
	if err != nil {
		return err
	}
	for _, host := range hosts {
		name, err := parseHost(host.key)
		if err != nil {
			return invalidCLIFile(host.at, fmt.Sprintf("host %q: invalid host: %s", host.key, err))
		}
		members, err := host.block()
		if err != nil {
			return err
		}
		for _, member := range members {
			if member.key != "services" {
				continue
			}
			if err := c.decodeServices(name, member); err != nil {
				return err
			}
		}
	}
	return nil
}

// decodeServices keeps the services that are plain URLs, as those of
// registries are.
func (c *CLIConfig) decodeServices(host svchost.Hostname, entry cliEntry) error {
	members, err := entry.block()
	if err != nil {
		return err
	}
	if c.Services == nil {
		c.Services = map[svchost.Hostname]map[string]any{}
	}
	if c.Services[host] == nil {
		c.Services[host] = map[string]any{}
	}
	for _, member := range members {
		if url, err := member.text(); err == nil {
			c.Services[host][member.key] = url
		}
	}
	return nil
}

// parseHost returns the comparison form of a host.
func parseHost(text string) (svchost.Hostname, error) {
	display, err := tfaddr.ParseHost(text)
	if err != nil {
		return "", err
	}
	return svchost.ForComparison(display)
}
