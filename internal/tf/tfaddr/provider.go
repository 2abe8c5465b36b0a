// Package tfaddr names things in Terraform's world: providers, resources and
// their instances.
package tfaddr

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	regaddr "github.com/hashicorp/terraform-registry-address"
	svchost "github.com/hashicorp/terraform-svchost"
)

// The parts that an address may leave out.
const (
	DefaultHost      = "registry.opentofu.org"
	DefaultNamespace = "hashicorp"
)

// Provider is a provider's fully qualified address. Host is in its display
// form (unicode, with a port where it is not 443). It is comparable.
type Provider struct {
	Host, Namespace, Type string
}

// ParseProvider reads `[host/][namespace/]type`, filling in the defaults.
// The error says which part is wrong.
func ParseProvider(s string) (Provider, error) {
	if !utf8.ValidString(s) {
		return Provider{}, fmt.Errorf("provider address %q is not valid UTF-8", s)
	}
	parts := strings.Split(s, "/")
	if len(parts) > 3 {
		return Provider{}, fmt.Errorf("provider address %q has %d parts; want [host/][namespace/]type", s, len(parts))
	}
	p := Provider{Host: DefaultHost, Namespace: DefaultNamespace}
	typ, err := parsePart(parts[len(parts)-1])
	if err != nil {
		return Provider{}, fmt.Errorf("provider address %q: invalid type: %w", s, err)
	}
	p.Type = typ
	if len(parts) > 1 {
		if p.Namespace, err = parsePart(parts[len(parts)-2]); err != nil {
			return Provider{}, fmt.Errorf("provider address %q: invalid namespace: %w", s, err)
		}
	}
	if len(parts) == 3 {
		if p.Host, err = ParseHost(parts[0]); err != nil {
			return Provider{}, fmt.Errorf("provider address %q: invalid host: %w", s, err)
		}
	}
	return p, nil
}

// errUnstable refuses what normalises to something that is not itself valid:
// characters that vanish or change again. Addresses name directories and are
// compared, so they must stand still.
var errUnstable = errors.New("it has characters that cannot stand in an address")

func parsePart(s string) (string, error) {
	part, err := regaddr.ParseProviderPart(s)
	if err != nil {
		return "", err
	}
	if again, err := regaddr.ParseProviderPart(part); err != nil || again != part {
		return "", errUnstable
	}
	return part, nil
}

// The longest host and label of a host, in bytes of the ASCII form (RFC 1035).
const (
	maxHost  = 253
	maxLabel = 63
)

// ParseHost reads a host, with a port where it is not 443, and returns its
// display form.
func ParseHost(s string) (string, error) {
	host, err := svchost.ForComparison(s)
	if err != nil {
		return "", err
	}
	// The function, not the method: that one panics on labels which are too
	// long, and ForComparison lets these pass.
	display := svchost.ForDisplay(string(host))
	if again, err := svchost.ForComparison(display); err != nil || again != host {
		return "", errUnstable
	}
	name, _, _ := strings.Cut(string(host), ":")
	if len(name) > maxHost {
		return "", errUnstable
	}
	for label := range strings.SplitSeq(name, ".") {
		if len(label) > maxLabel {
			return "", errUnstable
		}
	}
	return display, nil
}

// String returns `host/namespace/type`, whole.
func (p Provider) String() string {
	return p.Host + "/" + p.Namespace + "/" + p.Type
}

// IsZero reports whether p names nothing.
func (p Provider) IsZero() bool { return p == Provider{} }

// StateString returns the form that state files use:
// `provider["host/ns/type"]`, followed by `.alias` where alias is not "".
func (p Provider) StateString(alias string) string {
	s := fmt.Sprintf("provider[%q]", p.String())
	if alias != "" {
		s += "." + alias
	}
	return s
}
