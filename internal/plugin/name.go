package plugin

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/blang/semver/v4"
)

// namePattern is what the pulumi program takes for a name in its cache; with
// others it would not see what was installed.
const namePattern = `[a-zA-Z0-9-][a-zA-Z0-9-_.]*[a-zA-Z0-9]`

var validName = regexp.MustCompile(`^` + namePattern + `$`)

// CheckName says why a plugin cannot have this name, or returns nil. Names
// become parts of file names and URLs.
func CheckName(name string) error {
	if !validName.MatchString(name) {
		return fmt.Errorf("%q is not a plugin name: it has two or more letters, digits, dashes, dots or underscores, "+
			"begins with a letter, a digit or a dash, and ends with a letter or a digit", name)
	}
	return nil
}

// parseDirName reads `<kind>-<name>-v<version>`. Names and versions may hold
// "-v" as well: the first one parts them that a whole semantic version
// follows, or else the last one, behind which the pulumi program takes less.
func parseDirName(dir string) (kind Kind, name string, v semver.Version, ok bool) {
	head, rest, _ := strings.Cut(dir, "-")
	kind, ok = ParseKind(head)
	if !ok {
		return "", "", semver.Version{}, false
	}
	const mark = "-v"
	for at := strings.Index(rest, mark); at >= 0; {
		if v, err := semver.Parse(rest[at+len(mark):]); err == nil && validName.MatchString(rest[:at]) {
			return kind, rest[:at], v, true
		}
		next := strings.Index(rest[at+len(mark):], mark)
		if next < 0 {
			break
		}
		at += len(mark) + next
	}
	at := strings.LastIndex(rest, mark)
	if at < 0 || !validName.MatchString(rest[:at]) {
		return "", "", semver.Version{}, false
	}
	v, err := ParseVersion(rest[at+len(mark):])
	return kind, rest[:at], v, err == nil
}
