package shell_test

import (
	"testing"

	"github.com/formation-iac/formation/internal/base/shell"
)

func TestWord(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"imported":     "imported",
		"../a-b/c_1.x": "../a-b/c_1.x",
		"my dir/it's":  `'my dir/it'\''s'`,
		"a;b":          "'a;b'",
		"~":            "'~'",
		"":             "''",
		"größe":        "größe",
	} {
		if got := shell.Word(text); got != want {
			t.Errorf("%s is quoted as %s, want %s", text, got, want)
		}
	}
}
