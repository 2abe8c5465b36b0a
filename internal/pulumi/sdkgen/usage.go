package sdkgen

import "github.com/formation-iac/formation/internal/pulumi/pschema"

// Usage says in which roles the object types of a package are used, which
// decides the forms that an SDK needs of them. A type that an input reaches
// through others is used there too. Types of other packages are left out.
type Usage struct {
	// Input types may hold outputs of other resources.
	Input map[*pschema.Object]bool
	// Call types are those inputs that functions take in their output form.
	Call map[*pschema.Object]bool
	// Plain types are what functions take in their plain form.
	Plain map[*pschema.Object]bool
	// Output types are what resources, functions and configuration give.
	Output map[*pschema.Object]bool
}

// UsageOf walks through everything that an SDK of pkg offers.
func UsageOf(pkg *pschema.Package) Usage {
	u := Usage{
		Input: map[*pschema.Object]bool{}, Call: map[*pschema.Object]bool{},
		Plain: map[*pschema.Object]bool{}, Output: map[*pschema.Object]bool{},
	}
	walk := walker{pkg: pkg}
	walk.properties(pkg.Config(), u.Output)
	if provider := pkg.Provider(); provider != nil {
		u.resource(walk, provider)
	}
	for _, resource := range pkg.Resources() {
		u.resource(walk, resource)
	}
	for _, function := range pkg.Functions() {
		u.function(walk, function)
	}
	return u
}

func (u Usage) resource(walk walker, resource *pschema.Resource) {
	walk.properties(resource.Inputs, u.Input)
	walk.properties(resource.Outputs, u.Output)
	if resource.StateInputs != nil {
		walk.properties(resource.StateInputs.Properties(), u.Input)
	}
}

func (u Usage) function(walk walker, function *pschema.Function) {
	arguments := function.Arguments()
	switch {
	case function.IsMethod:
		walk.properties(arguments, u.Input)
	default:
		walk.properties(arguments, u.Plain)
		if HasOutputForm(function) {
			walk.properties(arguments, u.Input)
			walk.properties(arguments, u.Call)
		}
	}
	if inline := function.InlineResult(); inline != nil {
		walk.properties(inline.Properties(), u.Output)
	} else if function.Returns != nil {
		walk.use(*function.Returns, u.Output)
	}
}

// HasOutputForm reports whether a function has a form that takes and gives
// outputs: all have that give something back.
func HasOutputForm(function *pschema.Function) bool {
	return function.Returns != nil || function.OutputFormOnly
}

// walker marks the object types of one package.
type walker struct{ pkg *pschema.Package }

func (w walker) properties(properties []*pschema.Property, marks map[*pschema.Object]bool) {
	for _, property := range properties {
		w.use(property.Use, marks)
	}
}

func (w walker) use(use pschema.Use, marks map[*pschema.Object]bool) {
	switch of := use.Type.(type) {
	case *pschema.Array:
		w.use(of.Elem, marks)
	case *pschema.Map:
		w.use(of.Elem, marks)
	case *pschema.Union:
		for _, member := range of.Members {
			w.use(member, marks)
		}
	case *pschema.Object:
		if of.Package == w.pkg && !marks[of] {
			marks[of] = true
			w.properties(of.Properties(), marks)
		}
	}
}
