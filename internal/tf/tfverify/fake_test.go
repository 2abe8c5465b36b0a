package tfverify

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zclconf/go-cty/cty"
	"golang.org/x/tools/txtar"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// memory is a provider without a world: what is planned is what is written,
// and an id that is known once there is a prior. It is for the logic of the
// graph alone; what providers really do is tested with real ones.
type memory struct {
	tfprovider.Provider // the methods that verification never calls
	busy, most, calls   atomic.Int64
	delay               time.Duration
	configured          atomic.Pointer[cty.Value]
}

// hintsType is that of an attribute that may be written as blocks, and that the
// provider sets, to one hint, where configuration does not.
var hintsType = cty.List(cty.Object(map[string]cty.Type{"a": cty.String}))

func memorySchema() *tfschema.Schema {
	return &tfschema.Schema{Block: &tfschema.Block{
		Attributes: []*tfschema.Attribute{
			{Name: "id", Type: cty.String, Computed: true},
			{Name: "name", Type: cty.String, Optional: true},
			{Name: "secret", Type: cty.String, Optional: true, Sensitive: true},
			{Name: "sent", Type: cty.String, Optional: true, WriteOnly: true},
			{Name: "things", Type: cty.List(cty.Object(map[string]cty.Type{"a": cty.String, "b": cty.Number})), Optional: true},
			{Name: "hints", Type: hintsType, Optional: true, Computed: true},
		},
		Blocks: []*tfschema.NestedBlock{{Name: "rule", Nesting: tfschema.NestingList, Block: &tfschema.Block{
			Attributes: []*tfschema.Attribute{{Name: "port", Type: cty.Number, Required: true}},
		}}},
	}}
}

type memoryDecoder struct{ tfschema.Decoder }

func (memoryDecoder) Names(tfschema.Kind) []string { return []string{"mem_thing"} }
func (memoryDecoder) Schema(kind tfschema.Kind, name string) (*tfschema.Schema, error) {
	switch {
	case kind == tfschema.KindProvider:
		return &tfschema.Schema{Block: &tfschema.Block{Attributes: []*tfschema.Attribute{{Name: "token", Type: cty.String, Optional: true}}}}, nil
	case name == "mem_thing":
		return memorySchema(), nil
	}
	return nil, nil
}
func (memoryDecoder) Identity(string) (*tfschema.Identity, error) { return nil, nil }
func (memoryDecoder) Capabilities() tfschema.Capabilities         { return tfschema.Capabilities{} }

func (m *memory) Schema(context.Context) (*tfschema.Catalog, diag.List) {
	return tfschema.NewCatalog(memoryDecoder{}), nil
}
func (m *memory) ValidateProviderConfig(context.Context, cty.Value) diag.List { return nil }
func (m *memory) ValidateResourceConfig(_ context.Context, _ string, config cty.Value) diag.List {
	if config.GetAttr("name").RawEquals(cty.StringVal("refused")) {
		return diag.List{diag.Errorf("X0003", "No such name", "It is refused.")}
	}
	return nil
}
func (m *memory) ValidateDataSourceConfig(context.Context, string, cty.Value) diag.List { return nil }
func (m *memory) Configure(_ context.Context, config cty.Value) diag.List {
	m.configured.Store(&config)
	return nil
}
func (m *memory) Close() error { return nil }

func (m *memory) UpgradeResourceState(_ context.Context, req tfprovider.UpgradeStateRequest) (cty.Value, diag.List) {
	var raw struct{ ID, Name, Secret *string }
	if err := json.Unmarshal(req.Raw.JSON, &raw); err != nil {
		return cty.NilVal, diag.List{diag.Errorf("X", "bad", "%s", err)}
	}
	v := memorySchema().Block.EmptyValue().AsValueMap()
	v["hints"] = cty.ListVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"a": cty.StringVal("x")})})
	for name, text := range map[string]*string{"id": raw.ID, "name": raw.Name, "secret": raw.Secret} {
		if text != nil {
			v[name] = cty.StringVal(*text)
		}
	}
	return cty.ObjectVal(v), nil
}

func (m *memory) ReadResource(_ context.Context, req tfprovider.ReadRequest) (tfprovider.ReadResponse, diag.List) {
	defer m.enter()()
	if req.State.GetAttr("name").RawEquals(cty.StringVal("gone")) {
		return tfprovider.ReadResponse{State: cty.NullVal(req.State.Type())}, nil
	}
	return tfprovider.ReadResponse{State: req.State}, nil
}

