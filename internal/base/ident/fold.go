package ident

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Fold writes text in ASCII as far as it reads well. Compatibility forms are
// decomposed and accents dropped; letters that have no decomposition, and
// Greek and Cyrillic ones, are spelled out. What remains is left as it is.
func Fold(text string) string {
	if isASCII(text) {
		return text
	}
	var b strings.Builder
	for _, r := range norm.NFC.String(text) {
		if spelled, ok := spell(r); ok {
			b.WriteString(spelled)
			continue
		}
		for _, d := range norm.NFKD.String(string(r)) {
			if unicode.Is(unicode.Mn, d) {
				continue
			}
			if spelled, ok := spell(d); ok {
				b.WriteString(spelled)
				continue
			}
			b.WriteRune(d)
		}
	}
	return b.String()
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}

// spell returns the ASCII letters for r, capitalised as r is.
func spell(r rune) (string, bool) {
	low := unicode.ToLower(r)
	s, ok := lowerSpelling(low)
	if ok && low != r && s != "" {
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	return s, ok
}

// lowerSpelling holds the letters that decomposition leaves alone. Cyrillic
// follows the usual passport romanisation, Greek ISO 843 without accents.
func lowerSpelling(r rune) (string, bool) {
	switch {
	case r >= 'а' && r <= 'я':
		return cyrillic[r-'а'], true
	case r >= 'α' && r <= 'ω':
		return greek[r-'α'], true
	}
	switch r {
	case 'ß':
		return "ss", true
	case 'æ':
		return "ae", true
	case 'œ':
		return "oe", true
	case 'ø':
		return "o", true
	case 'å':
		return "a", true
	case 'ł':
		return "l", true
	case 'đ', 'ð':
		return "d", true
	case 'þ':
		return "th", true
	case 'ħ':
		return "h", true
	case 'ı':
		return "i", true
	case 'ŋ':
		return "ng", true
	case 'ё':
		return "yo", true
	case 'є':
		return "ye", true
	case 'і':
		return "i", true
	case 'ї':
		return "yi", true
	case 'ґ':
		return "g", true
	case 'ў':
		return "u", true
	}
	return "", false
}

var cyrillic = [...]string{
	"a", "b", "v", "g", "d", "e", "zh", "z", "i", "y", "k", "l", "m", "n", "o", "p",
	"r", "s", "t", "u", "f", "kh", "ts", "ch", "sh", "shch", "", "y", "", "e", "yu", "ya",
}

var greek = [...]string{
	"a", "v", "g", "d", "e", "z", "i", "th", "i", "k", "l", "m", "n", "x", "o", "p",
	"r", "s", "s", "t", "y", "f", "ch", "ps", "o",
}
