package rawstate

import (
	"encoding/json"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// delta says how a property value becomes JSON state. It is a property value
// itself, an object with at most one of the tags below; null and {} stand for
// a value that is written as it is.
//
// Source: pulumi-terraform-bridge 59de6c6, pkg/tfbridge/rawstate.go.
type delta interface {
	form
	// encode gives the form in which the delta is stored.
	encode() property.Value
}

// form is a way to write a value as JSON.
type form interface {
	write(w *jsonWriter, v property.Value) error
}

const (
	tagPlural  = "plu"     // {i: delta}
	tagMap     = "map"     // {el?: {key: delta}}
	tagObject  = "obj"     // {ignored?: [name], renamed?: {name: attribute}, ps?: {name: delta}}
	tagArray   = "arr"     // {el?: {index: delta}}
	tagAsset   = "asset"   // {kind, archiveFormat?, hashField?}
	tagNumber  = "num"     // {}
	tagReplace = "replace" // {raw: JSON, text?: string}
)

// natural writes a value as it is. It cannot write an object, which may be a
// map or an object to Terraform.
type natural struct{}

// plural writes the only element of a list, or null for the empty list.
type plural struct{ inner delta }

// members writes a map, with deltas for those of its members that are not
// natural.
type members struct{ elements map[string]delta }

// object writes an object. Every property becomes an attribute, under the
// name that follows from it or the one in renamed, unless it is ignored. A
// property with a delta is written even where it is missing, as of null.
type object struct {
	ignored    []string
	renamed    property.Map // strings
	properties map[string]delta
}

// array writes a list, set or tuple, with deltas by index for elements that
// are not natural.
type array struct{ elements map[int]delta }

// asset writes the path or the text of an asset. We never make one.
type asset struct{ kind float64 }

// number writes a string of digits as a number.
type number struct{}

// replace writes text, whatever the value is.
type replace struct{ text json.RawMessage }
