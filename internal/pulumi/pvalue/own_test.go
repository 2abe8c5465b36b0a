package pvalue_test

import (
	"reflect"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/formation-iac/formation/internal/pulumi/pvalue"
)

// TestOwn makes the maps and arrays that the model would make.
func TestOwn(t *testing.T) {
	t.Parallel()
	for _, members := range []map[string]property.Value{nil, {}, {"a": property.New(1.0)}, {"a": property.New("x"), "b": {}}} {
		if got, want := pvalue.MapOf(members), property.NewMap(members); !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	for _, elements := range [][]property.Value{nil, {}, {property.New(1.0)}, {property.New("x"), {}}} {
		if got, want := pvalue.ArrayOf(elements), property.NewArray(elements); !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

// TestModel holds the model to what MapOf and ArrayOf rely on.
func TestModel(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ model, holds any }{
		{property.Map{}, map[string]property.Value{}},
		{property.Array{}, []property.Value{}},
	} {
		model := reflect.TypeOf(test.model)
		if model.NumField() != 1 || model.Field(0).Type != reflect.TypeOf(test.holds) {
			t.Errorf("%v is no longer a %T alone", model, test.holds)
		}
	}
}

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
