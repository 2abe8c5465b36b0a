package translate_test

import (
	"reflect"

	"github.com/google/go-cmp/cmp"
)

// inside sees into property values, whose own comparison reads assets.
func inside() cmp.Option { return cmp.Exporter(func(reflect.Type) bool { return true }) }
