package plugin

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/blang/semver/v4"
)

// Parameterization turns a plugin into another package
// (spec/parameterized-providers.md). It has one of two forms. The zero value
// parameterizes nothing.
type Parameterization struct {
	// Args is the form of command lines and Pulumi.yaml.
	Args []string
	// Value is the form of generated SDKs and state, or nil.
	Value *Parameter
}

// Parameter is the value form: what the args form once gave.
type Parameter struct {
	// Name and Version are those of the package that comes out.
	Name    string
	Version semver.Version
	// Value is the plugin's own business.
	Value []byte
}

// IsZero reports whether there is nothing to parameterize with.
func (p Parameterization) IsZero() bool { return len(p.Args) == 0 && p.Value == nil }

// Key tells parameterizations apart: two with the same key ask a plugin for
// the same thing, and may share a process and a cache entry. It is "" for the
// zero value, else hexadecimal.
func (p Parameterization) Key() string {
	if p.IsZero() {
		return ""
	}
	h := sha256.New()
	if p.Value != nil {
		fmt.Fprintf(h, "value %q %q %q", p.Value.Name, p.Value.Version, p.Value.Value)
	} else {
		fmt.Fprintf(h, "args %q", p.Args)
	}
	return hex.EncodeToString(h.Sum(nil))
}
