package pkgschema

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/testkit/memschema"
	"github.com/formation-iac/formation/internal/tf/tfdocs/docpage"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// aSpeech is about an object with foo_bar and, nested, inner_name.
func aSpeech() *speech {
	inner := memschema.Block([]*tfschema.Attribute{memschema.Optional("inner_name", cty.String)})
	block := memschema.Block([]*tfschema.Attribute{memschema.Optional("foo_bar", cty.List(cty.String))},
		memschema.Nested("box", tfschema.NestingMap, inner))
	return &speech{root: mapping.NewObject(block, "X"), members: map[string]string{"x_thing": "Thing"}}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                 "",
		"  plain \n\n":                     "plain",
		"`foo_bar` is no foo_bar":          "`fooBars` is no foo_bar",
		"`inner_name` of `x_thing`":        "`innerName` of `Thing`",
		"`other_name`, `a b`, ``":          "`other_name`, `a b`, ``",
		"a lone ` and foo_bar":             "a lone ` and foo_bar",
		"-> Note this":                     "> Note this",
		"a\n\n  ~> Warn\n!> Stop":          "a\n\n  > Warn\n> Stop",
		"from a -> b":                      "from a -> b",
		"[a](https://x.y/z) [b](mailto:c)": "[a](https://x.y/z) [b](mailto:c)",
		"[a](/docs/x), [b](#c), [d](e.md)": "[a](https://www.terraform.io/docs/x), b, d",
		"[`foo_bar`](#foo_bar)":            "`fooBars`",
		"`[a](#b)` [a] [b](c":              "`[a](#b)` [a] [b](c",
		"[a](#b":                           "[a](#b",
		"]( [":                             "]( [",
		"x\n```hcl\nfoo = `foo_bar`\n-> y\n```\n`foo_bar`": "x\n```hcl\nfoo = `foo_bar`\n-> y\n```\n`fooBars`",
		"````\n```\n`foo_bar`\n````\n`foo_bar`":            "````\n```\n`foo_bar`\n````\n`fooBars`",
		"~~~\n`foo_bar`\n```\n`foo_bar`\n~~~~\n`foo_bar`":  "~~~\n`foo_bar`\n```\n`foo_bar`\n~~~~\n`fooBars`",
		"```\n`foo_bar` never closed":                      "```\n`foo_bar` never closed",
	} {
		if diff := cmp.Diff(want, aSpeech().describe(text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// FuzzDescribe holds that no text of a provider is too odd, that code blocks
// stay word for word, and that nothing is made up.
func FuzzDescribe(f *testing.F) {
	for _, seed := range []string{"`foo_bar` [a](#b) [`c`](/d)", "```\nx\n```", "~> [", "](`[](`"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := aSpeech().describe(text)
		if strings.Count(got, "`") > strings.Count(text, "`") || strings.Count(got, "\n") > strings.Count(text, "\n") {
			t.Errorf("%q became %q", text, got)
		}
		block := "```\n" + strings.ReplaceAll(text, "`", "'") + "\n```"
		if got := aSpeech().describe(block); got != block {
			t.Errorf("a code block became %q", got)
		}
	})
}

func TestPlainCode(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                     "",
		"no code":                              "no code",
		"a\n```hcl\nb\n\n  c\n```\nd":          "a\n\nNOTE\n\n    b\n\n      c\n\nd",
		"```json\n{}\n```\n\n~~~tf\nx\n~~~":    "    {}\n\nNOTE\n\n    x",
		"```terraform\na\n```\n```hcl\nb\n```": "NOTE\n\n    a\n\n    b",
		"a\n```console\n$ b\n```\nc":           "a\n```sh\n$ b\n```\nc",
		"````bash\n```\n````":                  "````sh\n```\n````",
		"* a\n  ```\n  b\n   c\n  ```\n* d":    "* a\n\n      b\n       c\n\n* d",
		"```\nnever closed":                    "    never closed",
	} {
		if diff := cmp.Diff(want, plainCode(text, "NOTE")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// FuzzPlainCode holds that every line of text and code is there, in order, and
// not much more.
func FuzzPlainCode(f *testing.F) {
	for _, seed := range []string{"a\n```hcl\nb\n```", "~~~~\n```\n~~~", "* a\n\t```sh\nb"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		plain := plainCode(text, "")
		if len(plain) > 8*len(text)+8 {
			t.Errorf("%d bytes became %d", len(text), len(plain))
		}
		rest := strings.Split(plain, "\n")
		var fence docpage.Fence
		for line := range strings.SplitSeq(text, "\n") {
			open := fence.Open()
			if fence.Code(line) && open != fence.Open() {
				continue // a fence
			}
			for len(rest) > 0 && strings.TrimSpace(rest[0]) != strings.TrimSpace(line) {
				rest = rest[1:]
			}
			if len(rest) == 0 {
				t.Fatalf("%q lacks %q", plain, line)
			}
			rest = rest[1:]
		}
	})
}

// FuzzString holds that what is written as a JSON string is one.
func FuzzString(f *testing.F) {
	for _, seed := range []string{"plain", "\"\\\n", "é\x00\xff", "<&>"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got, want := string(appendString(nil, text)), string(encode(text)); got != want {
			t.Errorf("%q is written as %s and not %s", text, got, want)
		}
	})
}
