package bigtext_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/formation-iac/formation/internal/base/bigtext"
)

// TestBuilder puts texts together as strings.Builder does, small and large,
// with and without a guess of their size.
func TestBuilder(t *testing.T) {
	t.Parallel()
	for _, piece := range []int{0, 1, 4096, 1 << 20, 5 << 20} {
		for _, guess := range []int{0, 1, 3 << 20, 12<<20 + 7} {
			var got bigtext.Builder
			var want strings.Builder
			got.Grow(guess)
			for n := range 3 {
				text := bytes.Repeat([]byte{byte('a' + n)}, piece+n)
				if written, err := got.Write(text); written != len(text) || err != nil {
					t.Errorf("wrote %d bytes of %d, %v", written, len(text), err)
				}
				want.Write(text)
			}
			early := got.String()
			if _, err := got.Write([]byte("more")); err != nil {
				t.Error(err)
			}
			if early != want.String() || got.String() != want.String()+"more" {
				t.Errorf("pieces of %d, %d guessed: another text", piece, guess)
			}
		}
	}
}

// TestRead reads texts of the size that was said, and of others.
func TestRead(t *testing.T) {
	t.Parallel()
	want := strings.Repeat("text ", 1<<20)
	for _, size := range []int64{0, 1, int64(len(want)), 2 * int64(len(want))} {
		if got, err := bigtext.Read(strings.NewReader(want), size); got != want || err != nil {
			t.Errorf("%d bytes said: %d bytes read, %v", size, len(got), err)
		}
	}
	failure := errors.New("torn")
	if _, err := bigtext.Read(io.MultiReader(strings.NewReader(want), iotest.ErrReader(failure)), 1); !errors.Is(err, failure) {
		t.Errorf("got %v", err)
	}
}
