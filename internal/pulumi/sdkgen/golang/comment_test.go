package golang

import (
	"go/format"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/pschema/schematest"
)

func newFile(t *testing.T) *file {
	t.Helper()
	pkg, diags := schematest.Bind(t.Context(), []byte(`{"name": "p"}`), pschema.Options{})
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	s := newSDK(pkg, info{})
	s.properties = map[string]bool{"minSize": true, "x": true}
	return s.module("").file()
}

// TestText shows descriptions as Go does.
func TestText(t *testing.T) {
	t.Parallel()
	for description, want := range map[string]string{
		"":                               "",
		" Plain. \n":                     "Plain.",
		"Needs `minSize` or `maxSize`.":  "Needs `MinSize` or `maxSize`.",
		"See [the page](https://a.b/c).": "See the page (https://a.b/c).",
		"See [x] and [y](z).":            "See [x] and [y](z).",
		"One.\n## Two ##\nThree. #4":     "One.\n\n# Two\n\nThree. #4",
		"A:\n```go\nf(`x`)\n\n  g()\n```\nB\n\n```python\nh\n```": "A:\n\n\tf(`x`)\n\t\n\t  g()\n\nB",
		"- a\n  ```sh\n  run\n  ```":                              "- a\n\n\trun",
		"{{% ref #/resources/p:m:R/inputProperties/minSize %}} of {{% ref #/functions/p:m:getR %}}, {{% ref #/functions/p:m:getR/outputs/properties/x %}}, {{% ref #/types/p:m:T %}}": "RArgs.MinSize of GetR, GetRResult.X, T",
	} {
		if diff := cmp.Diff(want, newFile(t).text(description, "")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", description, diff)
		}
	}
	if got := newFile(t).text("Old.", "Use `x`."); got != "Old.\n\nDeprecated: Use `X`." {
		t.Errorf("deprecated: %q", got)
	}
}

// FuzzComment writes documentation of anything as gofmt does.
func FuzzComment(f *testing.F) {
	f.Add("Says so.", "Use another.")
	f.Add("Says so,\nin two lines.\n\nA Title\n\nAnd more.\n\n- one\n* two\n\n    code\n1. first", "")
	f.Add("``quoted'' and\r\n[a link]\n\n[a link]: http://b", "\ttab")
	f.Add("# Title", "\x00\ufeff")
	f.Add("{{% ref #/resources/p:m:R/inputProperties/x %}} `x`\n## Title\n```go\na\n\n\tb\n```\n[x](https://y)", "")
	f.Fuzz(func(t *testing.T, text, deprecated string) {
		text = newFile(t).text(strings.ToValidUTF8(text, "?"), strings.ToValidUTF8(deprecated, "?"))
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
