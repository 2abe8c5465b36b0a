package broker

import (
	"bytes"
	"testing"
)

// FuzzAnswer reads files that may be broken: what comes out is what went in,
// or nothing.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte("x"), 0, byte(0))
	f.Add([]byte{}, 5, byte(1))
	f.Fuzz(func(t *testing.T, answer []byte, at int, flip byte) {
		file := encodeAnswer(answer)
		if got, ok := decodeAnswer(file); !ok || !bytes.Equal(got, answer) {
			t.Fatalf("%q became %q, %v", answer, got, ok)
		}
		if flip != 0 && at >= 0 && at < len(file) {
			file[at] ^= flip
			if got, ok := decodeAnswer(file); ok {
				t.Fatalf("a broken file is %q", got)
			}
		}
		if got, ok := decodeAnswer(answer); ok && !bytes.Equal(encodeAnswer(got), answer) {
			t.Fatalf("%q came from %q", got, answer)
		}
	})
}
