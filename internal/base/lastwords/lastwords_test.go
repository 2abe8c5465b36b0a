package lastwords

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTail(t *testing.T) {
	t.Parallel()
	flood := strings.Repeat(strings.Repeat("~", 99)+"\n", 3000)
	lines := strings.Repeat("goroutine line\n", 1000)
	for name, test := range map[string]struct{ written, begins, ends string }{
		"short":            {"a\nb\n", "a\nb", "a\nb"},
		"long":             {flood + "end\n", "~~~", "\nend"},
		"panic":            {flood + "panic: oh\n\n" + lines, "panic: oh\n\ngoroutine line", "goroutine line\n…"},
		"fatal":            {"fatal error: all asleep\nx\n", "fatal error: all asleep\nx", "x"},
		"panic mentioned":  {"no panic: here\n", "no panic: here", "here"},
		"control":          {"a\x1b[31mb\r\n", "a\ufffd[31mb", "b"},
		"no line end":      {strings.Repeat("x", 3*kept), "x", "x"},
		"nothing":          {"", "", ""},
		"older panic gone": {"panic: old\n" + strings.Repeat(flood, 1) + "end\n", "~~~", "end"},
	} {
		var tl Tail
		for chunk := range slices.Chunk([]byte(test.written), 1000) {
			if n, err := tl.Write(chunk); n != len(chunk) || err != nil {
				t.Fatal(n, err)
			}
		}
		got := tl.String()
		if !strings.HasPrefix(got, test.begins) || !strings.HasSuffix(got, test.ends) || len(got) > Shown+3 {
			t.Errorf("%s: %d bytes, %.30q … %q", name, len(got), got, got[max(0, len(got)-30):])
		}
		if len(tl.buf) > 2*kept {
			t.Errorf("%s: %d bytes are kept", name, len(tl.buf))
		}
	}
}

// TestTailQuotable leaves out what may not be quoted, but of a panic.
func TestTailQuotable(t *testing.T) {
	t.Parallel()
	shout := func(output []byte) []byte { return bytes.ToUpper(output) }
	for written, want := range map[string]string{
		"a\nb\n":                                "A\nB",
		"a\npanic: secret\n":                    "panic: secret",
		strings.Repeat("x", 3*kept) + "\nend\n": "END",
		"":                                      "",
	} {
		tl := Tail{Quotable: shout}
		_, _ = tl.Write([]byte(written))
		if got := tl.String(); got != want {
			t.Errorf("%.20q: got %.20q", written, got)
		}
	}
}

func TestTailPassesOn(t *testing.T) {
	t.Parallel()
	var also bytes.Buffer
	tl := Tail{Also: &also}
	_, _ = tl.Write([]byte("a"))
	if diff := cmp.Diff("a", also.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
