package tfprovider

import (
	"bytes"
	"regexp"
)

// Openings of lines, as providers write them.
var (
	// chatter opens what a provider logs for its developers: a line of the
	// older SDKs, which log whatever the user chose, or one of go-hclog's.
	// Resources are dumped there, secrets and all.
	chatter = regexp.MustCompile(`^(\d{4}/\d\d/\d\d \d\d:\d\d:\d\d(\.\d+)? )?(\S+\.go:\d+: )?\[(TRACE|DEBUG|INFO)\]|^\{.*"@level":"(trace|debug|info)"`)
	// entry opens anything else that a logger wrote.
	entry = regexp.MustCompile(`^(\d{4}/\d\d/\d\d \d\d:\d\d:\d\d|\[(WARN|ERROR)\]|\{"@)`)
)

// withoutChatter returns the lines of a provider's output that explain its
// end. What follows a line of chatter belongs to it, up to the next entry.
func withoutChatter(output []byte) []byte {
	var out []byte
	inside := false
	for line := range bytes.Lines(output) {
		switch {
		case chatter.Match(line):
			inside = line[0] != '{' // an entry of go-hclog is one line
			continue
		case entry.Match(line):
			inside = false
		}
		if !inside {
			out = append(out, line...)
		}
	}
	return out
}
