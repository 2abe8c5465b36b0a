package python

import (
	"fmt"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// role is where a type stands: that changes how it is written.
type role uint8

const (
	asArgs  role = iota // an argument, objects as classes
	asDict              // an argument, objects as typed dictionaries
	asBoth              // an argument of a resource: either
	asPlain             // an argument of a function's plain form: either, and no outputs
	asOutput
)

func scalar(p pschema.Primitive) string {
	switch p {
	case pschema.Boolean:
		return "_builtins.bool"
	case pschema.Integer:
		return "_builtins.int"
	case pschema.Number:
		return "_builtins.float"
	case pschema.String, pschema.JSON:
		return "_builtins.str"
	case pschema.Asset:
		return "Union[pulumi.Asset, pulumi.Archive]"
	case pschema.Archive:
		return "pulumi.Archive"
	}
	return "Any"
}

// typeOf writes a type. Elements of inputs may be outputs themselves.
func (f *file) typeOf(t pschema.Type, r role) string {
	switch t := t.(type) {
	case pschema.Primitive:
		return scalar(t)
	case *pschema.Opaque:
		return scalar(t.Underlying)
	case *pschema.Array:
		return "Sequence[" + f.element(t.Elem, r) + "]"
	case *pschema.Map:
		return "Mapping[_builtins.str, " + f.element(t.Elem, r) + "]"
	case *pschema.Union:
		return f.union(t, r)
	case *pschema.Object:
		return f.object(t, r)
	case *pschema.Enum:
		return "'" + f.reference(t.Package, t.Token, enumsModule) + "'"
	case *pschema.ResourceType:
		return "'" + f.resource(t) + "'"
	}
	return "Any"
}

func (f *file) element(u pschema.Use, r role) string {
	elem := f.typeOf(u.Type, r)
	if r == asOutput || r == asPlain || u.Plain {
		return elem
	}
	return "pulumi.Input[" + elem + "]"
}

// union writes a choice. What comes out of a provider is not told apart, but
// for an enum among its own scalar.
func (f *file) union(t *pschema.Union, r role) string {
	var members []string
	seen := map[string]bool{}
	for _, member := range t.Members {
		text := f.typeOf(member.Type, r)
		if enum, ok := member.Type.(*pschema.Enum); ok && r == asOutput {
			text = scalar(enum.Elem)
		}
		if !seen[text] {
			members = append(members, text)
		}
		seen[text] = true
	}
	if len(members) == 1 {
		return members[0]
	}
	if r == asOutput {
		return "Any"
	}
	return "Union[" + strings.Join(members, ", ") + "]"
}

func (f *file) object(t *pschema.Object, r role) string {
	if r == asOutput {
		return "'" + f.reference(t.Package, t.Token, outputsModule) + "'"
	}
	class := f.reference(t.Package, t.Token, inputsModule) + "Args"
	switch r {
	case asDict:
		return "'" + class + "Dict'"
	case asBoth, asPlain:
		return fmt.Sprintf("Union['%s', '%sDict']", class, class)
	}
	return "'" + class + "'"
}

// reference names a type's class, and imports the file that it is in. Files
// import each other, so that classes are named only inside of quotes.
func (f *file) reference(pkg *pschema.Package, token, in string) string {
	class := pascal(sdkgen.MemberName(token))
	if pkg != f.sdk.pkg {
		other, err := readInfo(pkg)
		if err != nil {
			other = info{PackageName: "pulumi_" + pkg.Name()}
		}
		full := strings.Join(append([]string{other.PackageName}, other.moduleNames(pkg.Module(token))...), ".")
		f.imports["import "+full] = true
		f.sdk.mu.Lock()
		f.sdk.requires[other.PackageName] = pkg.Version()
		f.sdk.mu.Unlock()
		if in == outputsModule {
			return full + ".outputs." + class
		}
		return full + "." + class
	}
	home := f.sdk.moduleOf(token)
	if home == f.module {
		if f.declares[in+" "+token] {
			return class
		}
		f.imports["from . import "+in] = true
		return in + "." + class
	}
	alias := "_" + strings.Join(append(append([]string{"root"}, home.names...), strings.Trim(in, "_")), "_")
	f.imports[fmt.Sprintf("from %s%s import %s as %s", f.up(), strings.Join(home.names, "."), in, alias)] = true
	return alias + "." + class
}

func (f *file) resource(t *pschema.ResourceType) string {
	if t.Package != f.sdk.pkg {
		return f.reference(t.Package, t.Token, "")
	}
	class := sdkgen.ClassName(t.Resource())
	file := fileOf(class)
	if home := f.sdk.moduleOf(t.Token); home == f.module && file+".py" == f.name {
		return class
	}
	home := f.sdk.moduleOf(t.Token)
	alias := "_" + strings.Join(append(append([]string{"root"}, home.names...), file), "_")
	f.imports[fmt.Sprintf("from %s%s import %s as %s", f.up(), strings.Join(home.names, "."), file, alias)] = true
	return alias + "." + class
}

// inputType is the type of an argument.
func (f *file) inputType(p *pschema.Property, r role, optional bool) string {
	t := f.typeOf(p.Type, r)
	if p.Const != nil {
		t = "Literal[" + literal(p.Const) + "]"
	}
	if !p.Plain && r != asPlain {
		t = "pulumi.Input[" + t + "]"
	}
	if optional {
		t = "Optional[" + t + "]"
	}
	return t
}

// outputType is the type of a property that a provider gives.
func (f *file) outputType(p *pschema.Property) string {
	t := f.typeOf(p.Type, asOutput)
	if !p.Required {
		return "Optional[" + t + "]"
	}
	return t
}
