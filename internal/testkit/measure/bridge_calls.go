package measure

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"github.com/zclconf/go-cty/cty"
	"google.golang.org/grpc"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/host"
	"github.com/formation-iac/formation/internal/tf/tfhost"
	"github.com/formation-iac/formation/internal/tf/tfplan"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// bridgeCalls measures what a call through the bridge costs on top of the
// provider's own calls that it needs, on a resource of fifty attributes.
func (s *suite) bridgeCalls(ctx context.Context, provider string) error {
	s.say("calls through the bridge and without it")
	direct, done, err := s.directLives(ctx, provider)
	if err != nil {
		return err
	}
	defer done()
	bridged, done, err := s.bridgedLives(ctx, provider)
	if err != nil {
		return err
	}
	defer done()
	own, through := newLedger(s.worked(directly)), newLedger(s.worked(byBridge))
	for n := range s.Calls { // in turn: whatever else the machine does concerns both
		if err := errors.Join(direct(own, n), bridged(through, n)); err != nil {
			return err
		}
	}
	group := "Bridge: a call on a resource of 50 attributes, on top of the provider's own"
	s.report.add(group, "the bare way from process to process and back", milliseconds(middle(through.took(hop))), "ms", target{})
	var every []time.Duration
	var inside, insideOwn time.Duration
	for _, name := range []string{"Check", "Diff", "Create", "Read", "Update", "Delete"} {
		more, err := overheads(through.spans[name], own.spans[name])
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		every = append(every, more...)
		inside += middle(through.inside(name))
		insideOwn += middle(own.inside(name))
		all := milliseconds(middle(through.took(name)))
		s.report.add(group, fmt.Sprintf("%s (%.2f ms in all)", name, all), milliseconds(middle(more)), "ms", atMost(1))
	}
	s.report.add(group, "a call, whichever", milliseconds(middle(every)), "ms", atMost(1))
	s.report.add(group, "the provider itself, behind the bridge against alone", inside.Seconds()/insideOwn.Seconds(), "×", target{})
	return nil
}

// lives leads the resource with a number through its life, and notes what
// each call takes.
type lives func(took *ledger, n int) error

// bridgedLives are led by way of the bridge, until done is called.
func (s *suite) bridgedLives(ctx context.Context, provider string) (led lives, done func(), err error) {
	h, err := s.pluginHost(ctx, s.countedEnv(byBridge))
	if err != nil {
		return nil, nil, err
	}
	r, diags := h.Resource(ctx, host.Wanted{Path: s.Bridge}, plugin.Parameterization{Args: []string{provider}})
	err = diags.Err()
	if r != nil {
		_, err = r.Client.Configure(ctx, &pulumirpc.ConfigureRequest{Args: &structpb.Struct{}, AcceptSecrets: true, AcceptResources: true})
	}
	if err != nil {
		h.Close()
		return nil, nil, err
	}
	return func(took *ledger, n int) error { return bridgedLife(ctx, r.Client, took, n) }, func() { h.Close() }, nil
}

// hop is a call that does nothing: what any plugin takes, whatever it does.
const hop = "GetPluginInfo"

// bridgedLife is the life of one resource.
func bridgedLife(ctx context.Context, p pulumirpc.ResourceProviderClient, took *ledger, n int) error {
	const token = "wide:index/thing0000:Thing0000"
	name := fmt.Sprintf("thing-%d", n)
	urn := "urn:pulumi:dev::bench::" + token + "::" + name
	news, later := wideInputs(name, "one"), wideInputs(name, "two")
	if _, err := call(ctx, took, hop, p.GetPluginInfo, &emptypb.Empty{}); err != nil {
		return err
	}
	checked, err := call(ctx, took, "Check", p.Check, &pulumirpc.CheckRequest{Urn: urn, Name: name, Type: token, News: news})
	if err != nil || len(checked.GetFailures()) > 0 {
		return fmt.Errorf("the check failed: %v, %w", checked.GetFailures(), err)
	}
	created, err := call(ctx, took, "Create", p.Create, &pulumirpc.CreateRequest{Urn: urn, Name: name, Type: token, Properties: news})
	if err != nil {
		return err
	}
	id, olds := created.GetId(), created.GetProperties()
	if _, err = call(ctx, took, "Read", p.Read, &pulumirpc.ReadRequest{Id: id, Urn: urn, Name: name, Type: token, Properties: olds, Inputs: news}); err != nil {
		return err
	}
	diff, err := call(ctx, took, "Diff", p.Diff, &pulumirpc.DiffRequest{Id: id, Urn: urn, Name: name, Type: token, Olds: olds, OldInputs: news, News: later})
	if err != nil || len(diff.GetDiffs()) != 1 {
		return fmt.Errorf("the diff is %v, %w", diff, err)
	}
	updated, err := call(ctx, took, "Update", p.Update, &pulumirpc.UpdateRequest{Id: id, Urn: urn, Name: name, Type: token, Olds: olds, OldInputs: news, News: later})
	if err != nil {
		return err
	}
	_, err = call(ctx, took, "Delete", p.Delete, &pulumirpc.DeleteRequest{Id: id, Urn: urn, Name: name, Type: token, Properties: updated.GetProperties()})
	return err
}

