package plugin

import "github.com/blang/semver/v4"

// Constraint is the one rule for versions, of everything that looks for an
// installed plugin or installs one. The zero Constraint is [Any].
//
// What runs a package that names its version (a project, a generated SDK, a
// stack's state) wants [Exactly] that one. A person who installs a plugin by
// hand is content with [AtLeast] the version named, unless --exact is given.
type Constraint struct {
	kind    constraintKind
	version semver.Version
}

type constraintKind uint8

const (
	anyVersion constraintKind = iota
	atLeast
	exactly
	latest
)

// Any is met by every installed version, the newest before others.
func Any() Constraint { return Constraint{} }

// AtLeast is met by an installed version that is not lower than v, the newest
// before others. Where none is, v itself is installed. The version of a git
// commit has no order and is met by itself alone.
func AtLeast(v semver.Version) Constraint {
	if _, commit := CommitOf(v); commit {
		return Exactly(v)
	}
	return Constraint{atLeast, v}
}

// Exactly is met by v alone.
func Exactly(v semver.Version) Constraint { return Constraint{exactly, v} }

// Latest is met by no installed version before the source was asked for its
// newest one.
func Latest() Constraint { return Constraint{kind: latest} }

// NewConstraint is the rule behind `[version] [--exact]`; version may be "".
func NewConstraint(version string, exact bool) (Constraint, error) {
	if version == "" {
		if exact {
			return Latest(), nil
		}
		return Any(), nil
	}
	v, err := ParseVersion(version)
	if err != nil {
		return Constraint{}, err
	}
	if exact {
		return Exactly(v), nil
	}
	return AtLeast(v), nil
}

// Select returns the version among those installed that meets c. ok is false
// where none does, and one has to be installed.
func (c Constraint) Select(installed []semver.Version) (v semver.Version, ok bool) {
	var met []semver.Version
	for _, v := range installed {
		if c.Meets(v) {
			met = append(met, v)
		}
	}
	return Newest(met)
}

// Meets reports whether an installed version v meets c.
func (c Constraint) Meets(v semver.Version) bool {
	switch c.kind {
	case anyVersion:
		return true
	case atLeast:
		return v.GE(c.version)
	case exactly:
		return v.String() == c.version.String()
	}
	return false
}

// Version returns the version that c names; ok is false where it names none
// and the source has to be asked for its newest.
func (c Constraint) Version() (v semver.Version, ok bool) {
	return c.version, c.kind == atLeast || c.kind == exactly
}

// IsExact reports whether one version alone will do.
func (c Constraint) IsExact() bool { return c.kind == exactly }

// String returns "" for Any, ">=1.2.3", "1.2.3" or "latest".
func (c Constraint) String() string {
	switch c.kind {
	case atLeast:
		return ">=" + c.version.String()
	case exactly:
		return c.version.String()
	case latest:
		return "latest"
	}
	return ""
}
