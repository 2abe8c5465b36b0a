package tfverify

import "testing"

// TestNullObjects: clients take a null in the state for no object.
func TestNullObjects(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ files, want string }{
		"configured":     {thingA + "resource \"terraform_data\" \"o\" {}", "no-op mem_thing.a; create terraform_data.o"},
		"not configured": {thingA, "no-op mem_thing.a; proven"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSetting(t, header+"-- main.tf --\n"+c.files+"\n").object(t, "mem_thing.a", "x")
			s.objects = append(s.objects, map[string]any{
				"mode": "managed", "type": "terraform_data", "name": "o", "provider": `provider["terraform.io/builtin/terraform"]`,
				"instances": []any{map[string]any{"attributes": nil}},
			})
			if got := outcome(s.verify(t, nil)); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}
