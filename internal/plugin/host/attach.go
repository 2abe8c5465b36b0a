package host

import (
	"strconv"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
)

// attachVariable names the variable that says which plugins of a kind run
// already, as name:port,name:port; or "".
func attachVariable(kind plugin.Kind) string {
	switch kind {
	case plugin.Resource:
		return "PULUMI_DEBUG_PROVIDERS"
	case plugin.Language:
		return "PULUMI_DEBUG_LANGUAGES"
	default:
		return ""
	}
}

// attached looks for a plugin that runs already.
func (f Finder) attached(kind plugin.Kind, w Wanted) (Found, bool, diag.List) {
	variable := attachVariable(kind)
	if variable == "" {
		return Found{}, false, nil
	}
	for entry := range strings.SplitSeq(f.Env.Lookup(variable), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(entry), ":")
		if name == "" || name != w.Name {
			continue
		}
		port, err := parsePort(value)
		if err != nil {
			return Found{}, false, diag.List{badAttachment(variable, entry, err)}
		}
		return Found{Kind: kind, Name: name, Origin: Attached, port: port}, true, nil
	}
	return Found{}, false, nil
}

// attachedNames lists the plugins of a kind that run already.
func (f Finder) attachedNames(kind plugin.Kind) []string {
	var names []string
	for entry := range strings.SplitSeq(f.Env.Lookup(attachVariable(kind)), ",") {
		if name, _, ok := strings.Cut(strings.TrimSpace(entry), ":"); ok && name != "" {
			names = append(names, name)
		}
	}
	return names
}

// parsePort reads a TCP port. Space around it is of no account.
func parsePort(text string) (int, error) {
	port, err := strconv.ParseUint(strings.TrimSpace(text), 10, 16)
	if err != nil || port == 0 {
		return 0, errNotAPort
	}
	return int(port), nil
}
