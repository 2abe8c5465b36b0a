package golang

import (
	"go/format"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzComment writes documentation of anything as gofmt does.
func FuzzComment(f *testing.F) {
	f.Add("Says so.", "Use another.")
	f.Add("Says so,\nin two lines.\n\nA Title\n\nAnd more.\n\n- one\n* two\n\n    code\n1. first", "")
	f.Add("``quoted'' and\r\n[a link]\n\n[a link]: http://b", "\ttab")
	f.Add("# Title", "\x00\ufeff")
	f.Fuzz(func(t *testing.T, text, deprecated string) {
		text = strings.ToValidUTF8(withDeprecation(text, strings.ToValidUTF8(deprecated, "?")), "?")
		if text == "" {
			return
		}
		got := "package p\n\n" + commented("", asDocumentation(text)) + "var X int\n\ntype T struct {\n" + commented("\t", text) + "\tX int\n}\n"
		plain := "package p\n\n" + commented(" ", text) + "var X int\n\ntype T struct {\n" + commented("\t", text) + "\tX int\n}\n"
		want, err := format.Source([]byte(strings.ReplaceAll(plain, "\n //", "\n//")))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	})
}
