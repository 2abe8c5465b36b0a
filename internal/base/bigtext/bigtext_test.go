package bigtext_test

import (
	"bytes"
	"strings"
	"testing"

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
