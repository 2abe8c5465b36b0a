package pvalue_test

import (
	"reflect"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/formation-iac/formation/internal/pulumi/pvalue"
)

// TestEdit changes a map, and leaves the one that it was made of as it is.
func TestEdit(t *testing.T) {
	t.Parallel()
	one, two := property.New(1.0), property.New(2.0)
	from := property.NewMap(map[string]property.Value{"a": one, "b": one})
	e := pvalue.EditOf(from)
	if !reflect.DeepEqual(e.Map(), from) {
		t.Error("nothing was changed")
	}
	e.Set("a", two)
	e.Delete("b")
	first := e.Map()
	e.Set("c", two)
	for _, test := range []struct {
		got  property.Map
		want map[string]property.Value
	}{
		{from, map[string]property.Value{"a": one, "b": one}},
		{first, map[string]property.Value{"a": two}},
		{e.Map(), map[string]property.Value{"a": two, "c": two}},
	} {
		if !reflect.DeepEqual(test.got, property.NewMap(test.want)) {
			t.Errorf("got %v, want %v", test.got, test.want)
		}
	}
}

// TestAny looks for a secret at every depth.
func TestAny(t *testing.T) {
	t.Parallel()
	plain, secret := property.New("a"), property.New("a").WithSecret(true)
	for _, v := range []property.Value{
		secret, property.New([]property.Value{plain, secret}),
		property.New(map[string]property.Value{"a": plain, "b": property.New([]property.Value{secret})}),
	} {
		if !pvalue.Any(v, property.Value.Secret) {
			t.Errorf("%v has a secret", v)
		}
	}
	if v := property.New(map[string]property.Value{"a": property.New([]property.Value{plain})}); pvalue.Any(v, property.Value.Secret) {
		t.Errorf("%v has none", v)
	}
}
