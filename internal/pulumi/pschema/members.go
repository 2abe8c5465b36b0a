package pschema

import (
	"slices"
	"strings"
)

// Property is a property of an object, or an input or output of a resource.
type Property struct {
	Name        string
	Description string
	Use
	// Required inputs must be given; required outputs are always there.
	Required bool
	// Const is the one value it can have: a string, a float64 or a bool; nil
	// where it is free.
	Const              any
	Default            *Default
	DeprecationMessage string
	Language           Language
	Secret             bool
	// ReplaceOnChanges makes the engine replace the resource when the property
	// changes; WillReplaceOnChanges says that the provider does.
	ReplaceOnChanges, WillReplaceOnChanges bool
}

// Default is what an unset property gets.
type Default struct {
	// Value is a string, a float64 or a bool, or nil where only Environment
	// may give one.
	Value any
	// Environment names variables; the first that is set counts, before Value.
	Environment []string
	Language    Language
}

func findProperty(sorted []*Property, name string) (*Property, bool) {
	at, found := slices.BinarySearchFunc(sorted, name, func(p *Property, name string) int {
		return strings.Compare(p.Name, name)
	})
	if !found {
		return nil, false
	}
	return sorted[at], true
}

// Overlay says whether people write the code of a member by hand.
type Overlay struct {
	Is bool
	// Languages that have that code; none named means all.
	Languages []string
}

// In reports whether an SDK in language leaves the member to written code.
func (o Overlay) In(language string) bool {
	return o.Is && (len(o.Languages) == 0 || slices.Contains(o.Languages, language))
}

// Resource is a resource, a component, or a package's provider.
type Resource struct {
	Package     *Package
	Token       string
	Description string
	IsProvider  bool
	IsComponent bool
	// Inputs and Outputs are sorted by name. A provider's outputs are its
	// strings alone: others reach programs as JSON, which no type would show.
	Inputs, Outputs []*Property
	// StateInputs help to find an existing resource; nil where none do.
	StateInputs *Object
	// ListInputs are what listing existing resources takes; nil where they
	// cannot be listed.
	ListInputs *Object
	// Aliases are tokens that it had before.
	Aliases            []string
	DeprecationMessage string
	Language           Language
	Methods            []Method
	Overlay            Overlay
}

// Input finds an input by name.
func (r *Resource) Input(name string) (*Property, bool) { return findProperty(r.Inputs, name) }

// Output finds an output by name.
func (r *Resource) Output(name string) (*Property, bool) { return findProperty(r.Outputs, name) }

// Method is a function that is called on a resource.
type Method struct {
	Name     string
	Function *Function
}

// selfInput is the input of a method that holds the resource.
const selfInput = "__self__"

// Function is a function or a method.
type Function struct {
	Package     *Package
	Token       string
	Description string
	// Inputs is nil where there are none. A method's hold `__self__` too; see
	// [Function.Arguments].
	Inputs *Object
	// MultiArgument, where set, names all inputs in the order in which they
	// are passed one by one.
	MultiArgument []string
	// Returns is what comes back, nil where nothing does. Where it is an
	// *Object that is not Named, the function describes it itself. Plain means
	// that no Output is around it.
	Returns            *Use
	DeprecationMessage string
	Language           Language
	Overlay            Overlay
	// IsMethod functions are called on a resource, and are no functions of
	// their own.
	IsMethod bool
	// OutputFormOnly leaves out the form that takes and gives plain values.
	OutputFormOnly bool
}

// Arguments are the inputs but for `__self__`, in the order in which they are
// passed where there is one, else sorted by name.
func (f *Function) Arguments() []*Property {
	if f.Inputs == nil {
		return nil
	}
	properties := f.Inputs.Properties()
	if len(f.MultiArgument) > 0 {
		return inOrder(properties, f.MultiArgument)
	}
	return slices.DeleteFunc(slices.Clone(properties), func(p *Property) bool { return p.Name == selfInput })
}

func inOrder(sorted []*Property, names []string) []*Property {
	ordered := make([]*Property, 0, len(names))
	for _, name := range names {
		if property, ok := findProperty(sorted, name); ok {
			ordered = append(ordered, property)
		}
	}
	return ordered
}

// InlineResult is what the function returns where it describes that itself,
// else nil.
func (f *Function) InlineResult() *Object {
	if f.Returns == nil {
		return nil
	}
	if object, ok := f.Returns.Type.(*Object); ok && !object.Named {
		return object
	}
	return nil
}
