package importer

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/importer/discover"
	"github.com/formation-iac/formation/internal/importer/minimise"
	"github.com/formation-iac/formation/internal/importer/read"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// keySchema knows one type, with a secret that only the provider sets.
type keySchema struct{ tfschema.Decoder }

func (keySchema) Names(tfschema.Kind) []string { return []string{"x_key"} }

func (keySchema) Schema(_ tfschema.Kind, name string) (*tfschema.Schema, error) {
	if name != "x_key" {
		return nil, errors.New("no such type")
	}
	return &tfschema.Schema{Block: &tfschema.Block{Attributes: []*tfschema.Attribute{
		{Name: "id", Type: cty.String, Computed: true},
		{Name: "token", Type: cty.String, Computed: true, Sensitive: true},
	}}}, nil
}

// TestSecrets holds that every object that was seen has its secrets kept,
// whatever became of it.
func TestSecrets(t *testing.T) {
	t.Parallel()
	key := func(token string) cty.Value {
		return cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal("k"), "token": cty.StringVal(token)})
	}
	got := gatherSecrets(tfschema.NewCatalog(keySchema{}),
		[]discover.Found{{Type: "x_key", Object: key("listed")}, {Type: "x_key", ID: "bare"}, {Type: "x_unknown", Object: key("unknown")}},
		[]read.Outcome{{Objects: []read.Object{{Type: "x_key", State: key("read")}}}, {}},
		[]minimise.Minimal{{Object: read.Object{Type: "x_key", State: key("settled")}}, {Object: read.Object{Type: "x_key", State: key("read")}}},
	).all()
	if diff := cmp.Diff([]string{"listed", "read", "settled"}, got); diff != "" {
		t.Error(diff)
	}
}
