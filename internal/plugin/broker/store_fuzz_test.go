package broker

import (
	"bytes"
	"io"
	"testing"
)

// FuzzAnswer reads files that may be broken: what comes out is what went in,
// or nothing.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte("x"), 0, byte(0))
	f.Add([]byte{}, 5, byte(1))
	f.Fuzz(func(t *testing.T, answer []byte, at int, flip byte) {
		file := fileOf(t, answer)
		if got, ok := answerOf(t, file); !ok || !bytes.Equal(got, answer) {
			t.Fatalf("%q became %q, %v", answer, got, ok)
		}
		if flip != 0 && at >= 0 && at < len(file) {
			file[at] ^= flip
			if got, ok := answerOf(t, file); ok {
				t.Fatalf("a broken file is %q", got)
			}
		}
		if got, ok := answerOf(t, answer); ok && !bytes.Equal(fileOf(t, got), answer) {
			t.Fatalf("%q came from %q", got, answer)
		}
	})
}

func fileOf(t *testing.T, answer []byte) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := encodeAnswer(&file, func(w io.Writer) error { _, err := w.Write(answer); return err }); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func answerOf(t *testing.T, file []byte) ([]byte, bool) {
	t.Helper()
	found, ok := decodeAnswer(bytes.NewReader(file), int64(len(file)))
	if !ok {
		return nil, false
	}
	answer, err := io.ReadAll(found)
	if err != nil {
		t.Fatal(err)
	}
	return answer, true
}
