package tfregistry

import (
	"errors"
	"strings"

	"github.com/apparentlymart/go-versions/versions"
	"github.com/apparentlymart/go-versions/versions/constraints"
)

// constraint is a version constraint in Terraform's syntax.
type constraint struct {
	text string
	set  versions.Set
	// exact is the one version that meets it, where there is only one.
	exact *versions.Version
}

// parseConstraint reads text such as "~> 1.2, != 1.3.0". The empty text is
// met by every released version; a prerelease meets a constraint only where
// the constraint names it exactly.
func parseConstraint(text string) (constraint, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return constraint{set: versions.Released}, nil
	}
	spec, err := constraints.ParseRubyStyleMulti(text)
	if err != nil {
		if !strings.ContainsAny(text, "0123456789") { // of these the parser says that a comma is missing
			err = errors.New("there is no version in it")
		}
		return constraint{}, invalidConstraint(text, err)
	}
	c := constraint{text: text, set: versions.MeetingConstraints(spec)}
	if c.set.IsFinite() {
		if list := c.set.List(); len(list) == 1 {
			c.exact = &list[0]
		}
	}
	return c, nil
}

// newest returns the newest of list that meets c; ok is false for none.
func (c constraint) newest(list versions.List) (v versions.Version, ok bool) {
	meeting := make(versions.List, 0, len(list))
	for _, v := range list {
		if c.set.Has(v) {
			meeting = append(meeting, v)
		}
	}
	if len(meeting) == 0 {
		return versions.Version{}, false
	}
	meeting.Sort()
	return meeting[len(meeting)-1], true
}
