package bridge

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// TestAnswerCache saves answers of all sizes and reads them again.
func TestAnswerCache(t *testing.T) {
	t.Parallel()
	c := answerCache{file: filepath.Join(t.TempDir(), "new", "a.schema"), build: "1.0.0"}
	for _, size := range []int{0, 1, piece, 3*piece + 1} {
		want := strings.Repeat("a", size)
		if err := c.save(inPieces(want)); err != nil {
			t.Fatal(err)
		}
		if got, ok := c.load(); !ok || got != want {
			t.Errorf("%d bytes became %d, %t", size, len(got), ok)
		}
	}
}

// TestKeeping ends while an answer is being saved.
func TestKeeping(t *testing.T) {
	t.Parallel()
	var k keeping
	begun, finish, saved := make(chan struct{}), make(chan struct{}), false
	k.begin(func() {
		close(begun)
		<-finish
		saved = true
	})
	<-begun
	hurried, cancel := context.WithCancel(t.Context())
	cancel()
	k.end(hurried) // does not wait, or nothing here would end
	close(finish)
	k.end(t.Context())
	if !saved {
		t.Error("it was not waited for")
	}
	k.begin(func() { t.Error("begun after the end") })
	k.end(t.Context())
}
