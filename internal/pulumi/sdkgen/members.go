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
	for _, r := range pkg.Resources() {
		if !r.Overlay.In(language) {
			m := module(r.Token)
			m.Resources = append(m.Resources, r)
		}
	}
	for _, f := range pkg.Functions() {
		if !f.IsMethod && !f.Overlay.In(language) {
			m := module(f.Token)
			m.Functions = append(m.Functions, f)
		}
	}
	for _, t := range pkg.Types() {
		m := module(t.String())
		switch t := t.(type) {
		case *pschema.Object:
			m.Objects = append(m.Objects, t)
		case *pschema.Enum:
			m.Enums = append(m.Enums, t)
		}
	}
	if p := pkg.Provider(); p != nil {
		m := module(p.Token)
		m.Resources = append(m.Resources, p)
	}
}
