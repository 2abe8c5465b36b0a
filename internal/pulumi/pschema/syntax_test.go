package pschema

import (
	"encoding/json"
	"strings"
	"testing"
)

// FuzzIsJSON compares with the standard library.
func FuzzIsJSON(f *testing.F) {
	for _, text := range []string{
		"", " ", "{}", "[ ]", `{"a": [1, -0.5e+3, {"b\\": "c\"d\u00eF"}, []], "e" : {}, "f":true,"g":null} `, "01", "-", "1.", "1e", "0e0",
		`"\x"`, "\"\n\"", `"\u12g4"`, "[1,]", `{"a"}`, `{"a":1,}`, "tru", "truex", `"a`, `"\`, "\x00", "[}", "nul\x00",
		strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000), strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001),
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if got, want := isJSON(string(text)), json.Valid(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	})
}
