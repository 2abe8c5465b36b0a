package release

import "testing"

// TestVersion is not parallel: it sets what the linker would.
func TestVersion(t *testing.T) {
	if got := Version(); got == "" {
		t.Error("a build has no version")
	}
	for value, want := range map[string]string{"v1.2.3": "1.2.3", "1.2.3-rc.1": "1.2.3-rc.1", "dev": "0.0.0-dev"} {
		linked = value
		if got := Semantic(); Version() != value || got != want {
			t.Errorf("%s: got %s and %s", value, Version(), got)
		}
	}
	linked = ""
}
