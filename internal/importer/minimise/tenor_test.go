package minimise_test

import (
	"context"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/importer/discover"
	"github.com/formation-iac/formation/internal/importer/minimise"
	"github.com/formation-iac/formation/internal/importer/read"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// publications is a provider with one type, which publishes either all tables or
// some, and whose objects tell of both.
type publications struct{ tfprovider.Provider }

func (publications) Schema(context.Context) (*tfschema.Catalog, diag.List) {
	return tfschema.NewCatalog(publicationSchema{}), nil
}

func (publications) ValidateResourceConfig(_ context.Context, _ string, config cty.Value) diag.List {
	if written(config, "all_tables") && written(config, "tables") {
		return diag.List{diag.Errorf("", "Conflicting configuration arguments", `"all_tables": conflicts with tables`)}
	}
	return nil
}

// PlanResourceChange keeps what is not written, of which a creation knows nothing.
func (publications) PlanResourceChange(_ context.Context, req tfprovider.PlanRequest) (tfprovider.PlanResponse, diag.List) {
	planned := req.Config.AsValueMap()
	for name, v := range planned {
		switch {
		case !v.IsNull():
		case req.Prior == cty.NilVal || req.Prior.IsNull():
			planned[name] = cty.UnknownVal(v.Type())
		default:
			planned[name] = req.Prior.GetAttr(name)
		}
	}
	return tfprovider.PlanResponse{Planned: cty.ObjectVal(planned)}, nil
}

type publicationSchema struct{ tfschema.Decoder }

func (publicationSchema) Schema(tfschema.Kind, string) (*tfschema.Schema, error) {
	return &tfschema.Schema{Block: &tfschema.Block{Attributes: []*tfschema.Attribute{
		{Name: "all_tables", Type: cty.Bool, Optional: true, Computed: true},
		{Name: "tables", Type: cty.List(cty.String), Optional: true, Computed: true},
	}}}, nil
}

func (publicationSchema) Capabilities() tfschema.Capabilities { return tfschema.Capabilities{} }

// TestTenor leaves out of two that conflict the one with nothing in it, whatever
// became of the same two in other objects.
func TestTenor(t *testing.T) {
	t.Parallel()
	var objects []read.Object
	for i, all := range []bool{true, false, true, false, false} {
		id := string(rune('a' + i))
		objects = append(objects, read.Object{
			Found: discover.Found{Type: "x_publication", ID: id}, Type: "x_publication",
			State: cty.ObjectVal(map[string]cty.Value{
				"all_tables": cty.BoolVal(all), "tables": cty.ListVal([]cty.Value{cty.StringVal(id)}),
			}),
		})
	}
	for _, m := range minimise.Minimise(t.Context(), publications{}, objects, minimise.Options{Concurrency: 2}) {
		fail(t, m.Diagnostics.Err())
		if all := m.Object.State.GetAttr("all_tables").True(); written(m.Config, "all_tables") != all || written(m.Config, "tables") == all {
			t.Errorf("%s is written as %#v", m.Object.Found.ID, m.Config)
		}
	}
}
