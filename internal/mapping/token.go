package mapping

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// commonPrefix is the first part of all resource type names, such as "aws",
// or "" where they do not agree. Names without an underscore do not count.
func commonPrefix(names []string) string {
	prefix := ""
	for _, name := range names {
		first, _, ok := strings.Cut(name, "_")
		switch {
		case !ok || first == prefix:
		case prefix == "":
			prefix = first
		default:
			return ""
		}
	}
	return prefix
}

// memberName is the part of a token that stands for a type: without the
// provider's prefix, in Pascal case. A type called exactly as the prefix
// keeps it; a type without the prefix keeps all of its name.
func memberName(terraform, prefix string) string {
	rest := strings.TrimPrefix(terraform, prefix)
	for _, candidate := range []string{rest, terraform} {
		if name := upperFirst(joinWords(candidate)); name != "" {
			return name
		}
	}
	return terraform
}

// joinWords drops underscores and dashes, with a capital after each.
func joinWords(name string) string {
	for _, delimiter := range []string{"_", "-"} {
		words := strings.Split(name, delimiter)
		for i, w := range words[1:] {
			words[i+1] = upperFirst(w)
		}
		name = strings.Join(words, "")
	}
	return name
}

// letterFirst spells a leading digit out, since no language takes one.
func letterFirst(name string) string {
	if name == "" || name[0] < '0' || name[0] > '9' {
		return name
	}
	words := [...]string{"Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"}
	return words[name[0]-'0'] + upperFirst(name[1:])
}

// token is the token of a member of the module that all of them are in.
func token(pkg, name string) string {
	return fmt.Sprintf("%s:index/%s:%s", pkg, lowerFirst(name), name)
}

// TokenName is the last part of a token.
func TokenName(token string) string { return token[strings.LastIndexByte(token, ':')+1:] }

// nameSet gives out names that also differ where case does not count.
type nameSet map[string]bool

// claim returns name, or the first of nameV2, nameV3… that is free.
func (s nameSet) claim(name string) string {
	got := name
	for n := 2; s[strings.ToLower(got)]; n++ {
		got = fmt.Sprintf("%sV%d", name, n)
	}
	s[strings.ToLower(got)] = true
	return got
}

func upperFirst(s string) string { return mapFirst(s, unicode.ToUpper) }
func lowerFirst(s string) string { return mapFirst(s, unicode.ToLower) }

func mapFirst(s string, f func(rune) rune) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return ""
	}
	return string(f(first)) + s[size:]
}
