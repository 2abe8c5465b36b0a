// Package ident makes names out of text that people or clouds wrote: words,
// casings, valid identifiers, and a set of unique names that does not depend
// on the order in which things were found. It knows no language; callers
// bring the words that theirs reserves.
package ident

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxLength bounds what [Slug] returns, in bytes (all ASCII).
const MaxLength = 64

// Words splits text into its words: runs of letters and digits, cut where a
// lower-case letter or a digit meets an upper-case one (`webServer`) and
// before the last capital of an acronym (`HTTPServer`). They come in lower
// case and in ASCII where that reads well: accents are dropped, Greek and
// Cyrillic letters are romanised, and letters of other scripts are left out.
func Words(text string) []string {
	var words []string
	if strings.ContainsAny(text, "'’") {
		text = apostrophes.Replace(text)
	}
	for _, run := range strings.FieldsFunc(Fold(text), func(r rune) bool { return !isASCIIAlnum(r) }) {
		words = append(words, splitCase(run)...)
	}
	return words
}

// apostrophes join what they stand between: "don't" is one word.
var apostrophes = strings.NewReplacer("'", "", "’", "")

func isASCIIAlnum(r rune) bool {
	return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

func splitCase(run string) []string {
	var words []string
	start := 0
	for i := 1; i < len(run); i++ {
		if isBoundary(run, i) {
			words = append(words, strings.ToLower(run[start:i]))
			start = i
		}
	}
	return append(words, strings.ToLower(run[start:]))
}

// isBoundary reports whether a word of run, which is ASCII, begins at i.
func isBoundary(run string, i int) bool {
	if !isUpper(run[i]) {
		return false
	}
	if !isUpper(run[i-1]) {
		return true
	}
	return i+1 < len(run) && isLower(run[i+1])
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// Snake joins the words of text as `web_server`.
func Snake(text string) string { return strings.Join(Words(text), "_") }

// Kebab joins the words of text as `web-server`.
func Kebab(text string) string { return strings.Join(Words(text), "-") }

// Pascal joins the words of text as `WebServer`.
func Pascal(text string) string {
	var b strings.Builder
	for _, w := range Words(text) {
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
}

// Camel joins the words of text as `webServer`.
func Camel(text string) string {
	p := Pascal(text)
	if p == "" {
		return ""
	}
	return strings.ToLower(p[:1]) + p[1:]
}

// Slug turns text into an identifier that HCL and most languages accept:
// snake case, ASCII, at most [MaxLength] bytes, with an underscore before a
// leading digit. Text without a usable letter or digit gives "". A slug is
// its own slug.
func Slug(text string) string {
	s := Snake(text)
	if s != "" && isDigit(s[0]) {
		s = "_" + s
	}
	return Shorten(s, MaxLength)
}

// Shorten cuts a snake-case identifier to at most limit bytes, after a whole
// word where that keeps at least half of the limit.
func Shorten(name string, limit int) string {
	if len(name) <= limit {
		return name
	}
	cut := name[:limit]
	if name[limit] != '_' {
		if i := strings.LastIndexByte(cut, '_'); i >= limit/2 {
			cut = cut[:i]
		}
	}
	return strings.TrimRight(cut, "_")
}

// Valid reports whether name is an identifier in the narrow sense that
// [Slug] keeps to: ASCII letters, digits, underscores and dashes, beginning
// with a letter or an underscore.
func Valid(name string) bool {
	if name == "" || isDigit(name[0]) || name[0] == '-' {
		return false
	}
	for i := range len(name) {
		if c := name[i]; !isUpper(c) && !isLower(c) && !isDigit(c) && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

// Opaque reports whether text carries nothing for a reader: a UUID, a long
// run of hexadecimal or decimal digits, or such a run behind a short prefix
// (`sg-0a1b2c3d4e5f60718`). A word before plain digits makes it readable
// (`logs-20240101`), and so do two words before anything.
func Opaque(text string) bool {
	letters, codes, digits := 0, 0, 0
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		switch {
		case isNumber(part):
			digits += len(part)
		case isCode(part):
			codes += len(part)
		case len(part) > 6 || letters > 0 && codes+digits == 0:
			return false
		default:
			letters += len(part)
		}
	}
	if letters >= 3 {
		return codes >= 6 && codes > letters
	}
	return codes+digits >= 6
}

func isNumber(part string) bool {
	return strings.IndexFunc(part, func(r rune) bool { return !unicode.IsDigit(r) }) < 0
}

// isCode reports whether part looks drawn rather than chosen: hexadecimal
// with a digit in it, or a long mixture in which letters and digits take
// turns.
func isCode(part string) bool {
	digits, hex, turns := 0, 0, 0
	wasDigit := false
	for i, r := range part {
		if i > 0 && unicode.IsDigit(r) != wasDigit {
			turns++
		}
		wasDigit = unicode.IsDigit(r)
		if wasDigit {
			digits++
		}
		if wasDigit || strings.ContainsRune("abcdefABCDEF", r) {
			hex++
		}
	}
	if hex == len(part) {
		return len(part) >= 4 && digits > 0 || len(part) >= 12
	}
	return len(part) >= 12 && digits*5 >= len(part) && turns >= 2
}
