package crdprovider

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// definition is a CustomResourceDefinition of apiextensions.k8s.io/v1, as far
// as types come out of it.
type definition struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
	Spec       struct {
		Group string `yaml:"group"`
		Names struct {
			Kind string `yaml:"kind"`
		} `yaml:"names"`
		Versions []version `yaml:"versions"`
	} `yaml:"spec"`
}

// version is one version of a definition.
type version struct {
	Name   string `yaml:"name"`
	Served bool   `yaml:"served"`
	Schema struct {
		OpenAPI *schema `yaml:"openAPIV3Schema"`
	} `yaml:"schema"`
}

// schema is the part of OpenAPI 3 that definitions may use for structure.
type schema struct {
	Type                 string             `yaml:"type"`
	Description          string             `yaml:"description"`
	Properties           map[string]*schema `yaml:"properties"`
	Required             []string           `yaml:"required"`
	Items                *schema            `yaml:"items"`
	AdditionalProperties *schemaOrBool      `yaml:"additionalProperties"`
	Enum                 []any              `yaml:"enum"`
	IntOrString          bool               `yaml:"x-kubernetes-int-or-string"`
	PreserveUnknown      bool               `yaml:"x-kubernetes-preserve-unknown-fields"`
}

// schemaOrBool is what additionalProperties may hold: the schema of all
// values, or whether there may be any.
type schemaOrBool struct {
	allowed bool
	schema  *schema // nil for values of any kind
}

// UnmarshalYAML implements yaml.Unmarshaler.
func (s *schemaOrBool) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		return node.Decode(&s.allowed)
	}
	s.allowed = true
	return node.Decode(&s.schema)
}

// The names that tokens are made of.
var (
	validKind  = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)
	validLabel = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
)

// parseDefinitions reads the documents of a YAML file.
func parseDefinitions(text string) ([]definition, error) {
	var out []definition
	decoder := yaml.NewDecoder(strings.NewReader(text))
	for {
		var d *definition
		err := decoder.Decode(&d)
		switch {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return nil, err
		case d == nil:
			continue // an empty document
		}
		if err := d.check(); err != nil {
			return nil, err
		}
		out = append(out, *d)
	}
}

func (d *definition) check() error {
	if d.Kind != "CustomResourceDefinition" || !strings.HasPrefix(d.APIVersion, "apiextensions.k8s.io/") {
		return fmt.Errorf("a document holds %s %s, and not a CustomResourceDefinition of apiextensions.k8s.io/v1", d.APIVersion, d.Kind)
	}
	if !validKind.MatchString(d.Spec.Names.Kind) {
		return fmt.Errorf("spec.names.kind %q is no name of a kind", d.Spec.Names.Kind)
	}
	if group, _, _ := strings.Cut(d.Spec.Group, "."); !validLabel.MatchString(group) {
		return fmt.Errorf("spec.group %q of %s is no name of a group", d.Spec.Group, d.Spec.Names.Kind)
	}
	for _, v := range d.Spec.Versions {
		if !validLabel.MatchString(v.Name) {
			return fmt.Errorf("version %q of %s is no name of a version", v.Name, d.Spec.Names.Kind)
		}
	}
	return nil
}
