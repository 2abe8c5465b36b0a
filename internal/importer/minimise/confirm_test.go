package minimise_test

import (
	"context"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/importer/minimise"
	"github.com/formation-iac/formation/internal/importer/read"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// reread plans as named does, and reads a network that has a description in its
// own way.
type reread struct {
	named
	reads func(network cty.Value) (cty.Value, diag.List)
}

func (r reread) ReadResource(ctx context.Context, req tfprovider.ReadRequest) (tfprovider.ReadResponse, diag.List) {
	resp, diags := r.named.ReadResource(ctx, req)
	if !diags.HasErrors() && !req.State.GetAttr("description").IsNull() {
		resp.State, diags = r.reads(resp.State)
	}
	return resp, diags
}

// TestNotSettled plans the same value for good, once the state has it: that
// alone settles nothing where a read does not leave the state as it is.
func TestNotSettled(t *testing.T) {
	t.Parallel()
	s := start(t, "terraform-provider-classic", 60)
	found := s.networks(t)
	const unsettled = "MI0006 The state cannot be settled: The provider plans values for description that it drops again when it reads the object."
	for name, test := range map[string]struct {
		reads func(network cty.Value) (cty.Value, diag.List)
		want  string
	}{
		"kept": {
			reads: func(network cty.Value) (cty.Value, diag.List) { return network, nil },
		},
		"dropped": {
			reads: func(network cty.Value) (cty.Value, diag.List) {
				return described(network, cty.NullVal(cty.String)), nil
			},
			want: unsettled,
		},
		"read as another": {
			reads: func(network cty.Value) (cty.Value, diag.List) {
				return described(network, cty.StringVal("a network")), nil
			},
			want: unsettled,
		},
		"gone": {
			reads: func(network cty.Value) (cty.Value, diag.List) { return cty.NullVal(network.Type()), nil },
			want:  unsettled,
		},
		"refused": {
			reads: func(cty.Value) (cty.Value, diag.List) {
				return cty.NilVal, diag.List{diag.Errorf(tfprovider.CodeProvider, "No", "Not with this description.")}
			},
			want: tfprovider.CodeProvider + " No: Not with this description.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			provider := reread{named{s.Provider, false}, test.reads}
			var objects []read.Object
			for _, o := range read.Read(t.Context(), provider, found, 2) {
				fail(t, o.Diagnostics.Err())
				objects = append(objects, o.Objects...)
			}
			for _, m := range minimise.Minimise(t.Context(), provider, objects, minimise.Options{Concurrency: 2}) {
				got := ""
				for _, d := range m.Diagnostics {
					got += d.Code + " " + d.Summary + ": " + d.Detail
				}
				if got != test.want {
					t.Errorf("%s: got %q, want %q", m.Object.Found.ID, got, test.want)
				}
				if settled := len(m.Settled) > 0; settled != (test.want == "") {
					t.Errorf("%s: settled: %t", m.Object.Found.ID, settled)
				}
			}
		})
	}
}
