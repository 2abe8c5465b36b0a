package pvalue

import (
	"errors"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// Reasons that are found in both directions, wrapped in a [PathError].
var (
	errTooDeep     = errors.New("the value is nested too deep")
	errByteString  = errors.New("the string is not UTF-8, which the other side does not understand")
	errReservedKey = errors.New("the key is reserved for signatures")
)

// PathError is a value without a counterpart, and where it stands. It never
// holds the value.
type PathError struct {
	// Path leads from the properties that were read or written; a key beyond
	// what a path can hold is cut.
	Path property.Path
	Err  error
}

// Error gives the path in Pulumi's syntax and the reason.
func (e *PathError) Error() string {
	text := PathText(e.Path)
	if text == "" {
		return e.Err.Error()
	}
	return text + ": " + e.Err.Error()
}

// Unwrap returns the reason.
func (e *PathError) Unwrap() error { return e.Err }

// inKey prepends a key to the path of an error of the value under it. Paths
// are built on the way out, so that they cost nothing where all is well.
func inKey(key string, err error) error {
	return under(Key(key), err)
}

// inIndex prepends an index to the path of an error of the element at it.
func inIndex(i int, err error) error { return under(property.NewSegment(i), err) }

func under(segment property.PathSegment, err error) error {
	var inner *PathError
	if !errors.As(err, &inner) {
		inner = &PathError{Err: err}
	}
	segments := append([]property.PathSegment{segment}, slices.Collect(inner.Path.Segments)...)
	return &PathError{Path: property.PathFromSegments(segments...), Err: inner.Err}
}

// atRoot makes any error a [PathError].
func atRoot(err error) error {
	var inner *PathError
	if err == nil || errors.As(err, &inner) {
		return err
	}
	return &PathError{Err: err}
}