// call notes how long a call takes between two messages that are encoded: to
// encode them is the engine's part, with whatever plugin it talks to.
func call[Request proto.Message, Answer any, A interface {
	*Answer
	proto.Message
}](ctx context.Context, took *ledger, name string, method func(context.Context, Request, ...grpc.CallOption) (A, error), req Request) (A, error) {
	data, err := proto.Marshal(req)
	if err != nil {
		return nil, err
	}
	c := &encoded{request: data}
	err = took.note(name, func() error {
		_, err := method(ctx, req, grpc.ForceCodecV2(c))
		return err
	})
	if err != nil {
		return nil, err
	}
	answer := A(new(Answer))
	return answer, proto.Unmarshal(c.answer, answer)
}

// encoded is a codec for one call, whose messages it leaves as they are.
type encoded struct{ request, answer []byte }

// Marshal implements encoding.CodecV2.
func (e *encoded) Marshal(any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(e.request)}, nil
}

// Unmarshal implements encoding.CodecV2.
func (e *encoded) Unmarshal(data mem.BufferSlice, _ any) error {
	e.answer = data.Materialize()
	return nil
}

// Name implements encoding.CodecV2.
func (*encoded) Name() string { return "proto" }

func inTurn(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// wideInputs sets every attribute of a thing.
func wideInputs(name, text string) *structpb.Struct {
	fields := map[string]*structpb.Value{"name": structpb.NewStringValue(name), "secret": structpb.NewStringValue("s3cret")}
	for i := range 47 {
		number := fmt.Sprintf("%02d", i)
		switch i % 5 {
		case 0:
			value := "a text of some length, as settings have"
			if i == 0 {
				value = text
			}
			fields["textSetting"+number] = structpb.NewStringValue(value)
		case 1:
			fields["countSetting"+number] = structpb.NewNumberValue(float64(i))
		case 2:
			fields["enabledSetting"+number] = structpb.NewBoolValue(true)
		case 3:
			list := []*structpb.Value{structpb.NewStringValue("a"), structpb.NewStringValue("b")}
			fields["listSetting"+number+"s"] = structpb.NewListValue(&structpb.ListValue{Values: list})
		case 4:
			labels := map[string]*structpb.Value{"k": structpb.NewStringValue("v")}
			fields["labelSetting"+number] = structpb.NewStructValue(&structpb.Struct{Fields: labels})
		}
	}
	return &structpb.Struct{Fields: fields}
}

// directLives are led by the provider's own calls behind each of the bridge's,
// of a process that runs as the bridge would run it, until done is called.
func (s *suite) directLives(ctx context.Context, provider string) (led lives, done func(), err error) {
	req, err := tfregistry.ParseSource(provider)
	if err != nil {
		return nil, nil, err
	}
	providers, diags := tfhost.New(tfhost.Environment{Vars: append(cleanEnv(), s.countedEnv(directly)...), CacheDir: filepath.Join(s.work, "direct")})
	if diags.HasErrors() {
		return nil, nil, diags.Err()
	}
	led, err = direct{ctx: ctx}.lives(providers, req)
	if err != nil {
		providers.Close()
		return nil, nil, err
	}
	return led, func() { providers.Close() }, nil
}

// lives starts the provider.
func (d direct) lives(providers *tfhost.Host, req tfregistry.Request) (lives, error) {
	p, diags := providers.Open(d.ctx, req)
	if diags.HasErrors() {
		return nil, diags.Err()
	}
	catalog, diags := p.Schema(d.ctx)
	if diags.HasErrors() {
		return nil, diags.Err()
	}
	schema, err := catalog.Resource(wideType)
	if err != nil {
		return nil, err
	}
	d.p, d.block = p.Provider, schema.Block
	return d.life, p.Configure(d.ctx, cty.EmptyObjectVal).Err()
}

const wideType = "wide_thing_0000"

// life is the life of one resource.
func (d direct) life(took *ledger, n int) error {
	ctx, p, block := d.ctx, d.p, d.block
	name := fmt.Sprintf("thing-%d", n)
	one, two := wideConfig(block, name, "one"), wideConfig(block, name, "two")
	var state cty.Value
	return inTurn(
		func() error {
			return took.note("Check", func() error { return p.ValidateResourceConfig(ctx, wideType, one).Err() })
		},
		func() error {
			return took.note("Create", func() (err error) {
				state, err = d.change(cty.NullVal(block.ImpliedType()), one)
				return err
			})
		},
		func() error {
			return took.note("Read", func() error {
				prior, err := d.upgrade(state)
				if err != nil {
					return err
				}
				_, diags := p.ReadResource(ctx, tfprovider.ReadRequest{TypeName: wideType, State: prior})
				return diags.Err()
			})
		},
		func() error {
			return took.note("Diff", func() error {
				prior, err := d.upgrade(state)
				if err != nil {
					return err
				}
				_, err = d.plan(prior, two)
				return err
			})
		},
		func() error {
			return took.note("Update", func() error {
				prior, err := d.upgrade(state)
				if err == nil {
					state, err = d.change(prior, two)
				}
				return err
			})
		},
		func() error {
			return took.note("Delete", func() error {
				prior, err := d.upgrade(state)
				if err == nil {
					_, err = d.change(prior, cty.NullVal(block.ImpliedType()))
				}
				return err
			})
		},
	)
}

// direct makes a provider's calls.
type direct struct {
	ctx   context.Context
	p     tfprovider.Provider
	block *tfschema.Block
}

func (d direct) upgrade(state cty.Value) (cty.Value, error) {
	data, err := ctyx.EncodeJSON(state, d.block.ImpliedType())
	if err != nil {
		return cty.NilVal, err
	}
	out, diags := d.p.UpgradeResourceState(d.ctx, tfprovider.UpgradeStateRequest{TypeName: wideType, Raw: tfprovider.RawState{JSON: data}})
	return out, diags.Err()
}

func (d direct) plan(prior, config cty.Value) (tfprovider.PlanResponse, error) {
	proposed := config
	if !config.IsNull() {
		proposed = tfplan.ProposedNew(d.block, prior, config)
	}
	resp, diags := d.p.PlanResourceChange(d.ctx, tfprovider.PlanRequest{TypeName: wideType, Prior: prior, ProposedNew: proposed, Config: config})
	return resp, diags.Err()
}

func (d direct) change(prior, config cty.Value) (cty.Value, error) {
	planned, err := d.plan(prior, config)
	if err != nil {
		return cty.NilVal, err
	}
	resp, diags := d.p.ApplyResourceChange(d.ctx, tfprovider.ApplyRequest{
		TypeName: wideType, Prior: prior, Planned: planned.Planned, Config: config, PlannedPrivate: planned.Private,
		Forms: planned.Forms,
	})
	return resp.State, diags.Err()
}

// wideConfig is wideInputs for the provider itself.
func wideConfig(block *tfschema.Block, name, text string) cty.Value {
	attrs := block.EmptyValue().AsValueMap()
	attrs["name"], attrs["secret"] = cty.StringVal(name), cty.StringVal("s3cret")
	for i := range 47 {
		number := fmt.Sprintf("_setting_%02d", i)
		switch i % 5 {
		case 0:
			value := "a text of some length, as settings have"
			if i == 0 {
				value = text
			}
			attrs["text"+number] = cty.StringVal(value)
		case 1:
			attrs["count"+number] = cty.NumberIntVal(int64(i))
		case 2:
			attrs["enabled"+number] = cty.True
		case 3:
			attrs["list"+number] = cty.ListVal([]cty.Value{cty.StringVal("a"), cty.StringVal("b")})
		case 4:
			attrs["label"+number] = cty.MapVal(map[string]cty.Value{"k": cty.StringVal("v")})
		}
	}
	return cty.ObjectVal(attrs)
}
