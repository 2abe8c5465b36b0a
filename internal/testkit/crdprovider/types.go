package crdprovider

import (
	"maps"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// typer turns schemas into Pulumi's types, and gathers the objects among them
// under names.
type typer struct {
	module string // the first two parts of tokens
	types  map[string]pschema.ComplexTypeSpec
}

// property is the property that s describes. name is that of its type, where
// it needs one.
func (t *typer) property(s *schema, name string) pschema.PropertySpec {
	return pschema.PropertySpec{TypeSpec: t.typeOf(s, name), Description: s.Description}
}

func (t *typer) typeOf(s *schema, name string) pschema.TypeSpec {
	switch {
	case s.IntOrString:
		return pschema.TypeSpec{OneOf: []pschema.TypeSpec{{Type: "integer"}, {Type: "string"}}}
	case s.Type == "object" && len(s.Properties) > 0:
		return t.objectType(s, name)
	case s.Type == "object" && s.AdditionalProperties != nil && s.AdditionalProperties.schema != nil:
		values := t.typeOf(s.AdditionalProperties.schema, name)
		return pschema.TypeSpec{Type: "object", AdditionalProperties: &values}
	case s.Type == "array" && s.Items != nil:
		items := t.typeOf(s.Items, name)
		return pschema.TypeSpec{Type: "array", Items: &items}
	case slices.Contains([]string{"boolean", "integer", "number", "string"}, s.Type):
		return pschema.TypeSpec{Type: s.Type}
	default:
		return pschema.TypeSpec{Ref: "pulumi.json#/Any"}
	}
}

func (t *typer) objectType(s *schema, name string) pschema.TypeSpec {
	token := t.module + ":" + name
	t.types[token] = pschema.ComplexTypeSpec{ObjectTypeSpec: t.object(s, name)}
	return pschema.TypeSpec{Ref: "#/types/" + strings.ReplaceAll(token, "/", "%2F")}
}

// object has a property for each member of s.
func (t *typer) object(s *schema, name string) pschema.ObjectTypeSpec {
	out := pschema.ObjectTypeSpec{Type: "object", Description: s.Description, Properties: map[string]pschema.PropertySpec{}}
	for _, member := range slices.Sorted(maps.Keys(s.Properties)) {
		out.Properties[member] = t.property(s.Properties[member].orAny(), name+capital(member))
	}
	for _, member := range s.Required {
		if _, ok := out.Properties[member]; ok && !slices.Contains(out.Required, member) {
			out.Required = append(out.Required, member)
		}
	}
	return out
}

// orAny is s, or the schema of everything.
func (s *schema) orAny() *schema {
	if s == nil {
		return &schema{}
	}
	return s
}

func capital(name string) string {
	if name == "" {
		return ""
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// withMetadata is the schema of a kind as programs see it: every object has
// metadata, its apiVersion and kind follow from its token, and its status
// comes from the cluster.
func (k *kind) withMetadata() (inputs, outputs *schema) {
	text := &schema{Type: "string"}
	texts := &schema{Type: "object", AdditionalProperties: &schemaOrBool{allowed: true, schema: text}}
	metadata := &schema{Type: "object", Properties: map[string]*schema{
		"name": text, "namespace": text, "labels": texts, "annotations": texts,
	}}
	inputs = &schema{Type: "object", Description: k.object.Description, Properties: map[string]*schema{"metadata": metadata}}
	for name, property := range k.object.Properties {
		switch name {
		case "apiVersion", "kind", "metadata", "status":
		default:
			inputs.Properties[name] = property
		}
	}
	for _, name := range k.object.Required {
		if inputs.Properties[name] != nil {
			inputs.Required = append(inputs.Required, name)
		}
	}
	outputs = &schema{Type: "object", Description: inputs.Description, Properties: maps.Clone(inputs.Properties)}
	outputs.Properties["apiVersion"], outputs.Properties["kind"] = text, text
	outputs.Required = append([]string{"apiVersion", "kind", "metadata"}, inputs.Required...)
	if status := k.object.Properties["status"]; status != nil {
		outputs.Properties["status"] = status
	}
	return inputs, outputs
}
