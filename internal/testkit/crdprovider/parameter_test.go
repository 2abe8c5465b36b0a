package crdprovider

import (
	"os"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// FuzzDefinitions reads arbitrary texts. What is accepted makes a schema that
// can be written, whatever is in its types, and judges a value.
func FuzzDefinitions(f *testing.F) {
	text, err := os.ReadFile("testdata/crontabs.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	f.Add("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {group: a, names: {kind: A}, versions: [{name: v1, served: true, schema: {openAPIV3Schema: {properties: {a: }}}}]}")
	f.Fuzz(func(t *testing.T, text string) {
		p := parameter{Name: "stable", Version: defaultVersion, CRDs: []string{text}}
		kinds, err := newKinds(p)
		if err != nil {
			return
		}
		if _, err := pschema.Encode(packageSchema(p, kinds)); err != nil {
			t.Error(err)
		}
		for _, k := range kinds {
			inputs, _ := k.withMetadata()
			inputs.validate(property.New(property.NewMap(map[string]property.Value{"spec": property.New(1.0)})), "")
		}
	})
}

// FuzzValue reads arbitrary bytes. What is accepted is written as it was read.
func FuzzValue(f *testing.F) {
	f.Add([]byte(`{"name":"a","version":"1.0.0","crds":["---"]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := parseValue(data)
		if err != nil {
			return
		}
		again, err := parseValue(p.value())
		if err != nil || string(again.value()) != string(p.value()) {
			t.Errorf("%s became %s, %v", p.value(), again.value(), err)
		}
	})
}
