package tfverify

import (
	"strings"
	"testing"
)

// TestLeftovers: what nothing configures is deleted, unless it is gone.
func TestLeftovers(t *testing.T) {
	t.Parallel()
	removed := "removed {\n from = mem_thing.o\n lifecycle {\n destroy = false\n }\n}\n"
	for name, c := range map[string]struct{ files, object, want string }{
		"there":                 {"", "mem_thing.o x", "no-op mem_thing.a; delete mem_thing.o"},
		"gone":                  {"", "mem_thing.o gone", "no-op mem_thing.a; proven"},
		"gone, of no module":    {"", "module.m.mem_thing.o gone", "no-op mem_thing.a; proven"},
		"gone, of a type gone":  {"", "mem_other.o gone", "delete mem_other.o; no-op mem_thing.a"},
		"forgotten":             {removed, "mem_thing.o x", "no-op mem_thing.a; forget mem_thing.o"},
		"configured and gone":   {"resource \"mem_thing\" \"o\" {}\n", "mem_thing.o gone", "no-op mem_thing.a; create mem_thing.o"},
		"data in removed":       {strings.ReplaceAll(removed, "mem_thing.o", "data.mem_thing.o"), "mem_thing.o gone", "error TC0135"},
		"no address in removed": {strings.ReplaceAll(removed, "mem_thing.o", "mem_thing"), "mem_thing.o gone", "no-op mem_thing.a; error TV0107"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := outcomeOf(t, thingA+c.files, "mem_thing.a x", c.object); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestDeposed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ files, object, want string }{
		"there":     {thingA, "x", "no-op mem_thing.a; delete mem_thing.a"},
		"gone":      {thingA, "gone", "no-op mem_thing.a; proven"},
		"forgotten": {"removed {\n from = mem_thing.a\n lifecycle {\n destroy = false\n }\n}\n", "x", "forget mem_thing.a; forget mem_thing.a"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSetting(t, header+"-- main.tf --\n"+c.files).object(t, "mem_thing.a", "x").object(t, "mem_thing.a", c.object)
			deposed := s.objects[1]["instances"].([]any)[0].(map[string]any)
			deposed["deposed"] = "12345678"
			if got := outcome(s.verify(t, nil)); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestForgottenGone: OpenTofu looks whether there is something to forget, and
// Terraform does not.
func TestForgottenGone(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"registry.opentofu.org": "no-op mem_thing.b; proven", "registry.terraform.io": "forget mem_thing.a; no-op mem_thing.b",
	} {
		files := thingB + "removed {\n from = mem_thing.a\n lifecycle {\n destroy = false\n }\n}\n"
		s := newSetting(t, header+"-- main.tf --\n"+files).object(t, "mem_thing.a", "gone").object(t, "mem_thing.b", "x")
		for _, o := range s.objects {
			o["provider"] = `provider["` + host + `/test/mem"]`
		}
		if got := outcome(s.verify(t, nil)); got != want {
			t.Errorf("%s: got %s, want %s", host, got, want)
		}
	}
}

// TestProvidersOfTheState: clients start all that a state names, also those of
// data sources and of resources without objects.
func TestProvidersOfTheState(t *testing.T) {
	t.Parallel()
	for name, mode := range map[string]string{"data": "data", "managed": "managed"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSetting(t, header+"-- main.tf --\n"+thingA).object(t, "mem_thing.a", "x")
			s.objects = append(s.objects, map[string]any{
				"mode": mode, "type": "other_thing", "name": "o", "provider": `provider["registry.opentofu.org/test/other"]`, "instances": []any{},
			})
			if got, want := outcome(s.verify(t, nil)), "no-op mem_thing.a; error TV0106"; got != want {
				t.Errorf("got %s\nwant %s", got, want)
			}
		})
	}
}

func TestProvisionersOfRemoved(t *testing.T) {
	t.Parallel()
	provisioner := func(from, body string) string {
		return thingA + "removed {\n from = " + from + "\n lifecycle {\n destroy = true\n }\n provisioner \"local-exec\" {\n" + body + "\n }\n}\n"
	}
	for name, c := range map[string]struct{ files, want string }{
		"on destroy":        {provisioner("mem_thing.b", "when = destroy\ncommand = self.id"), "no-op mem_thing.a; proven"},
		"on create":         {provisioner("mem_thing.b", "command = self.id"), "no-op mem_thing.a; error TV0105"},
		"of a module":       {provisioner("module.b", "when = destroy\ncommand = \"x\""), "no-op mem_thing.a; error TV0105"},
		"refers to another": {provisioner("mem_thing.b", "when = destroy\ncommand = mem_thing.a.id"), "no-op mem_thing.a; error TV0080"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := outcomeOf(t, c.files, "mem_thing.a x"); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}
