package estate

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzAccept sends any JSON as any kind. What the store takes it must answer
// in canonical form: sending that again changes nothing.
func FuzzAccept(f *testing.F) {
	f.Add(0, `{"name": "n", "cidr": "10.0.0.0/8", "mtu": 1.50e3, "dns": {"servers": ["a"]}}`)
	f.Add(3, `{"name": "r", "assume_policy": "{\"b\": 1, \"a\": [1.0, null]}", "policies": {"p": {"document": "[]"}}}`)
	f.Add(4, `{"name": "b", "replication": {"role": "x", "rules": [{"id": "1", "destination": {"bucket": "y"}}]}}`)
	f.Add(7, `{"zone": "Z.", "name": "n", "type": "A", "values": ["b", "a", "b"], "ttl": -0}`)
	f.Add(8, `{"name": "u", "password": "p", "grants": [{"database": "d", "privileges": []}]}`)
	f.Add(6, `{"name": "i", "image": "x", "subnet_id": "s", "cpu_ratio": 1e-100, "metadata": {"n": [1e400, -0.0, null]}}`)
	f.Fuzz(func(t *testing.T, kindNumber int, text string) {
		kinds := Kinds()
		k := kinds[int(uint(kindNumber)%uint(len(kinds)))]
		in, err := decode(strings.NewReader(text))
		if err != nil {
			return
		}
		first, _, err := k.accept(in, nil)
		if err != nil {
			return
		}
		again, _, err := k.accept(settable(k.Fields, first), first)
		if err != nil {
			t.Fatalf("%s took %s and refuses its own answer %s: %v", k.Name, text, encode(first), err)
		}
		if diff := cmp.Diff(first, again); diff != "" {
			t.Errorf("%s is not canonical (-first +again):\n%s", k.Name, diff)
		}
	})
}

// settable is an answer without what the service sets, at every depth.
func settable(fields []Field, obj Object) Object {
	out := Object{}
	for _, f := range fields {
		value, ok := obj[f.Name]
		if !ok || f.Computed {
			continue
		}
		out[f.Name] = settableValue(f.Type, value)
	}
	return out
}

func settableValue(t Type, value any) any {
	switch t.Shape {
	case Nested:
		return settable(t.Fields, value.(Object))
	case List, Set:
		var out = []any{}
		for _, elem := range value.([]any) {
			out = append(out, settableValue(*t.Elem, elem))
		}
		return out
	case Map:
		out := Object{}
		for name, elem := range value.(Object) {
			out[name] = settableValue(*t.Elem, elem)
		}
		return out
	}
	return value
}
