package lastwords

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLines writes in pieces of every size: the lines are the same.
func TestLines(t *testing.T) {
	t.Parallel()
	const text = "one\r\n\ntw\x1b[31mo\nlast"
	want := []string{"one", "", "tw\ufffd[31mo", "last"}
	for size := 1; size <= len(text); size++ {
		var got []string
		l := Lines{Take: func(line string) { got = append(got, line) }}
		for rest := text; rest != ""; rest = rest[min(size, len(rest)):] {
			if n, err := l.Write([]byte(rest[:min(size, len(rest))])); err != nil || n != min(size, len(rest)) {
				t.Fatal(n, err)
			}
		}
		l.Flush()
		l.Flush()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("by %d (-want +got):\n%s", size, diff)
		}
	}
}

func TestLongLines(t *testing.T) {
	t.Parallel()
	var lengths []int
	l := Lines{Take: func(line string) { lengths = append(lengths, len(line)) }}
	_, _ = l.Write([]byte(strings.Repeat("x", maxLine*2+5) + "\n" + strings.Repeat("x", maxLine-1) + "\n"))
	if diff := cmp.Diff([]int{maxLine, maxLine, 5, maxLine - 1}, lengths); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var deaf Lines
	if n, err := deaf.Write([]byte("a\nb")); n != 3 || err != nil || len(deaf.rest) > 0 {
		t.Error(n, err, deaf.rest)
	}
}
