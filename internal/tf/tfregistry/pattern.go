package tfregistry

import (
	"fmt"
	"strings"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// pattern matches provider addresses; a "*" part matches anything.
type pattern struct{ tfaddr.Provider }

// parsePattern reads `[host/]namespace/type`, where a part may be "*" if all
// parts after it are.
func parsePattern(text string) (pattern, error) {
	parts := strings.Split(text, "/")
	if len(parts) != 2 && len(parts) != 3 {
		return pattern{}, fmt.Errorf("provider pattern %q must have the form [host/]namespace/type", text)
	}
	filled := make([]string, len(parts))
	wild := false
	for i, part := range parts {
		filled[i] = part
		if part == "*" {
			wild = true
			filled[i] = wildStandIn(i, len(parts))
		} else if wild {
			return pattern{}, fmt.Errorf("provider pattern %q has a * that something other than * follows", text)
		}
	}
	p, err := tfaddr.ParseProvider(strings.Join(filled, "/"))
	if err != nil {
		return pattern{}, fmt.Errorf("provider pattern %q: %w", text, err)
	}
	for i, field := range []*string{&p.Type, &p.Namespace, &p.Host} {
		if i < len(parts) && parts[len(parts)-1-i] == "*" {
			*field = "*"
		}
	}
	return pattern{p}, nil
}

// wildStandIn is a valid part in place of the i-th of n that is "*".
func wildStandIn(i, n int) string {
	if n == 3 && i == 0 {
		return tfaddr.DefaultHost
	}
	return "any"
}

func (p pattern) matches(addr tfaddr.Provider) bool {
	same := func(pattern, part string) bool { return pattern == "*" || pattern == part }
	return same(p.Host, addr.Host) && same(p.Namespace, addr.Namespace) && same(p.Type, addr.Type)
}

func anyMatches(patterns []pattern, addr tfaddr.Provider) bool {
	for _, p := range patterns {
		if p.matches(addr) {
			return true
		}
	}
	return false
}
