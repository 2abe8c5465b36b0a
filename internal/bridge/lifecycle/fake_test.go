package lifecycle_test

import (
	"context"
	"iter"
	"sync"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

const thingToken = "test:index/thing:Thing"

// fake is a provider in memory whose calls can be made to go wrong. It plans
// as the newer SDK does: what it computes is unknown where anything changes.
type fake struct {
	tfprovider.Provider // nil: other calls must not be made
	schema              *tfschema.Schema
	identity            *tfschema.Identity
	capabilities        tfschema.Capabilities

	// The hooks see a call's request and what the fake is about to answer.
	validated func(cty.Value) diag.List
	upgraded  func(tfprovider.UpgradeStateRequest, cty.Value) (cty.Value, diag.List)
	planned   func(tfprovider.PlanRequest, *tfprovider.PlanResponse) diag.List
	applied   func(context.Context, tfprovider.ApplyRequest, *tfprovider.ApplyResponse) diag.List
	read      func(tfprovider.ReadRequest, *tfprovider.ReadResponse) diag.List
	imported  func(tfprovider.ImportRequest) ([]tfprovider.Imported, diag.List)
	listed    func(context.Context, tfprovider.ListRequest) iter.Seq[tfprovider.ListEvent]
	opened    func() (tfprovider.EphemeralResponse, diag.List)
	renewed   func(private []byte) (tfprovider.EphemeralResponse, diag.List)

	mu     sync.Mutex
	closed []string // the private of ephemeral resources that were closed
	stops  int
}

func attr(name string, ty cty.Type, traits ...string) *tfschema.Attribute {
	a := &tfschema.Attribute{Name: name, Type: ty}
	for _, trait := range traits {
		switch trait {
		case "required":
			a.Required = true
		case "optional":
			a.Optional = true
		case "computed":
			a.Computed = true
		case "sensitive":
			a.Sensitive = true
		case "deprecated":
			a.Deprecated = true
		}
	}
	return a
}

// fakeSchema has sorts of attributes that real test providers lack together.
func fakeSchema() *tfschema.Schema {
	rule := cty.Object(map[string]cty.Type{"port": cty.Number, "note": cty.String})
	return &tfschema.Schema{Version: 2, Block: &tfschema.Block{
		Attributes: []*tfschema.Attribute{
			attr("any", cty.DynamicPseudoType, "optional"),
			attr("arn", cty.String, "computed"),
			attr("id", cty.String, "computed"),
			attr("items", cty.List(cty.String), "optional"),
			attr("key", cty.String, "optional", "sensitive"),
			attr("name", cty.String, "optional"),
			attr("name_prefix", cty.String, "optional"),
			attr("old", cty.String, "optional", "deprecated"),
			attr("rules", cty.Set(rule), "optional"),
			attr("size", cty.Number, "optional", "computed"),
			attr("zone", cty.String, "required"),
		},
		Blocks: []*tfschema.NestedBlock{
			{Name: "disk", Nesting: tfschema.NestingList, Block: &tfschema.Block{Attributes: []*tfschema.Attribute{
				attr("device", cty.String, "computed"), attr("gb", cty.Number, "required"),
			}}},
			{Name: "timeouts", Nesting: tfschema.NestingSingle, Block: &tfschema.Block{Attributes: []*tfschema.Attribute{
				attr("create", cty.String, "optional"), attr("delete", cty.String, "optional"), attr("update", cty.String, "optional"),
			}}},
		},
	}}
}

func newFake() *fake { return &fake{schema: fakeSchema()} }

// faked bridges a fake.
func faked(t testing.TB, f *fake) world {
	t.Helper()
	w := world{log: &recorder{}}
	w.Provider = bridged(t, f, w.log)
	return w
}

func (f *fake) Schema(context.Context) (*tfschema.Catalog, diag.List) {
	return tfschema.NewCatalog(decoder{f}), nil
}

// decoder has one resource type and one ephemeral one.
type decoder struct{ f *fake }

func (d decoder) Names(kind tfschema.Kind) []string {
	switch kind {
	case tfschema.KindResource:
		return []string{"test_thing"}
	case tfschema.KindEphemeral:
		return []string{"test_lease"}
	case tfschema.KindList:
		if d.f.listed != nil {
			return []string{"test_thing"}
		}
	}
	return nil
}

func (d decoder) Schema(kind tfschema.Kind, _ string) (*tfschema.Schema, error) {
	switch kind {
	case tfschema.KindResource:
		return d.f.schema, nil
	case tfschema.KindEphemeral:
		return &tfschema.Schema{Block: &tfschema.Block{Attributes: []*tfschema.Attribute{attr("value", cty.String, "computed")}}}, nil
	case tfschema.KindList:
		return &tfschema.Schema{Block: &tfschema.Block{}}, nil
	case tfschema.KindProvider:
		return &tfschema.Schema{Block: &tfschema.Block{Attributes: []*tfschema.Attribute{
			attr("region", cty.String, "required"), attr("tags", cty.Map(cty.String), "optional", "sensitive"),
		}}}, nil
	default:
		return nil, nil
	}
}

func (d decoder) IdentityNames() []string                     { return nil }
func (d decoder) Identity(string) (*tfschema.Identity, error) { return d.f.identity, nil }
func (d decoder) FunctionNames() []string                     { return nil }
func (d decoder) Function(string) (*tfschema.Function, error) { return nil, nil }
func (d decoder) Capabilities() tfschema.Capabilities         { return d.f.capabilities }

func (f *fake) ValidateResourceConfig(_ context.Context, _ string, config cty.Value) diag.List {
	if f.validated == nil {
		return nil
	}
	return f.validated(config)
}

func (f *fake) ValidateProviderConfig(context.Context, cty.Value) diag.List          { return nil }
func (f *fake) ValidateEphemeralConfig(context.Context, string, cty.Value) diag.List { return nil }
func (f *fake) ValidateListConfig(context.Context, string, cty.Value) diag.List      { return nil }
func (f *fake) Configure(context.Context, cty.Value) diag.List                       { return nil }

func (f *fake) UpgradeResourceState(_ context.Context, req tfprovider.UpgradeStateRequest) (cty.Value, diag.List) {
	v, err := ctyx.DecodeJSON(req.Raw.JSON, f.schema.Block.ImpliedType())
	if f.upgraded != nil {
		return f.upgraded(req, v)
	}
	return v, diag.FromError("FAKE", "Cannot upgrade", err)
}

func (f *fake) PlanResourceChange(_ context.Context, req tfprovider.PlanRequest) (tfprovider.PlanResponse, diag.List) {
	resp := tfprovider.PlanResponse{Planned: req.ProposedNew, Private: req.PriorPrivate, Identity: req.PriorIdentity}
	if !req.ProposedNew.IsNull() && !req.ProposedNew.RawEquals(req.Prior) {
		resp.Planned = unknownWhereComputed(f.schema.Block, req.ProposedNew, req.Config)
		if !req.Prior.IsNull() {
			resp.RequiresReplace = []cty.Path{cty.GetAttrPath("zone")}
			vals := resp.Planned.AsValueMap()
			vals["id"] = req.Prior.GetAttr("id")
			resp.Planned = cty.ObjectVal(vals)
		}
	}
	if f.planned != nil {
		return resp, f.planned(req, &resp)
	}
	return resp, nil
}

// unknownWhereComputed is what the newer SDK plans before any default.
func unknownWhereComputed(block *tfschema.Block, v, config cty.Value) cty.Value {
	vals := v.AsValueMap()
	for _, a := range block.Attributes {
		if a.Computed && config.GetAttr(a.Name).IsNull() {
			vals[a.Name] = cty.UnknownVal(a.Type)
		}
	}
	for _, n := range block.Blocks {
		if n.Nesting != tfschema.NestingList || vals[n.Name].LengthInt() == 0 {
			continue
		}
		elems, written := vals[n.Name].AsValueSlice(), config.GetAttr(n.Name).AsValueSlice()
		for i := range elems {
			elems[i] = unknownWhereComputed(n.Block, elems[i], written[i])
		}
		vals[n.Name] = cty.ListVal(elems)
	}
	return cty.ObjectVal(vals)
}

func (f *fake) ApplyResourceChange(ctx context.Context, req tfprovider.ApplyRequest) (tfprovider.ApplyResponse, diag.List) {
	resp := tfprovider.ApplyResponse{State: req.Planned, Private: req.PlannedPrivate, Identity: req.PlannedIdentity}
	if !req.Planned.IsNull() {
		resp.State = filled(req.Planned)
	}
	if f.applied != nil {
		return resp, f.applied(ctx, req, &resp)
	}
	return resp, nil
}

// filled gives every unknown its value.
func filled(v cty.Value) cty.Value {
	out, err := cty.Transform(v, func(_ cty.Path, v cty.Value) (cty.Value, error) {
		switch {
		case v.IsKnown():
			return v, nil
		case v.Type() == cty.Number:
			return cty.NumberIntVal(1), nil
		default:
			return cty.StringVal("made"), nil
		}
	})
	if err != nil {
		panic(err)
	}
	return out
}

func (f *fake) ReadResource(_ context.Context, req tfprovider.ReadRequest) (tfprovider.ReadResponse, diag.List) {
	resp := tfprovider.ReadResponse{State: req.State, Private: req.Private, Identity: req.Identity}
	if f.read != nil {
		return resp, f.read(req, &resp)
	}
	return resp, nil
}

func (f *fake) ImportResourceState(_ context.Context, req tfprovider.ImportRequest) ([]tfprovider.Imported, diag.List) {
	return f.imported(req)
}

func (f *fake) ListResource(ctx context.Context, req tfprovider.ListRequest) iter.Seq[tfprovider.ListEvent] {
	return f.listed(ctx, req)
}

func (f *fake) Confirm(context.Context) diag.List { return nil }

func (f *fake) OpenEphemeral(context.Context, string, cty.Value) (tfprovider.EphemeralResponse, diag.List) {
	return f.opened()
}

func (f *fake) RenewEphemeral(_ context.Context, _ string, private []byte) (tfprovider.EphemeralResponse, diag.List) {
	return f.renewed(private)
}

func (f *fake) CloseEphemeral(_ context.Context, _ string, private []byte) diag.List {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = append(f.closed, string(private))
	return nil
}

func (f *fake) Stop(context.Context) error { f.stops++; return nil }
func (f *fake) Close() error               { return nil }

// said is an error of the provider.
func said(path ...string) diag.List {
	d := diag.Errorf(tfprovider.CodeProvider, "No", "The provider does not want that.")
	for _, name := range path {
		d.Path = d.Path.GetAttr(name)
	}
	return diag.List{d}
}

// thing is a state of test_thing with some attributes.
func (f *fake) thing(attrs map[string]cty.Value) cty.Value {
	vals := f.schema.Block.EmptyValue().AsValueMap()
	for name, v := range attrs {
		vals[name] = v
	}
	return cty.ObjectVal(vals)
}
