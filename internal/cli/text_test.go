package cli

import "testing"

func TestShellWord(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"imported":     "imported",
		"../a-b/c_1.x": "../a-b/c_1.x",
		"my dir/it's":  `'my dir/it'\''s'`,
		"a;b":          "'a;b'",
		"~":            "'~'",
		"größe":        "größe",
	} {
		if got := shellWord(text); got != want {
			t.Errorf("%s is quoted as %s, want %s", text, got, want)
		}
	}
}
