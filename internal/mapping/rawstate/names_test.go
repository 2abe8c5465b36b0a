package rawstate

import "testing"

// FuzzSnake holds the two ways to tell an attribute from a property's name to
// each other.
func FuzzSnake(f *testing.F) {
	for _, name := range []string{"", "a", "A", "aB", "textSetting00", "text_setting_00", "ABC", "é", "aÉb", "_A", "a_B"} {
		f.Add(name, snake(name))
		f.Add(name, name)
	}
	f.Fuzz(func(t *testing.T, name, attribute string) {
		if !isSnake(snake(name), name) {
			t.Errorf("%q is not %q", snake(name), name)
		}
		if isSnake(attribute, name) != (attribute == snake(name)) {
			t.Errorf("%q of %q: %t", attribute, name, isSnake(attribute, name))
		}
	})
}
