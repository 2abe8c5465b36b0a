package read_test

import (
	"context"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/importer/discover"
	"github.com/formation-iac/formation/internal/importer/read"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// shell reads whatever it is asked for as an object without content.
type shell struct{ tfprovider.Provider }

func (shell) value(id string) cty.Value {
	return cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal(id), "name": cty.StringVal(""), "body": cty.StringVal("")})
}

func (s shell) ImportResourceState(_ context.Context, req tfprovider.ImportRequest) ([]tfprovider.Imported, diag.List) {
	return []tfprovider.Imported{{TypeName: req.TypeName, State: s.value(req.ID)}}, nil
}

func (s shell) ReadResource(_ context.Context, req tfprovider.ReadRequest) (tfprovider.ReadResponse, diag.List) {
	return tfprovider.ReadResponse{State: req.State}, nil
}

func (shell) Schema(context.Context) (*tfschema.Catalog, diag.List) {
	return tfschema.NewCatalog(shellSchema{}), nil
}

type shellSchema struct{ feedSchema }

func (shellSchema) Schema(tfschema.Kind, string) (*tfschema.Schema, error) {
	return &tfschema.Schema{Block: &tfschema.Block{Attributes: []*tfschema.Attribute{
		{Name: "id", Type: cty.String, Computed: true},
		{Name: "name", Type: cty.String, Required: true},
		{Name: "body", Type: cty.String, Required: true},
	}}}, nil
}

// TestReadEmpty warns of an object that is there, and has nothing.
func TestReadEmpty(t *testing.T) {
	t.Parallel()
	got := read.Read(t.Context(), shell{}, []discover.Found{{Type: "x_feed", ID: "a"}}, 1)
	if len(got[0].Objects) != 1 || len(got[0].Diagnostics) != 1 || got[0].Diagnostics[0].Code != "RD0006" || got[0].Diagnostics.HasErrors() {
		t.Errorf("got %v and %v", got[0].Objects, got[0].Diagnostics)
	}
}
