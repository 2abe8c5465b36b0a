package jsonindent_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"testing"

	"github.com/formation-iac/formation/internal/base/jsonindent"
)

// FuzzIndent compares with the standard library.
func FuzzIndent(f *testing.F) {
	for _, text := range []string{
		`{}`, `[ ]`, `{"a": [1, {"b\\": "c\"d: {,"}, []], "e" : {} }`, ` "x" `, `[[[[[1e3,true,null]]]]]`, "[\n{ \r}\t]", `"\\\""`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		got := indented(t, src) // whatever it is
		var want bytes.Buffer
		if json.Indent(&want, bytes.Trim(src, " \t\r\n"), "", "  ") == nil && !bytes.Equal(want.Bytes(), got) {
			t.Errorf("%s\nis laid out as\n%s\nwant\n%s", src, got, want.Bytes())
		}
	})
}

// TestIndentDeeply has more levels than there are spaces at hand.
func TestIndentDeeply(t *testing.T) {
	t.Parallel()
	src := append(append(bytes.Repeat([]byte("["), 100), '1'), bytes.Repeat([]byte("]"), 100)...)
	var want bytes.Buffer
	if err := json.Indent(&want, src, "", "  "); err != nil {
		t.Fatal(err)
	}
	if got := indented(t, src); !bytes.Equal(want.Bytes(), got) {
		t.Errorf("%s", got)
	}
}

func indented(t *testing.T, src []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := bufio.NewWriter(&out)
	jsonindent.Write(w, string(src), 0)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
