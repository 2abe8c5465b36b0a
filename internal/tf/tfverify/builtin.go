package tfverify

import (
	"context"
	"encoding/json"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// dataType is the one resource type that Terraform itself implements.
const dataType = "terraform_data"

// builtin plans terraform_data as the provider inside Terraform and OpenTofu
// does: an input that becomes the output, and values whose change replaces
// the object. Source: OpenTofu 1.12.6, internal/builtin/providers/tf.
type builtin struct {
	tfprovider.Provider // nil: the schema offers nothing that needs the rest
	schema              *tfschema.Catalog
	dir                 string // that paths start in
}

func newBuiltin(dir string) tfprovider.Provider {
	return &builtin{schema: tfschema.NewCatalog(builtinDecoder{}), dir: dir}
}

type builtinDecoder struct{}

func (builtinDecoder) Names(kind tfschema.Kind) []string {
	switch kind {
	case tfschema.KindResource:
		return []string{dataType}
	case tfschema.KindDataSource:
		return []string{remoteStateType}
	}
	return nil
}

func (builtinDecoder) Schema(kind tfschema.Kind, name string) (*tfschema.Schema, error) {
	if kind == tfschema.KindDataSource && name == remoteStateType {
		return remoteStateSchema(), nil
	}
	if kind != tfschema.KindResource || name != dataType {
		return nil, nil
	}
	return &tfschema.Schema{Block: &tfschema.Block{Attributes: []*tfschema.Attribute{
		{Name: "id", Type: cty.String, Computed: true},
		{Name: "input", Type: cty.DynamicPseudoType, Optional: true},
		{Name: "output", Type: cty.DynamicPseudoType, Computed: true},
		{Name: "triggers_replace", Type: cty.DynamicPseudoType, Optional: true},
	}}}, nil
}

func (builtinDecoder) IdentityNames() []string                           { return nil }
func (builtinDecoder) Identity(string) (*tfschema.Identity, error)       { return nil, nil }
func (builtinDecoder) Capabilities() (none tfschema.Capabilities)        { return none }
func (b *builtin) Close() error                                          { return nil }
func (b *builtin) Configure(context.Context, cty.Value) diag.List        { return nil }
func (b *builtin) Schema(context.Context) (*tfschema.Catalog, diag.List) { return b.schema, nil }

// ValidateProviderConfig accepts the empty configuration, the only one.
func (b *builtin) ValidateProviderConfig(context.Context, cty.Value) diag.List { return nil }

// ValidateResourceConfig rejects what is read-only.
func (b *builtin) ValidateResourceConfig(_ context.Context, _ string, config cty.Value) diag.List {
	for _, name := range []string{"id", "output"} {
		if !config.GetAttr(name).IsNull() {
			return diag.List{readOnly(name).On(cty.GetAttrPath(name))}
		}
	}
	return nil
}

// UpgradeResourceState decodes the object; it has had one version only. What
// else the state has of it, clients leave out.
func (b *builtin) UpgradeResourceState(ctx context.Context, req tfprovider.UpgradeStateRequest) (cty.Value, diag.List) {
	schema, err := b.schema.Resource(dataType)
	if err != nil {
		return cty.NilVal, diag.List{badState(err)}
	}
	v, err := ctyx.DecodeJSON(membersOf(schema.Block, req.Raw.JSON), schema.Block.ImpliedType())
	if err != nil {
		return cty.NilVal, diag.List{badState(err)}
	}
	return v, nil
}

// membersOf is an object without the attributes that a block has not.
func membersOf(block *tfschema.Block, raw []byte) []byte {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return raw // decoding says why
	}
	for name := range members {
		if block.Attribute(name) == nil {
			delete(members, name)
		}
	}
	out, err := json.Marshal(members)
	if err != nil {
		return raw
	}
	return out
}

// ReadResource has nothing to ask.
func (b *builtin) ReadResource(_ context.Context, req tfprovider.ReadRequest) (tfprovider.ReadResponse, diag.List) {
	return tfprovider.ReadResponse{State: req.State, Private: req.Private, Identity: cty.NilVal}, nil
}

// PlanResourceChange makes a new output where the input changes, and a new
// object where the triggers do.
func (b *builtin) PlanResourceChange(_ context.Context, req tfprovider.PlanRequest) (tfprovider.PlanResponse, diag.List) {
	planned := req.ProposedNew.AsValueMap()
	input := planned["input"]
	output := input // of the input's type also where it is null
	if !input.IsNull() {
		output = cty.UnknownVal(input.Type())
	}
	resp := tfprovider.PlanResponse{Identity: cty.NilVal}
	switch {
	case req.Prior.IsNull():
		planned["id"], planned["output"] = cty.UnknownVal(cty.String).RefineNotNull(), output
	case !req.Prior.GetAttr("triggers_replace").RawEquals(planned["triggers_replace"]):
		resp.RequiresReplace = []cty.Path{cty.GetAttrPath("triggers_replace")}
		planned["id"], planned["output"] = cty.UnknownVal(cty.String).RefineNotNull(), output
	case !req.Prior.GetAttr("input").RawEquals(input):
		planned["output"] = cty.UnknownVal(input.Type())
	}
	resp.Planned = cty.ObjectVal(planned)
	return resp, nil
}
