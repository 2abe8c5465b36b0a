package pvalue

import (
	"unsafe"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// MapOf is [property.NewMap] of a map that its maker gives away, and never
// touches again. The model copies every map that it is given; on the way of a
// resource from one bank to the other those copies are half of all memory.
func MapOf(own map[string]property.Value) property.Map {
	if len(own) == 0 {
		return property.Map{}
	}
	return *(*property.Map)(unsafe.Pointer(&own))
}

// ArrayOf is [property.NewArray] of a slice that its maker gives away.
func ArrayOf(own []property.Value) property.Array {
	if len(own) == 0 {
		return property.Array{}
	}
	return *(*property.Array)(unsafe.Pointer(&own))
}

// A model of another size is no longer a map or a slice alone. These do not
// compile then; a test looks at what is inside.
const (
	_ = -(unsafe.Sizeof(property.Map{}) ^ unsafe.Sizeof(map[string]property.Value{}))
	_ = -(unsafe.Sizeof(property.Array{}) ^ unsafe.Sizeof([]property.Value{}))
)
