package tfprovider

import (
	"bytes"
	"testing"
)

func TestWithoutChatter(t *testing.T) {
	t.Parallel()
	for output, want := range map[string]string{
		"":                          "",
		"cannot read the licence\n": "cannot read the licence\n",
		"2026/01/02 03:04:05 [INFO] Creating new secret: password\n2026/01/02 03:04:05 no route to host\n":          "2026/01/02 03:04:05 no route to host\n",
		"2026/01/02 03:04:05.678901 client.go:7: [DEBUG] Request:\nPUT /\n\npassword\n[WARN] slow\nvery\n[TRACE] x": "[WARN] slow\nvery\n",
		`{"@level":"debug","@message":"plugin address"}` + "\nlast\n":                                               "last\n",
		`{"@caller":"x","@level":"trace"}` + "\n" + `{"@level":"error","@message":"lost"}` + "\n":                   `{"@level":"error","@message":"lost"}` + "\n",
		"[DEBUG] a\nb\n" + `{"@level":"warn"}` + "\nc\n":                                                            `{"@level":"warn"}` + "\nc\n",
		"it says [DEBUG] in between\n": "it says [DEBUG] in between\n",
	} {
		if got := string(withoutChatter([]byte(output))); got != want {
			t.Errorf("%q became %q, want %q", output, got, want)
		}
	}
}

// FuzzWithoutChatter leaves no chatter, and nothing that was not there.
func FuzzWithoutChatter(f *testing.F) {
	f.Add([]byte("[DEBUG] a\nb\n2026/01/02 03:04:05 c"))
	f.Fuzz(func(t *testing.T, output []byte) {
		left := withoutChatter(output)
		if again := withoutChatter(left); !bytes.Equal(left, again) {
			t.Errorf("%q became %q, then %q", output, left, again)
		}
		rest := output
		for line := range bytes.Lines(left) {
			_, after, found := bytes.Cut(rest, line)
			if !found || chatter.Match(line) {
				t.Fatalf("%q has %q in it", left, line)
			}
			rest = after
		}
	})
}
