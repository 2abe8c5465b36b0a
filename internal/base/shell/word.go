// Package shell writes what users are told to type into a POSIX shell.
package shell

import (
	"strings"
	"unicode"
)

// Word quotes a text, where it would not be one word as it is.
func Word(text string) string {
	if text != "" && !strings.ContainsFunc(text, special) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// special reports whether a character may mean something to a shell.
func special(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_./+:@%,=", r)
}
