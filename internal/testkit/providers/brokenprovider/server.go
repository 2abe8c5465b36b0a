package brokenprovider

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Server is the good provider with orders to misbehave in one of its calls. Its
// last words go to stderr, which must be taken before a plugin server replaces
// os.Stderr with a pipe to the client.
func Server(orders Orders, stderr io.Writer) tfprotov6.ProviderServer {
	return &server{ProviderServer: providerserver.NewProtocol6(good{orders.Schema})(), orders: orders, stderr: stderr}
}

type server struct {
	tfprotov6.ProviderServer
	orders Orders
	stderr io.Writer
}

func thingType() tftypes.Object {
	return tftypes.Object{AttributeTypes: map[string]tftypes.Type{
		"id": tftypes.String, "name": tftypes.String, "secret": tftypes.String,
	}}
}

func (s *server) GetProviderSchema(
	ctx context.Context, req *tfprotov6.GetProviderSchemaRequest,
) (*tfprotov6.GetProviderSchemaResponse, error) {
	diags, err := s.before(ctx, "GetProviderSchema", "")
	if err != nil {
		return nil, err
	}
	resp, err := s.ProviderServer.GetProviderSchema(ctx, req)
	if err == nil {
		resp.Diagnostics = append(resp.Diagnostics, diags...)
	}
	return resp, err
}

func (s *server) ConfigureProvider(
	ctx context.Context, req *tfprotov6.ConfigureProviderRequest,
) (*tfprotov6.ConfigureProviderResponse, error) {
	diags, err := s.before(ctx, "ConfigureProvider", "")
	if err != nil {
		return nil, err
	}
	resp, err := s.ProviderServer.ConfigureProvider(ctx, req)
	if err == nil {
		resp.Diagnostics = append(resp.Diagnostics, diags...)
	}
	return resp, err
}

func (s *server) ValidateResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	diags, err := s.before(ctx, "ValidateResourceConfig", "")
	if err != nil {
		return nil, err
	}
	resp, err := s.ProviderServer.ValidateResourceConfig(ctx, req)
	if err == nil {
		resp.Diagnostics = append(resp.Diagnostics, diags...)
	}
	return resp, err
}

func (s *server) ImportResourceState(
	ctx context.Context, req *tfprotov6.ImportResourceStateRequest,
) (*tfprotov6.ImportResourceStateResponse, error) {
	diags, err := s.before(ctx, "ImportResourceState", req.ID)
	if err != nil {
		return nil, err
	}
	resp, err := s.ProviderServer.ImportResourceState(ctx, req)
	if err != nil {
		return nil, err
	}
	resp.Diagnostics = append(resp.Diagnostics, diags...)
	for _, imported := range resp.ImportedResources {
		imported.State = s.spoil("ImportResourceState", req.ID, imported.State)
	}
	return resp, nil
}

func (s *server) ReadResource(
	ctx context.Context, req *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	id := idOf(req.CurrentState)
	diags, err := s.before(ctx, "ReadResource", id)
	if err != nil {
		return nil, err
	}
	resp, err := s.ProviderServer.ReadResource(ctx, req)
	if err != nil {
		return nil, err
	}
	resp.Diagnostics = append(resp.Diagnostics, diags...)
	resp.NewState = s.spoil("ReadResource", id, resp.NewState)
	return resp, nil
}

func (s *server) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	id := idOf(req.PriorState)
	diags, err := s.before(ctx, "PlanResourceChange", id)
	if err != nil {
		return nil, err
	}
	resp, err := s.ProviderServer.PlanResourceChange(ctx, req)
	if err != nil {
		return nil, err
	}
	resp.Diagnostics = append(resp.Diagnostics, diags...)
	resp.PlannedState = s.spoil("PlanResourceChange", id, resp.PlannedState)
	return resp, nil
}

// before misbehaves instead of a call, or hands back what to add to its
// diagnostics.
func (s *server) before(ctx context.Context, call, id string) ([]*tfprotov6.Diagnostic, error) {
	if !s.orders.applies(call, id) {
		return nil, nil
	}
	switch s.orders.Mode {
	case Crash:
		go func() { panic("broken: asked to panic in " + call) }()
		<-ctx.Done()
	case ExitInCall:
		fmt.Fprintln(s.stderr, "broken: asked to exit in", call)
		os.Exit(4)
	case Hang:
		<-ctx.Done()
		return nil, ctx.Err()
	case Deaf:
		time.Sleep(10 * time.Minute)
	case Fail:
		return nil, errors.New("broken: asked to fail in " + call)
	case Refuse:
		return []*tfprotov6.Diagnostic{{
			Severity: tfprotov6.DiagnosticSeverityError, Summary: "Refused", Detail: "Asked to refuse " + call + ".",
		}}, nil
	case OddDiags:
		return oddDiagnostics(), nil
	case Chatty:
		for i := range 2000 {
			fmt.Fprintf(os.Stderr, "broken: line %d of a flood %s\n", i, strings.Repeat("~", 200))
		}
	}
	return nil, nil
}

// oddDiagnostics are warnings that no schema foresees.
func oddDiagnostics() []*tfprotov6.Diagnostic {
	warning := tfprotov6.DiagnosticSeverityWarning
	return []*tfprotov6.Diagnostic{
		{Severity: warning},
		{Severity: warning, Summary: "control \x1b[31mcharacters\x07", Detail: strings.Repeat("long ", 20000)},
		{
			Severity: warning, Summary: "an attribute that does not exist",
			Attribute: tftypes.NewAttributePath().WithAttributeName("no").WithElementKeyInt(-1).WithElementKeyString(""),
		},
	}
}

// spoil turns a good state into what the mode asks for.
func (s *server) spoil(call, id string, state *tfprotov6.DynamicValue) *tfprotov6.DynamicValue {
	if !s.orders.applies(call, id) || state == nil {
		return state
	}
	switch s.orders.Mode {
	case Malformed:
		return &tfprotov6.DynamicValue{MsgPack: []byte{0xc1, 0xff, 0x00}} // 0xc1 is never used
	case WrongType:
		return &tfprotov6.DynamicValue{MsgPack: []byte{0x93, 0x01, 0x02, 0x03}} // [1,2,3]
	case Truncated:
		return &tfprotov6.DynamicValue{MsgPack: state.MsgPack[:len(state.MsgPack)/2]}
	case NoState:
		return nil
	case UnknownState, WrongID:
		return s.rewritten(state)
	}
	return state
}

// rewritten is a state with another id, or an unknown one.
func (s *server) rewritten(state *tfprotov6.DynamicValue) *tfprotov6.DynamicValue {
	value, err := state.Unmarshal(thingType())
	if err != nil || value.IsNull() {
		return state
	}
	var members map[string]tftypes.Value
	if err := value.As(&members); err != nil {
		return state
	}
	members["id"] = tftypes.NewValue(tftypes.String, "somebody else")
	if s.orders.Mode == UnknownState {
		members["id"] = tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
	}
	changed, err := tfprotov6.NewDynamicValue(thingType(), tftypes.NewValue(thingType(), members))
	if err != nil {
		return state
	}
	return &changed
}

// idOf reads the id in a state, or "" where there is none.
func idOf(state *tfprotov6.DynamicValue) string {
	if state == nil {
		return ""
	}
	value, err := state.Unmarshal(thingType())
	if err != nil || value.IsNull() {
		return ""
	}
	var members map[string]tftypes.Value
	var id string
	if value.As(&members) != nil || !members["id"].IsKnown() || members["id"].As(&id) != nil {
		return ""
	}
	return id
}
