package crdprovider

import (
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// Name is the plugin's, and Version its version.
const (
	Name    = "crd"
	Version = "0.1.0"
)

// bareSchema is the package before Parameterize: nothing.
func bareSchema() pschema.PackageSpec {
	return pschema.PackageSpec{
		Name: Name, Version: Version, DisplayName: "Custom resource definitions", Provider: &pschema.ResourceSpec{},
	}
}

// packageSchema is the package that p makes of the plugin.
func packageSchema(p parameter, kinds map[string]*kind) pschema.PackageSpec {
	spec := pschema.PackageSpec{
		Name: p.Name, Version: p.Version, Description: "Custom resources.",
		Types: map[string]pschema.ComplexTypeSpec{}, Resources: map[string]pschema.ResourceSpec{},
	}
	if p.Extend {
		spec.ExtensionParameterization = &pschema.ExtensionParameterizationSpec{
			BaseProvider: pschema.ExtendedProviderSpec{Name: Name, Version: Version}, Parameter: p.value(),
		}
	} else {
		spec.Provider = &pschema.ResourceSpec{}
		spec.Parameterization = &pschema.ParameterizationSpec{
			BaseProvider: pschema.BaseProviderSpec{Name: Name, Version: Version}, Parameter: p.value(),
		}
	}
	for token, k := range kinds {
		t := &typer{module: token[:strings.LastIndex(token, ":")], types: spec.Types}
		inputs, outputs := k.withMetadata()
		resource := pschema.ResourceSpec{ObjectTypeSpec: t.object(outputs, k.name)}
		taken := t.object(inputs, k.name)
		resource.InputProperties, resource.RequiredInputs = taken.Properties, taken.Required
		spec.Resources[token] = resource
	}
	return spec
}
