package docpage

import (
	"strings"
)

// name is what an argument is called.
var name = lazily(`^[A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z_][A-Za-z0-9_-]*)*$`)

// element is an element of a list within a path.
var element = lazily(`\[[0-9*#]*\]|\.(?:[0-9]+|\*|#)(?:$|\.)`)

// asName reads the name of an argument, in which a page may count elements.
func asName(text string) (string, bool) {
	text = strings.ReplaceAll(text, `\_`, "_")
	if strings.ContainsAny(text, "[.") {
		text = element().ReplaceAllStringFunc(text, func(found string) string {
			if strings.HasSuffix(found, ".") {
				return "."
			}
			return ""
		})
	}
	return text, name().MatchString(text)
}

var (
	// marked is a name between backticks, or in bold, or both, or as a link.
	marked = lazily("^(?:\\*\\*|__)?\\[?(?:\\*\\*`|`)([^`\\s]+)(?:`\\*\\*|`)\\]?(?:\\([^()\\s]*\\))?(?:\\*\\*|__)?|^\\*\\*([A-Za-z0-9_\\\\]+)\\*\\*")
	// unmarked is a name that only what follows shows to be one.
	unmarked = lazily(`^([a-z][a-z0-9_\\]*)( +-+ +\((?i:required|optional|computed)\b.*)$`)
	// another stands between two names.
	another = lazily(`^(?:,? +and +|,? +or +|, *| */ *)`)
)

// parseItemHead reads what stands behind a bullet: the arguments that it is
// about, whose names dots lead into blocks, and the rest. It is not about any
// where no name comes first, or a sentence with one.
func parseItemHead(text string) (names []string, rest string, ok bool) {
	names, rest = leadingNames(strings.TrimSpace(withoutTags(text)))
	if len(names) == 0 {
		return nil, "", false
	}
	rest = strings.TrimSpace(rest)
	if rest != "" && !strings.ContainsAny(rest[:1], "(-:") && !strings.HasPrefix(rest, "–") && !strings.HasPrefix(rest, "—") {
		return nil, "", false
	}
	return names, rest, true
}

// longestName bounds a name with its marks, in bytes.
const longestName = 512

// leadingNames takes the names with which text begins.
func leadingNames(text string) (names []string, rest string) {
	if match := unmarked().FindStringSubmatch(text); match != nil {
		one, ok := asName(match[1])
		if ok {
			return []string{one}, match[2]
		}
	}
	for {
		match := marked().FindStringSubmatch(text[:min(len(text), longestName)])
		if match == nil {
			return nil, text
		}
		one, ok := asName(match[1] + match[2])
		if !ok {
			return nil, text
		}
		names, text = append(names, one), text[len(match[0]):]
		next := text[:min(len(text), longestName)]
		between := another().FindString(next)
		if between == "" || !marked().MatchString(next[len(between):]) {
			return names, text
		}
		text = text[len(between):]
	}
}

// trait is what pages say of an argument in parentheses and the schema says
// itself.
var trait = lazily(`^(?i:required|optional|computed|read[- ]?only|sensitive|deprecated|write[- ]?only|` +
	`force[- ]?new|forces? (?:new(?: resource)?|replacement)|` +
	`string|number|boolean|bool|integer|int|float|dynamic|map|list|set|object|` +
	`block(?: list| set| map)?|attributes?(?: list| set| map)?|(?:list|set|map|array) of [a-z ]+|(?:min|max): \d+)$`)

// link is a link in Markdown.
var link = lazily(`\[([^\[\]]*)\]\([^()\s]*\)`)

// separators may stand between a name, its traits and the text.
const separators = " \t\n-:–—,."

// withoutTraits takes off what comes before the text about an argument.
// replaces says that another value makes another resource.
func withoutTraits(rest string) (text string, replaces bool) {
	kept := ""
	rest = trimSeparators(rest)
	for strings.HasPrefix(rest, "(") {
		inside, after, ok := parenthesised(rest)
		if !ok {
			break
		}
		others, known := traitsIn(inside, &replaces)
		if known == 0 {
			break
		}
		if len(others) > 0 {
			kept += "(" + strings.Join(others, ", ") + ") "
		}
		rest = trimSeparators(after)
	}
	return kept + rest, replaces
}

func trimSeparators(text string) string {
	if strings.HasPrefix(text, "...") {
		return text
	}
	return strings.TrimLeft(text, separators)
}

// traitsIn tells traits from what else is said between parentheses.
func traitsIn(inside string, replaces *bool) (others []string, known int) {
	for one := range strings.SplitSeq(inside, ",") {
		one = strings.TrimSpace(one)
		bare := strings.Trim(link().ReplaceAllString(one, "$1"), "*_` ")
		if !trait().MatchString(bare) {
			others = append(others, one)
			continue
		}
		known++
		*replaces = *replaces || strings.HasPrefix(strings.ToLower(bare), "force")
	}
	return others, known
}

// parenthesised splits a text that begins with a parenthesis where that ends.
func parenthesised(text string) (inside, after string, ok bool) {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return text[1:i], text[i+1:], true
			}
		}
	}
	return "", "", false
}
