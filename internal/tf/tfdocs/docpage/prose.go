package docpage

import (
	"strings"
)

// tag is HTML that nobody reads: an anchor to jump to, a comment, a break.
var tag = lazily(`<a (?:id|name)="[^"<>]*" ?/?>|</a>|<!--.*?-->|<br ?/?>`)

func withoutTags(text string) string {
	if !strings.Contains(text, "<") {
		return text
	}
	return tag().ReplaceAllString(text, "")
}

// pointer is a sentence, or a part of one, that leads to another place of the
// page, where the reader of a schema does not come from.
var pointer = lazily(`(?i)` + strings.Join([]string{
	`\(see \[below for nested schema\]\([^()\s]*\)\)`,
	`\b(?:the )?structure (?:is|are) (?:\[?(?:documented|defined|detailed) below\]?(?:\([^()\s]*\))?|as documented below)\.?`,
	`(?:^|\b)(?:fields |more details |details )?(?:are )?\[?(?:documented|defined|detailed|described) below\]?(?:\([^()\s]*\))?(?: for details)?\.`,
	`\b(?:an?|one or more|zero or more|the) ` + "`[^`\\s]+`" + ` (?:blocks?|objects?|list) (?:as )?(?:defined|documented|detailed|described) below\.?`,
	`\bsee \[[^\[\]]*\]\(#[^()\s]*\)(?: (?:below|above))?(?: for (?:more )?(?:details|information))?\.`,
	`\bsee below(?: for (?:more )?(?:details|information))?\.`,
	`\bsee ` + "`[^`\\s]+`" + ` (?:block|object)(?: [a-z]+)? below\.?`,
	`[,;] see below for ` + "`[^`\\s]+`" + ` block(?: [a-z]+)?`,
}, "|"))

// referenced is a link whose address is elsewhere on the page.
var referenced = lazily(`\[([^\[\]]+)\]\[[^\[\]]*\]`)

// clean makes the text about an argument fit to stand alone.
func clean(text string) string {
	text = withoutTags(text)
	if strings.Contains(text, "elow") || strings.Contains(text, "see [") || strings.Contains(text, "See [") {
		text = pointer().ReplaceAllString(text, "")
	}
	if strings.Contains(text, "][") {
		text = referenced().ReplaceAllString(text, "$1")
	}
	return strings.TrimSpace(text)
}

// replacing is what a page says of an argument whose change makes another
// resource, where it says it in a word.
const replacing = "Another value replaces the resource."

// saysReplacing is said of such arguments in many ways.
var saysReplacing = lazily(`(?i)forc|replac|recreat|re-creat|new resource|destroy`)

// maxText bounds the text about one argument, in bytes.
const maxText = 8 << 10

// shorten cuts a text at the end of a line.
func shorten(text string) string {
	if len(text) <= maxText {
		return text
	}
	return strings.TrimSpace(text[:max(strings.LastIndexByte(text[:maxText], '\n'), 0)])
}
