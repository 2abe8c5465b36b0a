package packages

import (
	"path"
	"regexp"
	"strings"
)

// withRequirement adds an SDK to a requirements.txt by the way to it, as
// Pulumi writes it, in place of requirements of its name.
func withRequirement(src []byte, sdk, way string) []byte {
	lines := requirementLines(string(src))
	for _, line := range lines {
		if leadsTo(line, way) {
			return src
		}
	}
	var out strings.Builder
	done := false
	for _, line := range lines {
		switch {
		case !requires(line, sdk):
			out.WriteString(line)
		case !done:
			out.WriteString(way + line[len(requirementPart(line)):])
			done = true
		}
	}
	if done {
		return []byte(out.String())
	}
	text, newline := out.String(), "\n"
	if strings.Contains(text, "\r\n") {
		newline = "\r\n"
	}
	if text == "" || strings.HasSuffix(text, "\n") {
		return []byte(text + way + newline)
	}
	return []byte(text + newline + way) // as it ends, so it stays
}

// requirementLines are the lines of a requirements.txt with their ends. Those
// that a backslash continues are one.
func requirementLines(text string) []string {
	var lines []string
	open := false
	for line := range strings.Lines(text) {
		if open {
			lines[len(lines)-1] += line
		} else {
			lines = append(lines, line)
		}
		open = strings.HasSuffix(strings.TrimRight(line, "\r\n"), `\`)
	}
	return lines
}

// requirementEnd is the comment of a line, or its end.
var requirementEnd = regexp.MustCompile(`[ \t]*([ \t]#[^\n]*)?\r?\n?$`)

// requirementPart is a line without its comment and its end.
func requirementPart(line string) string {
	return line[:requirementEnd.FindStringIndex(line)[0]]
}

// leadsTo reports whether a line names a directory, perhaps one to be edited.
func leadsTo(line, way string) bool {
	text := strings.TrimSpace(requirementPart(line))
	for _, option := range []string{"-e", "--editable"} {
		text = strings.TrimLeft(strings.TrimPrefix(text, option), " \t=")
	}
	text = strings.TrimPrefix(text, "file:")
	return text != "" && path.Clean(strings.ReplaceAll(text, `\`, "/")) == path.Clean(way)
}
