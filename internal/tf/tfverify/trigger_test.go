package tfverify

import (
	"strings"
	"testing"
)

// TestTriggers holds replace_triggered_by to what terraform and tofu make of
// it: mem_thing.a gets another name, mem_thing.t is as it was.
func TestTriggers(t *testing.T) {
	t.Parallel()
	const (
		a        = "resource \"mem_thing\" \"a\" {\n name = \"y\"\n}\n"
		n        = "resource \"mem_thing\" \"n\" {\n count = 1\n name = \"x\"\n}\n"
		others   = "update mem_thing.a; no-op mem_thing.n[0]; "
		nothing  = others + "no-op mem_thing.t"
		replaced = others + "replace mem_thing.t"
		failed   = others + "failed mem_thing.t TV0103"
	)
	by := func(entries string) string {
		return "resource \"mem_thing\" \"t\" {\n name = \"x\"\n lifecycle {\n replace_triggered_by = [" + entries + "]\n }\n}\n"
	}
	for name, c := range map[string]struct{ files, want string }{
		"resource":                  {by("mem_thing.a"), replaced},
		"attribute":                 {by("mem_thing.a.name"), replaced},
		"attribute that stays":      {by("mem_thing.a.secret"), nothing},
		"one that stays, one not":   {by("mem_thing.a.secret, mem_thing.a.name"), replaced},
		"instance that stays":       {by("mem_thing.n[0]"), nothing},
		"no such instance":          {by("mem_thing.n[1]"), failed},
		"key where there is none":   {by("mem_thing.a[0]"), failed},
		"none":                      {"resource \"mem_thing\" \"none\" {\n count = 0\n}\n" + by("mem_thing.none"), failed},
		"data":                      {"data \"mem_thing\" \"d\" {}\n" + by("data.mem_thing.d"), failed},
		"created":                   {"resource \"mem_thing\" \"new\" {}\n" + by("mem_thing.new.id"), "update mem_thing.a; no-op mem_thing.n[0]; create mem_thing.new; replace mem_thing.t"},
		"what a replacement gives":  {"resource \"mem_thing\" \"u\" {\n name = \"x\"\n lifecycle {\n replace_triggered_by = [mem_thing.t.id]\n }\n}\n" + by("mem_thing.a"), replaced + "; replace mem_thing.u"},
		"what a replacement leaves": {"resource \"mem_thing\" \"u\" {\n name = \"x\"\n lifecycle {\n replace_triggered_by = [mem_thing.t.name]\n }\n}\n" + by("mem_thing.a"), replaced + "; no-op mem_thing.u"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			objects := []string{"mem_thing.a x", "mem_thing.n[0] x", "mem_thing.t x"}
			if strings.HasSuffix(c.want, "mem_thing.u") {
				objects = append(objects, "mem_thing.u x")
			}
			if got := outcomeOf(t, a+n+c.files, objects...); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestTriggersByKey: entries may go by the key of the instance.
func TestTriggersByKey(t *testing.T) {
	t.Parallel()
	files := "resource \"mem_thing\" \"a\" {\n count = 2\n name = count.index == 1 ? \"y\" : \"x\"\n}\n" +
		"resource \"mem_thing\" \"t\" {\n count = 2\n name = \"x\"\n lifecycle {\n replace_triggered_by = [mem_thing.a[count.index]]\n }\n}\n"
	want := "no-op mem_thing.a[0]; update mem_thing.a[1]; no-op mem_thing.t[0]; replace mem_thing.t[1]"
	if got := outcomeOf(t, files, "mem_thing.a[0] x", "mem_thing.a[1] x", "mem_thing.t[0] x", "mem_thing.t[1] x"); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
