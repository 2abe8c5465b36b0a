// Package mapjson writes the mapping of a bridged provider: the JSON that a
// provider answers to GetMapping, by which converters put Terraform programs
// in Pulumi's names. Its members are those that the existing converter reads
// (pulumi-terraform-bridge 59de6c6, pkg/tfbridge/info).
//
// A name is in the mapping only where the reader's own rule, which is
// mapping's, gives another.
package mapjson

import (
	"bytes"
	"encoding/json"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// document is the whole mapping. Keys of its maps are Terraform names.
type document struct {
	Provider    provider              `json:"provider"`
	Name        string                `json:"name"`
	Version     string                `json:"version"`
	Config      map[string]*field     `json:"config,omitempty"`
	Resources   map[string]resource   `json:"resources,omitempty"`
	DataSources map[string]dataSource `json:"dataSources,omitempty"`
	Functions   map[string]function   `json:"functions,omitempty"`
}

// provider is what Terraform has.
type provider struct {
	Schema      attributes            `json:"schema,omitempty"`
	Resources   map[string]attributes `json:"resources,omitempty"`
	DataSources map[string]attributes `json:"dataSources,omitempty"`
	Functions   map[string]signature  `json:"functions,omitempty"`
}

// resource, dataSource and function are what Pulumi makes of it. A member
// that is always null has to be there.
type (
	resource struct {
		Token    string            `json:"tok"`
		Fields   map[string]*field `json:"fields"`
		IDFields []string          `json:"idFields"`
	}
	dataSource struct {
		Token  string            `json:"tok"`
		Fields map[string]*field `json:"fields"`
	}
	function struct {
		Token string `json:"tok"`
	}
)

// Generate returns the mapping. An error is what is wrong with the schema of
// a type of the provider.
func Generate(pkg *mapping.Package) ([]byte, error) {
	d := &document{
		Provider: provider{
			Resources: map[string]attributes{}, DataSources: map[string]attributes{}, Functions: map[string]signature{},
		},
		Name: pkg.Name, Version: pkg.Version,
		Resources: map[string]resource{}, DataSources: map[string]dataSource{}, Functions: map[string]function{},
	}
	if err := d.addConfig(pkg); err != nil {
		return nil, err
	}
	for _, m := range pkg.Resources() {
		if err := d.addResource(pkg, m); err != nil {
			return nil, err
		}
	}
	for _, m := range pkg.Functions() {
		if err := d.addFunction(pkg, m); err != nil {
			return nil, err
		}
	}
	return d.encode()
}

func (d *document) encode() ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(d); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

func (d *document) addConfig(pkg *mapping.Package) error {
	config, err := pkg.BuildConfig()
	if err != nil {
		return err
	}
	d.Provider.Schema, d.Config = newAttributes(config), newFields(config)
	return nil
}

func (d *document) addResource(pkg *mapping.Package, m mapping.Member) error {
	r, err := pkg.BuildResource(m)
	if err != nil {
		return err
	}
	d.Provider.Resources[m.Terraform] = newAttributes(r.Object)
	d.Resources[m.Terraform] = resource{Token: m.Token, Fields: newFields(r.Object)}
	return nil
}

// addFunction adds a data source or function. The format knows of no
// ephemeral resources.
func (d *document) addFunction(pkg *mapping.Package, m mapping.Member) error {
	if m.Kind == mapping.FunctionEphemeral {
		return nil
	}
	f, err := pkg.BuildFunction(m)
	if err != nil {
		return err
	}
	if m.Kind == mapping.FunctionProvider {
		d.Provider.Functions[m.Terraform] = newSignature(f.Signature)
		d.Functions[m.Terraform] = function{m.Token}
		return nil
	}
	d.Provider.DataSources[m.Terraform] = newAttributes(f.Inputs)
	d.DataSources[m.Terraform] = dataSource{m.Token, newFields(f.Inputs)}
	return nil
}

// signature is a provider-defined function in Terraform's type notation.
type signature struct {
	Parameters  []parameter     `json:"parameters,omitempty"`
	Variadic    *parameter      `json:"variadicParameter,omitempty"`
	Return      json.RawMessage `json:"return"`
	Summary     string          `json:"summary,omitempty"`
	Description string          `json:"description,omitempty"`
	Deprecated  string          `json:"deprecationMessage,omitempty"`
}

type parameter struct {
	Name        string          `json:"name,omitempty"`
	Type        json.RawMessage `json:"type"`
	AllowNull   bool            `json:"allowNullValue,omitempty"`
	Description string          `json:"description,omitempty"`
}

func newSignature(f *tfschema.Function) signature {
	s := signature{
		Return:  typeNotation(f.Return),
		Summary: f.Summary, Description: f.Description, Deprecated: f.Deprecated,
	}
	for _, p := range f.Parameters {
		s.Parameters = append(s.Parameters, newParameter(p))
	}
	if f.Variadic != nil {
		p := newParameter(f.Variadic)
		s.Variadic = &p
	}
	return s
}

func newParameter(p *tfschema.Parameter) parameter {
	return parameter{p.Name, typeNotation(p.Type), p.AllowNull, p.Description}
}
