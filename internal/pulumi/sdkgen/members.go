package sdkgen

import "github.com/formation-iac/formation/internal/pulumi/pschema"

// Members are what a module of an SDK has of a package.
type Members struct {
	Resources []*pschema.Resource
	Functions []*pschema.Function
	Objects   []*pschema.Object
	Enums     []*pschema.Enum
}

// Divide gives every member of a package to the module of its token, which
// module finds or makes, but for the resources and functions whose code people
// write by hand in language. The provider comes last, methods not at all.
func Divide(pkg *pschema.Package, language string, module func(token string) *Members) {
	var all Members
	for _, r := range pkg.Resources() {
		if !r.Overlay.In(language) {
			all.Resources = append(all.Resources, r)
		}
	}
	for _, f := range pkg.Functions() {
		if !f.IsMethod && !f.Overlay.In(language) {
			all.Functions = append(all.Functions, f)
		}
	}
	for _, t := range pkg.Types() {
		switch t := t.(type) {
		case *pschema.Object:
			all.Objects = append(all.Objects, t)
		case *pschema.Enum:
			all.Enums = append(all.Enums, t)
		}
	}
	if p := pkg.Provider(); p != nil {
		all.Resources = append(all.Resources, p)
	}
	all.Divide(module)
}

// Divide gives members to the modules of their tokens, in the order that they
// have.
func (m Members) Divide(module func(token string) *Members) {
	for _, r := range m.Resources {
		in := module(r.Token)
		in.Resources = append(in.Resources, r)
	}
	for _, f := range m.Functions {
		in := module(f.Token)
		in.Functions = append(in.Functions, f)
	}
	for _, t := range m.Objects {
		in := module(t.Token)
		in.Objects = append(in.Objects, t)
	}
	for _, t := range m.Enums {
		in := module(t.Token)
		in.Enums = append(in.Enums, t)
	}
}
