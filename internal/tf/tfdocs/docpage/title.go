package docpage

import (
	"strings"
)

// cleanTitle is a heading's text, without marks for machines.
func cleanTitle(title string) string {
	title = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(withoutTags(title)), "#"))
	return strings.ReplaceAll(title, `\_`, "_")
}

var (
	// listTitle heads the arguments or attributes of the whole.
	listTitle = lazily(`^(?i:schema|(?:the )?(?:ephemeral )?(?:argument|attribute|parameter|input|output|property|properties|field|export)s?` +
		`(?:(?:,| and| &) (?:argument|attribute|output)s?)?(?: references?| exported)?)$`)
	// generalTitle heads a part of what the heading above it heads.
	generalTitle = lazily(`^(?i:(?:required|optional|read-?only|computed|exported|nested|other|common|additional|supported|general|basic)?(?: *(?:blocks?|schemas?|arguments?|attributes?|parameters?|inputs?|outputs?|fields?))?(?: references?)?)$`)
	// outputTitle heads what the provider says, and not the program.
	outputTitle = lazily(`(?i)attribute|output|export|read-?only|computed`)
	inputTitle  = lazily(`(?i)argument|input`)
	// signatureTitle heads what is said of a function's parameters.
	signatureTitle = lazily(`^(?i:signature|return type|variadic arguments?)$`)
	// bareTitle is a block's name alone, or with what it is.
	bareTitle = lazily(`^(?:(?i:nested|the) )?([a-z][a-z0-9]*(?:_[a-z0-9]+)*(?:\.[a-z0-9_]+)*)` +
		`(?i:(?: nested| configuration| config| schema)*(?: blocks?| objects?| arguments?(?: reference)?| attributes?(?: reference)?| configuration)*)$`)
	inCode = lazily("`([^`]+)`")
	// nestedSchema is what tfplugindocs puts above a block, with its path.
	nestedSchema = lazily("^(?i:nested schema for) `([^`]+)`$")
)

// isListTitle reports whether a section of that title is about arguments
// or attributes only.
func isListTitle(title string) bool {
	return listTitle().MatchString(title) || signatureTitle().MatchString(title) || strings.EqualFold(title, "timeouts")
}

// titled is what a heading says of the list below it.
type titled struct {
	// whole says that the list is about the whole, part that it is about
	// what the heading above is about.
	whole, part bool
	output      bool
	// path leads to a block from the top; names are those of a block
	// somewhere, or of several alike, in the block called parent.
	path   []string
	names  []string
	parent string
}

// parseTitle understands a heading. Of most, the zero value says that it is
// about none of this.
func parseTitle(title string, level int) titled {
	t := titled{output: outputTitle().MatchString(title) && !inputTitle().MatchString(title)}
	switch {
	case listTitle().MatchString(title) && level <= 2:
		t.whole = true
	case generalTitle().MatchString(title):
		t.part = true
	case strings.EqualFold(title, "timeouts"):
		t.names = []string{"timeouts"}
	default:
		t.findBlock(title)
	}
	return t
}

// findBlock looks for the block that a title names.
func (t *titled) findBlock(title string) {
	if match := nestedSchema().FindStringSubmatch(title); match != nil {
		if path, ok := asName(match[1]); ok {
			t.path = strings.Split(path, ".")
		}
		return
	}
	if t.names, t.parent = blocksNamed(title); len(t.names) > 0 {
		return
	}
	if match := bareTitle().FindStringSubmatch(title); match != nil {
		t.names = []string{match[1]}
	}
}

// within comes before the name of the block that has the one just named.
var within = lazily(`(?i)\b(?:in|within|inside|of|under|for)(?: the| an?| each| its)? *$`)

// blocksNamed finds the names between backticks, and the one among them of
// the block around the others.
func blocksNamed(text string) (names []string, parent string) {
	for i, at := range inCode().FindAllStringSubmatchIndex(text, -1) {
		one, ok := asName(text[at[2]:at[3]])
		if !ok {
			return nil, ""
		}
		if i > 0 && within().MatchString(text[:at[0]]) {
			return names, one
		}
		names = append(names, one)
	}
	return names, ""
}

var (
	// opening is how a sentence begins that heads the list of a block.
	opening = lazily("^(?i:(?:the|an?|each|every|all|nested|block|for|in|within|inside|on|and|object|configuration) ){0,4}(?:\\*\\*)?`?([a-z0-9_.]+)[`*]")
	// heads is what such a sentence says.
	heads = lazily(`(?i)\b(?:supports?|contains?|exports?|has|have|accepts?|includes?|consists?|requires?|following|documented|attributes|arguments|fields|properties)\b`)
)

// exporting is what a sentence says above what the provider gives.
var exporting = lazily(`(?i)\bexports?\b|attributes`)

// parseSentence understands a line of text right above a list.
func parseSentence(text string) titled {
	text = strings.TrimSpace(withoutTags(text))
	match := opening().FindStringSubmatch(text)
	if match == nil || !heads().MatchString(text) {
		return titled{}
	}
	t := titled{output: exporting().MatchString(text)}
	one, ok := asName(match[1])
	if !ok {
		return titled{}
	}
	t.names = []string{one}
	if names, parent := blocksNamed(text); parent != "" && len(names) > 0 && names[0] == one {
		t.parent = parent
	}
	return t
}
