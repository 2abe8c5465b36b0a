package sdkts

import (
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// form is a way in which a type is written.
type form uint8

const (
	// outputForm is what comes back: plain values all through.
	outputForm form = iota
	// inputForm may hold outputs of other resources at every level.
	inputForm
	// plainForm is what functions take in their plain form.
	plainForm
)

// typeText is a type as it is written; union means that it is a choice, which
// needs parentheses in front of brackets.
type typeText struct {
	text  string
	union bool
}

const anyText = "any"

func single(text string) typeText { return typeText{text: text} }

// use writes a type in a place: as an input the place takes an output too,
// unless it is plain.
func (f *file) use(use pschema.Use, form form) typeText {
	written := f.typeOf(use.Type, form)
	if form != inputForm || use.Plain {
		return written
	}
	return f.input(written)
}

func (f *file) input(of typeText) typeText {
	if of.text == anyText {
		return of
	}
	return single(f.pulumi() + ".Input<" + of.text + ">")
}

func (t typeText) orUndefined() typeText {
	if t.text == anyText {
		return t
	}
	return typeText{text: t.text + " | undefined", union: true}
}

// typeOf writes a type without what its place adds.
func (f *file) typeOf(of pschema.Type, form form) typeText {
	switch of := of.(type) {
	case pschema.Primitive:
		return f.primitive(of)
	case *pschema.Array:
		elem := f.use(of.Elem, form)
		if elem.union {
			return single("(" + elem.text + ")[]")
		}
		return single(elem.text + "[]")
	case *pschema.Map:
		return single("{[key: string]: " + f.use(of.Elem, form).text + "}")
	case *pschema.Union:
		return f.union(of, form)
	case *pschema.Object:
		return single(f.objectRef(of, form))
	case *pschema.Enum:
		return single(f.enumRef(of))
	case *pschema.ResourceType:
		return single(f.resourceRef(of))
	case *pschema.Opaque:
		return f.primitive(of.Underlying)
	}
	return single(anyText)
}

func (f *file) primitive(of pschema.Primitive) typeText {
	switch of {
	case pschema.Boolean:
		return single("boolean")
	case pschema.Integer, pschema.Number:
		return single("number")
	case pschema.String:
		return single("string")
	case pschema.Archive:
		return single(f.pulumi() + ".asset.Archive")
	case pschema.Asset:
		// Wherever an asset goes, a tree of them goes too.
		return typeText{text: f.pulumi() + ".asset.Asset | pulumi.asset.Archive", union: true}
	}
	return single(anyText)
}

func (f *file) union(of *pschema.Union, form form) typeText {
	if form == outputForm && f.sdk.info.DisableUnionOutputTypes {
		if of.Default != nil {
			return f.typeOf(of.Default, form)
		}
		return single(anyText)
	}
	var texts []string
	for _, member := range of.Members {
		// What may be an output is the choice, not each member of it.
		text := f.typeOf(member.Type, form).text
		if text == anyText {
			return single(anyText)
		}
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return typeText{text: strings.Join(texts, " | "), union: len(texts) > 1}
}

// objectRef names an interface: inputs.mod.NameArgs, outputs.mod.Name.
func (f *file) objectRef(of *pschema.Object, form form) string {
	if !of.Named || of.Overlay.In(language) {
		return anyText // an inline object has its name where it is inlined
	}
	info, root := f.sdk.info, ""
	switch {
	case of.Package != f.sdk.pkg:
		info = f.sdk.external(of.Package).info
		root = f.external(of.Package) + ".types.input"
		if form == outputForm {
			root = f.external(of.Package) + ".types.output"
		}
	case form == outputForm:
		root = f.outputs()
	default:
		root = f.inputs()
	}
	path := append([]string{root}, namespaces(info.module(of.Package, of.Token))...)
	return strings.Join(append(path, f.sdk.objectName(of, form)), ".")
}

func (f *file) enumRef(of *pschema.Enum) string {
	if of.Overlay.In(language) {
		return anyText
	}
	if of.Package != f.sdk.pkg {
		module := f.sdk.external(of.Package).info.module(of.Package, of.Token)
		path := append([]string{f.external(of.Package)}, segments(module)...)
		return strings.Join(append(path, typeName(of.Token)), ".")
	}
	path := append([]string{f.enums()}, segments(f.sdk.info.module(of.Package, of.Token))...)
	return strings.Join(append(path, typeName(of.Token)), ".")
}

func (f *file) resourceRef(of *pschema.ResourceType) string {
	if of.Package == f.sdk.pkg {
		return f.class(of.Token)
	}
	if of.Token == of.Package.ProviderToken() {
		return f.external(of.Package) + ".Provider"
	}
	module := f.sdk.external(of.Package).info.module(of.Package, of.Token)
	path := append([]string{f.external(of.Package)}, segments(module)...)
	return strings.Join(append(path, typeName(of.Token)), ".")
}

// property writes a property's type as a member of an interface. Without a
// question mark behind the name, absent outputs are undefined.
func (f *file) property(p *pschema.Property, form form) (mark, text string) {
	written := f.typeOf(p.Type, form)
	if text, ok := p.Const.(string); ok {
		written = single(quote(text))
	}
	if p.Required {
		if form == inputForm && !p.Plain {
			written = f.input(written)
		}
		return "", written.text
	}
	if form == inputForm && !p.Plain {
		written = f.input(written.orUndefined())
	}
	return "?", written.text
}

// interfaceOf writes an interface of properties.
func (f *file) interfaceOf(name, comment string, properties []*pschema.Property, form form, readonly string) {
	f.doc(comment, "")
	f.block("export interface "+name+" {", func() {
		for _, p := range properties {
			f.doc(p.Description, p.DeprecationMessage)
			mark, text := f.property(p, form)
			if mark != "" && form != outputForm && typedInEveryObject(p.Name) {
				text += " | {}[" + quote(p.Name) + "]"
			}
			f.line(readonly, key(p.Name), mark, ": ", text, ";")
		}
	}, "}")
}
