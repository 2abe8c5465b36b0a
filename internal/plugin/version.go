package plugin

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/blang/semver/v4"
)

// ParseVersion reads a version as people write it: a leading v, and missing
// minor and patch numbers, are fine.
func ParseVersion(text string) (semver.Version, error) {
	v, err := semver.ParseTolerant(text)
	if err != nil {
		return semver.Version{}, fmt.Errorf("%q is not a semantic version such as 1.2.3", text)
	}
	return v, nil
}

// commitHash is a full or abbreviated SHA-1 or SHA-256 of git.
var commitHash = regexp.MustCompile(`^[0-9a-fA-F]{4,64}$`)

// CommitVersion makes the version of a plugin taken from a git commit:
// 0.0.0-x<hash>. The x keeps a hash of digits from being a number.
func CommitVersion(hash string) (v semver.Version, ok bool) {
	if !commitHash.MatchString(hash) {
		return semver.Version{}, false
	}
	return semver.Version{Pre: []semver.PRVersion{{VersionStr: "x" + hash}}}, true
}

// CommitOf returns the hash inside a version made by [CommitVersion].
func CommitOf(v semver.Version) (hash string, ok bool) {
	if v.Major != 0 || v.Minor != 0 || v.Patch != 0 || len(v.Pre) != 1 || len(v.Build) != 0 || v.Pre[0].IsNum {
		return "", false
	}
	hash, ok = strings.CutPrefix(v.Pre[0].VersionStr, "x")
	return hash, ok && commitHash.MatchString(hash)
}

// Newest returns the highest version, a stable one before any pre-release.
// ok is false where there is none.
func Newest(versions []semver.Version) (newest semver.Version, ok bool) {
	for _, v := range versions {
		if !ok || newer(v, newest) {
			newest, ok = v, true
		}
	}
	return newest, ok
}

func newer(a, b semver.Version) bool {
	if stable := len(a.Pre) == 0; stable != (len(b.Pre) == 0) {
		return stable
	}
	if order := a.Compare(b); order != 0 {
		return order > 0
	}
	return a.String() > b.String() // build metadata has no order of its own
}
