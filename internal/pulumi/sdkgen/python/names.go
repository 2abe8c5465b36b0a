package python

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// snake makes a name of Python out of a camelCase one. Runs of capitals are
// one word. Keywords get an underscore behind them.
func snake(name string) string {
	runes := []rune(name)
	var b strings.Builder
	b.Grow(len(name) + len("_ip_v4_"))
	for i, r := range runes {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			b.WriteByte('_')
			continue
		}
		if unicode.IsUpper(r) && i > 0 && wordBegins(runes, i) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	out := b.String()
	if out == "" || unicode.IsDigit([]rune(out)[0]) {
		out = "_" + out
	}
	if isKeyword(out) {
		return out + "_"
	}
	return out
}

// wordBegins reports whether the capital at i begins a word: behind a small
// letter or digit, or before a small letter at the end of a run of capitals.
func wordBegins(runes []rune, i int) bool {
	before := runes[i-1]
	if unicode.IsLower(before) || unicode.IsDigit(before) {
		return true
	}
	return unicode.IsUpper(before) && i+1 < len(runes) && unicode.IsLower(runes[i+1])
}

// isKeyword reports whether Python keeps a word for itself. Those of its
// keywords that have capitals cannot come out of snake.
func isKeyword(word string) bool {
	switch word {
	case "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
		"finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass",
		"print", "raise", "return", "try", "while", "with", "yield":
		return true
	}
	return false
}

// pascal makes the name of a class.
func pascal(name string) string {
	out := sdkgen.Pascal(name)
	switch {
	case out == "" || unicode.IsDigit([]rune(out)[0]):
		return "_" + out
	case out == "None" || out == "True" || out == "False":
		return out + "_"
	}
	return out
}

// constant makes the name of an enum's value. One that begins with what no
// name does has that of the enum in front.
func constant(enum string, value pschema.EnumValue) string {
	name, _ := sdkgen.ValueName(value)
	out := strings.ToUpper(snake(strings.TrimSpace(name)))
	for strings.Contains(out, "__") {
		out = strings.ReplaceAll(out, "__", "_")
	}
	if out = strings.TrimSuffix(out, "_"); out == "" || out[0] == '_' {
		out = strings.ToUpper(snake(enum)) + out
	}
	return out
}

// literal writes a value of the schema as Python does.
func literal(v any) string {
	switch v := v.(type) {
	case string:
		return quote(v)
	case bool:
		if v {
			return "True"
		}
		return "False"
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return "None"
}

// quote writes a string as Python does, with escapes that it shares with JSON.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for _, r := range s {
		switch {
		case r == '\'' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r < ' ' || r == 0x7f:
			b.WriteString(`\x` + strconv.FormatInt(int64(r)+0x100, 16)[1:])
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('\'')
	return b.String()
}
