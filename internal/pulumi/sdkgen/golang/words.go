package golang

import "strings"

// words are the parts of a name between capitals, in small letters. Of three
// digits and more each is a part of its own, since such numbers count things.
func words(name string) []string {
	var out []string
	runes := []rune(name)
	for i := 0; i < len(runes); {
		end := wordEnd(runes, i)
		out = append(out, strings.ToLower(string(runes[i:end])))
		i = end
	}
	return out
}

// wordEnd is where the word that begins at an index ends.
func wordEnd(name []rune, from int) int {
	if digits := digitsAt(name, from); digits > 0 {
		return from + 1
	}
	for i := from + 1; i < len(name); i++ {
		if digits := digitsAt(name, i); digits > 2 {
			return i
		} else if digits > 0 {
			return i + digits
		}
		startsWord := i+1 < len(name) && !isUpper(name[i+1]) && digitsAt(name, i+1) == 0
		if isUpper(name[i]) && (!isUpper(name[i-1]) || startsWord) {
			return i
		}
	}
	return len(name)
}

func isUpper(r rune) bool { return r >= 'A' && r <= 'Z' }

// digitsAt counts the digits from an index on.
func digitsAt(name []rune, from int) int {
	n := from
	for n < len(name) && name[n] >= '0' && name[n] <= '9' {
		n++
	}
	return n - from
}
