package golang

import (
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// scalar is what a primitive is in Go, and what the runtime calls it.
type scalar struct{ plain, name string }

func scalarOf(p pschema.Primitive) scalar {
	switch p {
	case pschema.Boolean:
		return scalar{"bool", "Bool"}
	case pschema.Integer:
		return scalar{"int", "Int"}
	case pschema.Number:
		return scalar{"float64", "Float64"}
	case pschema.String, pschema.JSON:
		return scalar{"string", "String"}
	case pschema.Asset:
		return scalar{"pulumi.AssetOrArchive", "AssetOrArchive"}
	case pschema.Archive:
		return scalar{"pulumi.Archive", "Archive"}
	}
	return scalar{"interface{}", ""}
}

// simple reduces a type to one that Go has: a union of one underlying
// primitive is that primitive, other unions and what is not known are Any.
func simple(t pschema.Type) pschema.Type {
	switch t := t.(type) {
	case *pschema.Union:
		common := pschema.Any
		for i, member := range t.Members {
			p := underlying(member.Type)
			if i > 0 && p != common {
				return pschema.Any
			}
			common = p
		}
		return common
	case *pschema.Opaque:
		return t.Underlying
	}
	return t
}

func underlying(t pschema.Type) pschema.Primitive {
	switch t := t.(type) {
	case pschema.Primitive:
		return t
	case *pschema.Enum:
		return t.Elem
	case *pschema.Opaque:
		return t.Underlying
	}
	return pschema.Any
}

// plain is the Go type of a value. Optional ones of types without a nil are
// pointers.
func (f *file) plain(t pschema.Type, optional bool) string {
	star := ""
	if optional {
		star = "*"
	}
	switch t := simple(t).(type) {
	case pschema.Primitive:
		if t == pschema.Asset || t == pschema.Archive {
			f.pulumi()
			star = ""
		}
		if t == pschema.Any {
			star = ""
		}
		return star + scalarOf(t).plain
	case *pschema.Array:
		return "[]" + f.plain(t.Elem.Type, false)
	case *pschema.Map:
		return "map[string]" + f.plain(t.Elem.Type, false)
	case *pschema.ResourceType:
		return "*" + f.named(t)
	default:
		return star + f.named(t)
	}
}

// named is the Go name of a type that has one, with its package.
func (f *file) named(t pschema.Type) string {
	of, token := owner(t)
	s := f.sdk
	if of != nil && of != s.pkg {
		s = s.foreign(of)
	}
	name := s.typeName(token)
	if _, isResource := t.(*pschema.ResourceType); isResource {
		name = s.resourceName(token)
	}
	return f.useModule(s.moduleOf(token)) + name
}

func owner(t pschema.Type) (*pschema.Package, string) {
	switch t := t.(type) {
	case *pschema.Object:
		return t.Package, t.Token
	case *pschema.Enum:
		return t.Package, t.Token
	case *pschema.ResourceType:
		return t.Package, t.Token
	}
	return nil, ""
}

// foreign is the SDK of another package, which this one requires from then on.
func (s *sdk) foreign(pkg *pschema.Package) *sdk {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, ok := s.foreigns[pkg]; ok {
		return known
	}
	other, err := readInfo(pkg)
	if err != nil {
		other = info{ImportBasePath: pkg.Name(), RootPackageName: pkg.Name()}
	}
	found := newSDK(pkg, other)
	s.foreigns[pkg] = found
	s.requires[other.ModulePath] = pkg.Version()
	return found
}

// wrapper is the stem of the names of a type's input and output types: String
// for pulumi.StringInput, with what stands before it. Asking for one makes
// sure that it exists.
func (f *file) wrapper(t pschema.Type) (qualifier, name string) {
	switch t := simple(t).(type) {
	case pschema.Primitive:
		return f.pulumi(), scalarOf(t).name
	case *pschema.Array:
		return f.collection(t, t.Elem.Type, arrayFamily)
	case *pschema.Map:
		return f.collection(t, t.Elem.Type, mapFamily)
	default:
		full := f.named(t)
		at := strings.LastIndex(full, ".") + 1
		return full[:at], full[at:]
	}
}

// maxBuiltin is how deep the runtime's own collections of scalars go.
const maxBuiltin = 3

func (f *file) collection(t, elem pschema.Type, kind familyKind) (qualifier, name string) {
	qualifier, name = f.wrapper(elem)
	name += kind.suffix()
	if qualifier == "pulumi." && depth(t) <= maxBuiltin {
		return qualifier, name
	}
	home := f.homeOf(elem)
	if home == nil {
		home = f.common()
		qualifier = f.useModule(home)
		if strings.HasPrefix(name, "Array") || strings.HasPrefix(name, "Map") {
			name = "Any" + name
		}
	}
	home.want(family{kind: kind, name: name, of: t, elem: elem})
	return qualifier, name
}

// depth counts the collections around a type's innermost elements.
func depth(t pschema.Type) int {
	switch t := simple(t).(type) {
	case *pschema.Array:
		return 1 + depth(t.Elem.Type)
	case *pschema.Map:
		return 1 + depth(t.Elem.Type)
	}
	return 0
}

// homeOf is the module of this SDK whose type a collection is of; nil for
// scalars and for the types of other packages.
func (f *file) homeOf(t pschema.Type) *module {
	switch t := simple(t).(type) {
	case pschema.Primitive:
		return nil
	case *pschema.Array:
		return f.homeOf(t.Elem.Type)
	case *pschema.Map:
		return f.homeOf(t.Elem.Type)
	default:
		of, token := owner(t)
		if of != f.sdk.pkg {
			return nil
		}
		return f.sdk.moduleOf(token)
	}
}

// hasPtr reports whether an optional value of a type has wrappers of its own.
func hasPtr(t pschema.Type) bool {
	switch t := simple(t).(type) {
	case pschema.Primitive:
		return t != pschema.Any && t != pschema.Asset && t != pschema.Archive
	case *pschema.Object, *pschema.Enum:
		return true
	}
	return false
}

// lifted is the name of a type's input or output type; side is Input or
// Output.
func (f *file) lifted(t pschema.Type, optional bool, side string) string {
	if p, ok := simple(t).(pschema.Primitive); ok && p == pschema.Any {
		if side == "Input" {
			return f.pulumi() + "Input"
		}
		return f.pulumi() + "AnyOutput"
	}
	qualifier, name := f.wrapper(t)
	if optional && hasPtr(t) {
		if object, ok := simple(t).(*pschema.Object); ok {
			if home := f.homeOf(object); home != nil {
				home.want(family{kind: ptrFamily, name: name + "Ptr", of: object, elem: object})
			}
		}
		name += "Ptr"
	}
	return qualifier + name + side
}

// input is the Go type of an argument.
func (f *file) input(u pschema.Use, optional bool) string {
	if !u.Plain {
		return f.lifted(u.Type, optional, "Input")
	}
	if _, ok := simple(u.Type).(*pschema.Object); ok {
		return f.plain(u.Type, optional) + "Args"
	}
	return f.plain(u.Type, optional)
}

// output is the Go type of a property of a resource.
func (f *file) output(t pschema.Type, optional bool) string { return f.lifted(t, optional, "Output") }
