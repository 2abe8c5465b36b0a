package estateprovider

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/formation-iac/formation/internal/testkit/estateapi"
)

// former is a type that the provider has no longer. Its resources can be moved
// to the type that took its place, by all that a state has of them.
type former struct {
	noun string
	// version is that of its schema. That of its identity is lost on the way:
	// terraform-plugin-go at 0.31.0 does not hand it on.
	version int64
	// id is what the attribute with the id was called, in state and identity.
	id string
}

// MoveState implements [resource.ResourceWithMoveState].
func (r *estateResource) MoveState(context.Context) []resource.StateMover {
	if r.former == nil {
		return nil
	}
	return []resource.StateMover{{StateMover: r.moveFormer}}
}

func (r *estateResource) moveFormer(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
	if req.SourceProviderAddress != Address || req.SourceTypeName != "estate_"+r.former.noun {
		return // the framework says so
	}
	if v := req.SourceSchemaVersion; v != r.former.version {
		resp.Diagnostics.AddError("Unknown version", fmt.Sprintf("The state has version %d, not %d.", v, r.former.version))
	}
	id := r.former.idIn("state", req.SourceRawState, &resp.Diagnostics)
	named := r.former.idIn("identity", req.SourceIdentity, &resp.Diagnostics)
	if id != named {
		resp.Diagnostics.AddError("State and identity differ", fmt.Sprintf("The state is of %q, the identity of %q.", id, named))
	}
	r.checkMark(ctx, id, req.SourcePrivate, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.TargetState.SetAttribute(ctx, path.Root("id"), id)...)
	resp.Diagnostics.Append(resp.TargetIdentity.SetAttribute(ctx, path.Root("id"), id)...)
	r.leaveMark(ctx, estateapi.Object{"id": id}, resp.TargetPrivate, &resp.Diagnostics)
}

// idIn is the id that a state or an identity names.
func (f former) idIn(what string, raw *tfprotov6.RawState, diags *diag.Diagnostics) string {
	var attributes map[string]any
	if raw != nil {
		_ = json.Unmarshal(raw.JSON, &attributes) // then there is no id
	}
	id, _ := attributes[f.id].(string)
	if id == "" {
		diags.AddError("No id", fmt.Sprintf("The %s of estate_%s has no %s.", what, f.noun, f.id))
	}
	return id
}
