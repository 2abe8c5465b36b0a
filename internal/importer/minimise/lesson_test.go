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
		"what the provider is":   {func(l *lessons) { l.legacy, l.generates = true, custom }, false},
		"a place":                {func(l *lessons) { l.learn("name", lesson{unknown: true}) }, true},
		"a value of the state":   {func(l *lessons) { l.settled["name"] = settlement{cty.True, 1} }, true},
		"a stand-in":             {func(l *lessons) { l.fillers["name"] = cty.True }, true},
		"a remedy":               {func(l *lessons) { l.remedies["name"] = remedy{} }, true},
		"a form that is taken":   {func(l *lessons) { l.taken["name"] = true }, true},
		"a form beside others":   {func(l *lessons) { l.beside["name"] = true }, true},
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
	for n, name := range []string{"a", "b", "a"} {
		taught := newLessons()
		taught.settled["flag"], taught.settled["label"] = settlement{cty.False, 1}, settlement{cty.StringVal(name), 1}
		known.merge(taught)
		customary := known.customary()
		if _, ok := customary["label"]; ok || len(customary) != min(n, 1) {
			t.Errorf("after %d objects all have %#v", n+1, customary)
		}
	}
	if flag := known.customary()["flag"]; flag != cty.False {
		t.Errorf("got %#v", flag)
	}
	if plain := known.withoutSettled(); len(plain.customary()) != 0 || len(known.settled) != 2 {
		t.Errorf("without them there are %v, and %v", plain.settled, known.settled)
	}
}
