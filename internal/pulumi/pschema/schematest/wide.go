// Package schematest makes package schemas for tests: large ones, of a size
// and depth that can be chosen.
package schematest

import (
	"fmt"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// Shape says how large a schema is.
type Shape struct {
	// Resources, with as many functions; Modules to spread them over.
	Resources, Modules int
	// Properties of each resource, function and type.
	Properties int
	// Depth is how many named types stand one within the other below each
	// resource.
	Depth int
}

// Large has the size of a large cloud's package.
func Large() Shape { return Shape{Resources: 1000, Modules: 40, Properties: 12, Depth: 6} }

// Wide makes a schema of a shape; the same shape gives the same schema.
func Wide(shape Shape) pschema.PackageSpec {
	spec := pschema.PackageSpec{
		Name: "wide", Version: "1.2.3", DisplayName: "Wide", Description: "A package of many resources.",
		Meta:      &pschema.MetaSpec{ModuleFormat: "(.*)(?:/[^/]*)"},
		Resources: map[string]pschema.ResourceSpec{}, Functions: map[string]pschema.FunctionSpec{},
		Types: map[string]pschema.ComplexTypeSpec{},
		Provider: &pschema.ResourceSpec{
			InputProperties: map[string]pschema.PropertySpec{"region": property("string", "Where things are.")},
		},
	}
	for i := range shape.Resources {
		w := writer{shape: shape, spec: &spec, module: fmt.Sprintf("mod%d", i%max(shape.Modules, 1)), name: fmt.Sprintf("Thing%d", i)}
		w.write()
	}
	return spec
}

// writer adds one resource, one function and the types of both to a schema.
type writer struct {
	shape        Shape
	spec         *pschema.PackageSpec
	module, name string
}

func (w writer) write() {
	kind := w.enum()
	below := ""
	for level := w.shape.Depth; level > 0; level-- {
		below = w.object(level, below, kind)
	}
	properties := w.properties(below, kind)
	w.spec.Resources[w.token(w.name)] = pschema.ResourceSpec{
		ObjectTypeSpec: pschema.ObjectTypeSpec{
			Description: "A " + w.name + " is one of many things.\n\n## Example\n\n```typescript\nnew " + w.name + "();\n```",
			Properties:  properties, Required: []string{"property0"},
		},
		InputProperties: properties, RequiredInputs: []string{"property0"},
		StateInputs: &pschema.ObjectTypeSpec{Properties: properties},
	}
	w.spec.Functions[w.token("get"+w.name)] = pschema.FunctionSpec{
		Description: "Finds a " + w.name + ".",
		Inputs:      &pschema.ObjectTypeSpec{Properties: properties, Required: []string{"property0"}},
		Outputs:     &pschema.ReturnSpec{Object: &pschema.ObjectTypeSpec{Properties: properties, Required: []string{"property0"}}},
	}
}

func (w writer) token(name string) string {
	return "wide:" + w.module + "/" + name + ":" + name
}

func (w writer) enum() string {
	token := w.token(w.name + "Kind")
	w.spec.Types[token] = pschema.ComplexTypeSpec{
		ObjectTypeSpec: pschema.ObjectTypeSpec{Type: "string", Description: "What kind of thing."},
		Enum:           []pschema.EnumValueSpec{{Name: "Small", Value: "small"}, {Value: "very-large"}},
	}
	return token
}

func (w writer) object(level int, below, kind string) string {
	token := w.token(fmt.Sprintf("%sLevel%d", w.name, level))
	w.spec.Types[token] = pschema.ComplexTypeSpec{ObjectTypeSpec: pschema.ObjectTypeSpec{
		Type: "object", Description: fmt.Sprintf("Part of %s, %d deep.", w.name, level),
		Properties: w.properties(below, kind), Required: []string{"property0"},
	}}
	return token
}

// properties are of every kind: primitives, lists, maps, an enum, a secret and
// the object below.
func (w writer) properties(below, kind string) map[string]pschema.PropertySpec {
	all := map[string]pschema.PropertySpec{}
	primitives := []string{"string", "boolean", "number", "integer"}
	for i := range w.shape.Properties {
		primitive := primitives[i%len(primitives)]
		one := property(primitive, fmt.Sprintf("Property %d of %s says what a text of usual length says.", i, w.name))
		switch i % 6 {
		case 3:
			one.TypeSpec = pschema.TypeSpec{Type: "array", Items: &pschema.TypeSpec{Type: primitive}}
		case 4:
			one.TypeSpec = pschema.TypeSpec{Type: "object", AdditionalProperties: &pschema.TypeSpec{Type: primitive}}
		case 5:
			one.TypeSpec = pschema.TypeSpec{Ref: "#/types/" + kind}
		}
		one.Secret = i == 1
		all[fmt.Sprintf("property%d", i)] = one
	}
	if below != "" {
		all["below"] = pschema.PropertySpec{TypeSpec: pschema.TypeSpec{Ref: "#/types/" + below}, Description: "What is below."}
		all["belows"] = pschema.PropertySpec{TypeSpec: pschema.TypeSpec{
			Type: "array", Items: &pschema.TypeSpec{Ref: "#/types/" + below},
		}}
	}
	return all
}

func property(primitive, description string) pschema.PropertySpec {
	return pschema.PropertySpec{TypeSpec: pschema.TypeSpec{Type: primitive}, Description: description}
}
