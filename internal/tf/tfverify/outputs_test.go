package tfverify

import "testing"

// TestDeprecatedOutputs: OpenTofu keeps what is said of them in the state.
func TestDeprecatedOutputs(t *testing.T) {
	t.Parallel()
	const deprecated = "\n deprecated = \"gone soon\""
	for name, c := range map[string]struct{ file, state, want string }{
		"deprecated now":    {deprecated, "", "update output.o"},
		"no more":           {"", "gone soon", "update output.o"},
		"said otherwise":    {deprecated, "gone", "update output.o"},
		"said by the state": {deprecated, "gone soon", "no-op output.o; proven"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSetting(t, "-- main.tf --\noutput \"o\" {\n value = \"x\""+c.file+"\n}\n")
			s.outputs["o"] = map[string]any{"value": "x", "type": "string", "deprecated": c.state}
			if got := outcome(s.verify(t, nil)); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}