func (m *memory) ReadDataSource(_ context.Context, req tfprovider.ReadDataRequest) (tfprovider.ReadResponse, diag.List) {
	v := req.Config.AsValueMap()
	if v["name"].RawEquals(cty.StringVal("gone")) {
		return tfprovider.ReadResponse{}, diag.List{diag.Errorf("X0002", "No such thing", "It is gone.")}
	}
	v["id"] = cty.StringVal("data")
	return tfprovider.ReadResponse{State: cty.ObjectVal(v)}, nil
}

func (m *memory) PlanResourceChange(_ context.Context, req tfprovider.PlanRequest) (tfprovider.PlanResponse, diag.List) {
	defer m.enter()()
	planned := req.ProposedNew.AsValueMap()
	planned["sent"] = cty.NullVal(cty.String)
	if req.Prior.IsNull() {
		planned["id"] = cty.UnknownVal(cty.String)
	}
	return tfprovider.PlanResponse{Planned: cty.ObjectVal(planned)}, nil
}

func (m *memory) enter() func() {
	m.calls.Add(1)
	now := m.busy.Add(1)
	for most := m.most.Load(); now > most && !m.most.CompareAndSwap(most, now); most = m.most.Load() {
	}
	time.Sleep(m.delay)
	return func() { m.busy.Add(-1) }
}

// setting is a directory with the provider over it.
type setting struct {
	dir     string
	objects []map[string]any
	outputs map[string]any
	release string // of the client
	memory  *memory
}

func newSetting(t testing.TB, archive string) *setting {
	t.Helper()
	s := &setting{dir: t.TempDir(), memory: &memory{}, outputs: map[string]any{}, release: "1.5.0"}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(s.dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// object adds a thing to the state: its address, without module keys other
// than strings, and its name.
func (s *setting) object(t testing.TB, address, name string) *setting {
	t.Helper()
	e, ok := parseEndpointText(address)
	if !ok {
		t.Fatal(address)
	}
	instance := map[string]any{"schema_version": 0, "attributes": map[string]any{"id": "i-" + name, "name": name}}
	if e.key != cty.NilVal && e.key.Type() == cty.String {
		instance["index_key"] = e.key.AsString()
	} else if e.key != cty.NilVal {
		instance["index_key"], _ = e.key.AsBigFloat().Int64()
	}
	object := map[string]any{
		"mode": "managed", "type": e.resource.Type, "name": e.resource.Name,
		"provider": `provider["registry.opentofu.org/test/mem"]`, "instances": []any{instance},
	}
	if len(e.modules) > 0 {
		object["module"] = endpoint{modules: e.modules}.String()
	}
	s.objects = append(s.objects, object)
	return s
}

func (s *setting) verify(t testing.TB, change func(*Request)) (Report, diag.List) {
	t.Helper()
	state, err := json.Marshal(map[string]any{
		"version": 4, "terraform_version": s.release, "serial": 1, "lineage": "x", "outputs": s.outputs, "resources": s.objects,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.dir, "terraform.tfstate"), state, 0o600); err != nil {
		t.Fatal(err)
	}
	req := Request{Dir: s.dir, Launch: func(_ context.Context, p tfaddr.Provider) (tfprovider.Provider, diag.List) {
		if p.Type != "mem" {
			return nil, diag.List{diag.Errorf("X0001", "No such provider", "%s", p)}
		}
		return s.memory, nil
	}}
	if change != nil {
		change(&req)
	}
	return Verify(t.Context(), req)
}

const header = `
-- versions.tf --
terraform {
  required_providers {
    mem = { source = "test/mem" }
  }
}
`

// outcomeOf is the outcome of a main file, and what stands behind it, over
// objects of the state: address and name.
func outcomeOf(t *testing.T, files string, objects ...string) string {
	t.Helper()
	s := newSetting(t, header+"-- main.tf --\n"+files+"\n")
	for _, o := range objects {
		address, name, _ := strings.Cut(o, " ")
		s.object(t, address, name)
	}
	return outcome(s.verify(t, nil))
}

func outcome(r Report, diags diag.List) string {
	var out []string
	for _, res := range r.Resources {
		line := fmt.Sprintf("%s %s", res.Verdict, res.Address)
		for _, d := range res.Reasons.Errors() {
			line += " " + d.Code
		}
		out = append(out, line)
	}
	for _, o := range r.Outputs {
		out = append(out, fmt.Sprintf("%s output.%s", o.Verdict, o.Name))
	}
	for _, d := range append(append(diag.List{}, r.Gaps...), diags...) {
		out = append(out, d.Severity.String()+" "+d.Code)
	}
	if r.Proven {
		out = append(out, "proven")
	}
	return strings.Join(out, "; ")
}
