package hcltext_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/formation-iac/formation/internal/base/hcltext"
)

func TestParse(t *testing.T) {
	t.Parallel()
	const far = 20_000
	around := func(open, inner, closing string, n int) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(closing, n)
	}
	for name, c := range map[string]struct {
		file, text string
		deep       bool
	}{
		"parentheses":          {"a.tf", "a = " + around("(", "1", ")", far) + "\n", true},
		"never closed":         {"a.tf", "a = " + strings.Repeat("[", far), true},
		"hidden by quotes":     {"a.tf", "a = " + around(`["}",`, "1", "]", far) + "\n", true},
		"templates":            {"a.tf", "a = " + around(`"${`, "1", `}"`, far) + "\n", true},
		"conditionals":         {"a.tf", "a = " + strings.Repeat("true ? 1 : ", far) + "1\n", true},
		"unary operators":      {"a.tf", "a = " + strings.Repeat("! ", far) + "true\n", true},
		"blocks":               {"a.tf", around("b {\n", "", "}\n", far), true},
		"JSON":                 {"a.tf.json", `{"a":` + around("[", "1", "]", far) + "}", true},
		"JSON that hides":      {"a.tf.json", `{"a":` + around(`["]",`, "1", "]", far) + "}", true},
		"a long list":          {"a.tf", "a = [" + strings.Repeat("[{ b = -1 }],\n", 5000) + "]\n", false},
		"conditionals by line": {"a.tf", strings.Repeat("b {\na = true ? 1 : 2\n}\n", 5000), false},
		"brackets in a text":   {"a.tf", `a = "` + strings.Repeat("([{!-?", 5000) + "\"\n", false},
		"a rule of dashes":     {"a.tf", "# " + strings.Repeat("-", 5000) + "\n", false},
		"brackets in JSON":     {"a.tf.json", `{"a": "` + strings.Repeat(`([{\"`, 5000) + `"}`, false},
		"deep, and no more":    {"a.tf", "a = " + around("(", "1", ")", 900) + "\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, diags := hcltext.Parse([]byte(c.text), c.file)
			if deep := diags.HasErrors() && diags[0].Summary == "Nested too deep"; deep != c.deep {
				t.Errorf("deep: %v", deep)
			}
			if !c.deep && c.file == "a.tf" && c.text[0] == 'a' {
				_, expression, _ := strings.Cut(strings.TrimSpace(c.text), " = ")
				if _, diags := hcltext.ParseExpression([]byte(expression), "", hcl.InitialPos); diags.HasErrors() {
					t.Error(diags)
				}
			}
		})
	}
	if _, diags := hcltext.ParseTemplate([]byte(around("${[", "1", "]}", far)), ""); !diags.HasErrors() {
		t.Error("a deep template passes")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("a = [1, \"${b}\"]\n"), true)
	f.Fuzz(func(t *testing.T, src []byte, native bool) {
		name := "a.json"
		if native {
			name = "a"
		}
		file, diags := hcltext.Parse(src, name)
		if file == nil && !diags.HasErrors() {
			t.Error("neither a file nor an error")
		}
	})
}
