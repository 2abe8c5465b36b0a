package sealed_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/formation-iac/formation/internal/base/sealed"
)

func file(t testing.TB, head, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := sealed.Write(&out, head, func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// texts reads a file in each of the ways that there are.
func texts(t testing.TB, data []byte, size int64, head string) (found []string) {
	t.Helper()
	if text, ok := sealed.Read(bytes.NewReader(data), size, head); ok {
		found = append(found, text)
	}
	if section, ok := sealed.Open(bytes.NewReader(data), size, head); ok {
		text, err := io.ReadAll(section)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, string(text))
	}
	if size == int64(len(data)) {
		if text, ok := sealed.Text(data, head); ok {
			found = append(found, string(text))
		}
	}
	return found
}

// FuzzFile reads arbitrary files, and files that were written and then cut,
// lengthened or given another head. What is read was written.
func FuzzFile(f *testing.F) {
	f.Add("formation-note-1\n", "text", []byte("formation-note-1\n"))
	f.Add("", "", file(f, "", ""))
	f.Add("a", strings.Repeat("long ", 100_000), file(f, "a", "b"))
	f.Fuzz(func(t *testing.T, head, text string, other []byte) {
		data := file(t, head, text)
		for _, got := range texts(t, data, int64(len(data)), head) {
			if got != text {
				t.Errorf("%q became %q", text, got)
			}
		}
		if n := len(texts(t, data, int64(len(data)), head)); n != 3 {
			t.Errorf("%d of 3 ways find it", n)
		}
		for _, got := range texts(t, other, int64(len(other)), head) {
			if !bytes.Equal(file(t, head, got), other) {
				t.Errorf("%q is not what was written", other)
			}
		}
		for _, wrong := range []int64{-1, 1} {
			if got := texts(t, data, int64(len(data))+wrong, head); got != nil {
				t.Errorf("%d bytes taken for %d: %q", len(data), int64(len(data))+wrong, got)
			}
		}
		data[len(data)/2] ^= 1
		if got := texts(t, data, int64(len(data)), head); got != nil {
			t.Errorf("damaged, and read as %q", got)
		}
	})
}

// TestFailures cannot read or write.
func TestFailures(t *testing.T) {
	t.Parallel()
	failure := errors.New("torn")
	full := writer(func([]byte) (int, error) { return 0, failure })
	if err := sealed.Write(full, "head", func(io.Writer) error { return nil }); !errors.Is(err, failure) {
		t.Errorf("got %v", err)
	}
	if err := sealed.Write(io.Discard, "head", func(io.Writer) error { return failure }); !errors.Is(err, failure) {
		t.Errorf("got %v", err)
	}
	data := file(t, "head", "text")
	for n := range data {
		torn := io.MultiReader(bytes.NewReader(data[:n]), reader(func([]byte) (int, error) { return 0, failure }))
		if text, ok := sealed.Read(torn, int64(len(data)), "head"); ok {
			t.Errorf("read %q of %d bytes", text, n)
		}
		if _, ok := sealed.Open(readerAt(func(p []byte, at int64) (int, error) {
			if at+int64(len(p)) > int64(n) {
				return 0, failure
			}
			return copy(p, data[at:]), nil
		}), int64(len(data)), "head"); ok {
			t.Errorf("found in %d bytes", n)
		}
	}
}

type (
	writer   func([]byte) (int, error)
	reader   func([]byte) (int, error)
	readerAt func([]byte, int64) (int, error)
)

func (w writer) Write(p []byte) (int, error)              { return w(p) }
func (r reader) Read(p []byte) (int, error)               { return r(p) }
func (r readerAt) ReadAt(p []byte, at int64) (int, error) { return r(p, at) }
