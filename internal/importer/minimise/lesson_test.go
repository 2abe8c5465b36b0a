package minimise

import (
	"testing"

	"github.com/zclconf/go-cty/cty"
)

// TestAnything teaches one thing of each kind.
func TestAnything(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		teach func(*lessons)
		want  bool
	}{
		"nothing":                {func(*lessons) {}, false},
		"what the provider is":   {func(l *lessons) { l.legacy, l.generates = true, true }, false},
		"a place":                {func(l *lessons) { l.learn("name", lesson{unknown: true}) }, true},
		"a value of the state":   {func(l *lessons) { l.settled["name"] = cty.True }, true},
		"a stand-in":             {func(l *lessons) { l.fillers["name"] = cty.True }, true},
		"a place to stand in":    {func(l *lessons) { l.asked["name"] = true }, true},
		"a form":                 {func(l *lessons) { l.creatable["name"] = true }, true},
		"a document to be alone": {func(l *lessons) { l.verbatim["name"] = true }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			taught := newLessons()
			tt.teach(taught)
			if got := taught.anything(); got != tt.want {
				t.Errorf("got %t", got)
			}
		})
	}
}

// TestSettledOfEach keeps what every object was settled with, and forgets what
// was not the same for all.
func TestSettledOfEach(t *testing.T) {
	t.Parallel()
	known := newLessons()
	for _, name := range []string{"a", "b", "a"} {
		taught := newLessons()
		taught.settled["flag"], taught.settled["label"] = cty.False, cty.StringVal(name)
		known.merge(taught)
	}
	if flag, label := known.settled["flag"], known.settled["label"]; flag != cty.False || label != cty.NilVal {
		t.Errorf("got %#v and %#v", flag, label)
	}
	if plain := known.withoutSettled(); len(plain.settled) != 0 || len(known.settled) != 2 {
		t.Errorf("without them there are %v, and %v", plain.settled, known.settled)
	}
}
