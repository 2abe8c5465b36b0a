package pkgschema

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/mapping"
)

// scope is where a property is.
type scope struct {
	module string // of its nested types: "index" or "config"
	needs  needs
	speech *speech
	// secret says that every value is secret; what is nested in it need not
	// say so again.
	secret bool
	// path leads to the object that it is in, in Terraform's names, each with
	// a dot behind it.
	path string
}

// field is a property and its JSON.
type field struct {
	*mapping.Property
	json []byte
	// plain is the same without what pages say; nil where that is nothing.
	plain []byte
}

// fields encodes all properties of o, in the order of their Pulumi names.
func (g *generator) fields(o *mapping.Object, in scope) []field {
	fields := make([]field, len(o.ByName()))
	for i, p := range o.ByName() {
		fields[i] = g.field(p, in)
	}
	return fields
}

// usualType is about how many bytes a field has beside its texts.
const usualType = 72

func (g *generator) field(p *mapping.Property, in scope) field {
	d := &document{make([]byte, 0, usualType+len(p.Description)+len(p.Deprecated))}
	d.open("")
	own := in.speech.describe(p.Description)
	if len(in.speech.texts) == 0 {
		g.typ(d, p.Type, in)
		return field{p, finished(d, p, own, in), nil}
	}
	path := in.path + p.Terraform
	inside := in
	inside.path = path + "."
	g.typ(d, p.Type, inside)
	plain := &document{slices.Clone(d.json)}
	return field{p, finished(d, p, in.speech.told(path, p.Description, own), in), finished(plain, p, own, in)}
}

// finished is a field whose type is written.
func finished(d *document, p *mapping.Property, description string, in scope) []byte {
	if p.WriteOnly {
		description = join(description, "Write-only: it goes to the provider, is never read back, and no output has it.")
	}
	d.text("description", description)
	d.text("deprecationMessage", in.speech.describe(p.Deprecated))
	d.flag("secret", p.Secret || in.secret)
	d.close()
	return d.json
}

// typ writes the members that say a type.
func (g *generator) typ(d *document, t *mapping.Type, in scope) {
	switch t.Kind {
	case mapping.KindString:
		d.text("type", "string")
	case mapping.KindNumber:
		d.text("type", "number")
	case mapping.KindBool:
		d.text("type", "boolean")
	case mapping.KindArray:
		d.text("type", "array")
		g.elem(d, "items", t, in)
	case mapping.KindMap:
		d.text("type", "object")
		g.elem(d, "additionalProperties", t, in)
	case mapping.KindObject:
		d.text("$ref", "#/types/"+g.declare(t.Object, in))
	default:
		d.text("$ref", "pulumi.json#/Any")
	}
}

// elem writes the type of the elements. Pulumi has no tuples: elements that
// differ in type are of any.
func (g *generator) elem(d *document, member string, t *mapping.Type, in scope) {
	elem := t.Elem
	if elem == nil {
		elem = commonElem(t.Elems)
	}
	d.open(member)
	g.typ(d, elem, in)
	d.close()
}

func commonElem(elems []*mapping.Type) *mapping.Type {
	for i := range elems {
		if !elems[i].Terraform.Equals(elems[0].Terraform) {
			elems = nil
			break
		}
	}
	if len(elems) == 0 {
		return &mapping.Type{Kind: mapping.KindAny, Terraform: cty.DynamicPseudoType}
	}
	return elems[0]
}
