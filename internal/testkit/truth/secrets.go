package truth

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Secrets are the values in an estate's dump, secrets included, that no source
// file may hold; sorted.
func Secrets(dump []byte) ([]string, error) {
	var all map[string][]map[string]any
	if err := json.Unmarshal(dump, &all); err != nil {
		return nil, err
	}
	var out []string
	for _, objects := range all {
		for _, object := range objects {
			for _, field := range []string{"password", "api_token"} {
				if value, ok := object[field].(string); ok && value != "" {
					out = append(out, value)
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// Private reports whether a file is one that may hold secrets: a state, or
// values of variables.
func Private(name string) bool {
	return strings.HasSuffix(name, ".tfstate") || strings.HasSuffix(name, ".tfvars")
}

// Leaks lists the secrets in files that are not private, which need not be
// files: what a run printed can stand among them. The secrets are synthetic.
func Leaks(secrets []string, files map[string]string) []string {
	var out []string
	for _, name := range sortedKeys(files) {
		for _, secret := range secrets {
			if !Private(name) && strings.Contains(files[name], secret) {
				out = append(out, fmt.Sprintf("%s holds the secret %q", name, secret))
			}
		}
	}
	return out
}

// StandIn is a variable whose value the import could not read.
type StandIn struct {
	// Name is the variable's; Owner is the address of the resource, and Path
	// the attribute that it is for.
	Name, Owner, Path string
}

// FillIn does what a tfvars file asks of its owner: every stand-in in text
// gets the real value.
func (m Module) FillIn(text string, standIns []StandIn) (string, error) {
	lines := strings.SplitAfter(text, "\n")
	for _, s := range standIns {
		_, name, _ := strings.Cut(s.Owner, ".")
		value, ok := m.Variables[m.passwords[name]]
		if !ok {
			return "", fmt.Errorf("a stand-in for %s of %s, which can be read", s.Path, s.Owner)
		}
		at := slices.IndexFunc(lines, func(line string) bool {
			before, _, assigns := strings.Cut(line, "=")
			return assigns && strings.TrimSpace(before) == s.Name
		})
		if at < 0 {
			return "", fmt.Errorf("no value for %s", s.Name)
		}
		lines[at] = fmt.Sprintf("%s = %q\n", s.Name, value)
	}
	return strings.Join(lines, ""), nil
}
