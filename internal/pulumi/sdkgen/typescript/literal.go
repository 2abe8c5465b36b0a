package sdkts

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// quote writes a string literal. JSON's are JavaScript's, since ES2019.
func quote(text string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	// A string is always JSON.
	_ = encoder.Encode(text)
	return strings.TrimSuffix(b.String(), "\n")
}

// literal writes a value of a schema: a string, a bool or a float64.
func literal(value any) string {
	switch value := value.(type) {
	case string:
		return quote(value)
	case bool:
		return strconv.FormatBool(value)
	case float64:
		return strconv.FormatFloat(value, 'f', -1, 64)
	}
	return "undefined"
}

// quoteAll writes the elements of an array of strings.
func quoteAll(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = quote(text)
	}
	return strings.Join(quoted, ", ")
}
