package sdkgen

import (
	"net/url"
	"regexp"
	"strings"
)

// Docs turns a description of the schema into what an SDK in one language
// shows: examples in other languages are left out, the shortcodes around
// examples go, and references become names. fence is what code blocks of the
// language are marked with, such as "typescript"; shell blocks stay too.
func Docs(text, fence string, name func(DocRef) string) string {
	if strings.Contains(text, "{{%") {
		text = resolveRefs(text, name)
	}
	if !strings.Contains(text, "```") && !strings.Contains(text, "{{%") && !strings.Contains(text, chooser) {
		return strings.TrimRight(text, "\n")
	}
	f := filter{fence: fence}
	for line := range strings.SplitSeq(text, "\n") {
		f.line(line)
	}
	f.endExample()
	return strings.TrimRight(strings.Join(f.kept, "\n"), "\n")
}

// chooser marks where documentation on the web offers a choice of languages.
const chooser = " PulumiCodeChooser -->"

// filter passes on the lines of a description that are for its language.
type filter struct {
	fence string
	kept  []string
	// block is the marker that ends the code block at hand, or "".
	block string
	// dropping is set inside a block of another language.
	dropping bool
	// example is where the example at hand begins in kept, from 1; hasCode
	// whether a block of it was kept.
	example int
	hasCode bool
}

func (f *filter) line(line string) {
	trimmed := strings.TrimSpace(line)
	switch {
	case f.block != "":
		f.inBlock(line, trimmed)
	case strings.HasPrefix(trimmed, "```"):
		f.openBlock(line, trimmed)
	case strings.HasPrefix(trimmed, "<!--") && strings.HasSuffix(trimmed, chooser):
	case strings.HasPrefix(trimmed, "{{%") && strings.HasSuffix(trimmed, "%}}"):
		f.shortcode(strings.TrimSpace(trimmed[3 : len(trimmed)-3]))
	default:
		f.keep(line)
	}
}

func (f *filter) openBlock(line, trimmed string) {
	language := strings.TrimLeft(trimmed, "`")
	f.block = trimmed[:len(trimmed)-len(language)]
	language, _, _ = strings.Cut(strings.TrimSpace(language), " ")
	f.dropping = language != f.fence && language != "sh"
	if !f.dropping {
		f.hasCode = true
		f.keep(line)
	}
}

func (f *filter) inBlock(line, trimmed string) {
	if !f.dropping {
		f.kept = append(f.kept, line)
	}
	if strings.HasPrefix(trimmed, f.block) && strings.Trim(trimmed, "`") == "" {
		f.block, f.dropping = "", false
	}
}

func (f *filter) shortcode(name string) {
	switch name {
	case "example":
		f.endExample()
		f.example, f.hasCode = len(f.kept)+1, false
	case "/example":
		f.endExample()
	}
}

// endExample takes back an example that has no code in the language.
func (f *filter) endExample() {
	if f.example > 0 && !f.hasCode {
		f.kept = f.kept[:f.example-1]
	}
	f.example = 0
}

// keep passes a line on. What was left out leaves one blank line, not many.
func (f *filter) keep(line string) {
	blank := strings.TrimSpace(line) == ""
	if blank && (len(f.kept) == 0 || strings.TrimSpace(f.kept[len(f.kept)-1]) == "") {
		return
	}
	f.kept = append(f.kept, line)
}

// DocRef is a reference inside a description, to a member of a schema or a
// property of one.
type DocRef struct {
	// Section is resources, functions or types.
	Section string
	Token   string
	// Property is "" for the member itself. Input tells an input property
	// from an output.
	Property string
	Input    bool
}

// In is what SDKs show of the reference: a member by its name, a property by
// its own behind the name of the type that has it.
func (r DocRef) In(name, property string) string {
	switch {
	case r.Property == "":
		return name
	case r.Section == "functions" && !r.Input:
		name += "Result"
	case r.Input:
		name += "Args"
	}
	return name + "." + property
}

// resolveRefs replaces `{{% ref #/resources/TOKEN %}}` by names.
func resolveRefs(text string, name func(DocRef) string) string {
	pattern := regexp.MustCompile(`\{\{%\s*ref\s+(\S+)\s*%\}\}`)
	return pattern.ReplaceAllStringFunc(text, func(found string) string {
		target := pattern.FindStringSubmatch(found)[1]
		ref, ok := parseDocRef(target)
		if !ok {
			return target
		}
		return name(ref)
	})
}

// parseDocRef reads `#/SECTION/TOKEN`, with a property behind it in one of
// the places where a schema has properties.
func parseDocRef(target string) (DocRef, bool) {
	_, fragment, _ := strings.Cut(target, "#/")
	parts := strings.Split(fragment, "/")
	if len(parts) < 2 {
		return DocRef{}, false
	}
	token, err := url.PathUnescape(parts[1])
	if err != nil {
		return DocRef{}, false
	}
	ref := DocRef{Section: parts[0], Token: token}
	if len(parts) > 2 {
		property, err := url.PathUnescape(parts[len(parts)-1])
		if err != nil {
			return DocRef{}, false
		}
		ref.Property = property
		ref.Input = parts[2] == "inputProperties" || parts[2] == "inputs"
	}
	return ref, ref.Section == "resources" || ref.Section == "functions" || ref.Section == "types"
}
