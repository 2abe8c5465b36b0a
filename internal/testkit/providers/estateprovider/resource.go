package estateprovider

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"

	"github.com/formation-iac/formation/internal/testkit/estateapi"
)

// estateResource is every resource type; its definition tells them apart.
type estateResource struct {
	definition
	shape  *shape
	client *estateapi.Client
}

var (
	_ resource.ResourceWithConfigure        = (*estateResource)(nil)
	_ resource.ResourceWithConfigValidators = (*estateResource)(nil)
	_ resource.ResourceWithIdentity         = (*estateResource)(nil)
	_ resource.ResourceWithImportState      = (*estateResource)(nil)
	_ resource.ResourceWithMoveState        = (*estateResource)(nil)
)

func newResource(d definition) func() resource.Resource {
	return func() resource.Resource { return &estateResource{definition: d, shape: shapeOf(d.schema)} }
}

func (r *estateResource) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = r.typeName()
}

func (r *estateResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = r.schema
}

func (r *estateResource) IdentitySchema(
	_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse,
) {
	resp.IdentitySchema.Attributes = map[string]identityschema.Attribute{}
	for _, name := range r.identity {
		resp.IdentitySchema.Attributes[name] = identityschema.StringAttribute{RequiredForImport: true}
	}
}

func (r *estateResource) ConfigValidators(context.Context) []resource.ConfigValidator {
	return r.validators
}

func (r *estateResource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.client = clientFrom(req.ProviderData, &resp.Diagnostics)
}

func (r *estateResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	body, err := r.body(req.Plan.Raw)
	if err == nil {
		err = r.addWriteOnly(body, req.Config.Raw, req.Plan.Raw, nil)
	}
	if err != nil {
		resp.Diagnostics.AddError("Cannot make the request", err.Error())
		return
	}
	obj, err := r.client.Create(ctx, r.kind, body)
	if err != nil {
		resp.Diagnostics.AddError("Cannot create "+r.typeName(), err.Error())
		return
	}
	r.answer(ctx, obj, req.Plan.Raw, &resp.State, resp.Identity, &resp.Diagnostics)
	r.leaveMark(ctx, obj, resp.Private, &resp.Diagnostics)
}

func (r *estateResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	id := idIn(ctx, req.State, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	obj, err := r.client.Get(ctx, r.kind, id)
	var refusal *estateapi.Error
	if errors.As(err, &refusal) && refusal.NotFound() {
		resp.State.RemoveResource(ctx)
		return
	}
	if err != nil {
		resp.Diagnostics.AddError(fmt.Sprintf("Cannot read %s %q", r.typeName(), id), err.Error())
		return
	}
	r.answer(ctx, obj, req.State.Raw, &resp.State, resp.Identity, &resp.Diagnostics)
	r.leaveMark(ctx, obj, resp.Private, &resp.Diagnostics)
}

func (r *estateResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	id := idIn(ctx, req.State, &resp.Diagnostics)
	r.checkMark(ctx, id, req.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	body, err := r.body(req.Plan.Raw)
	if err == nil {
		err = r.addWriteOnly(body, req.Config.Raw, req.Plan.Raw, &req.State.Raw)
	}
	if err != nil {
		resp.Diagnostics.AddError("Cannot make the request", err.Error())
		return
	}
	obj, err := r.client.Update(ctx, r.kind, id, body)
	if err != nil {
		resp.Diagnostics.AddError(fmt.Sprintf("Cannot update %s %q", r.typeName(), id), err.Error())
		return
	}
	r.answer(ctx, obj, req.Plan.Raw, &resp.State, resp.Identity, &resp.Diagnostics)
	r.leaveMark(ctx, obj, resp.Private, &resp.Diagnostics)
}

func (r *estateResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	id := idIn(ctx, req.State, &resp.Diagnostics)
	r.checkMark(ctx, id, req.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if r.beforeDelete != nil {
		if err := r.beforeDelete(ctx, req.State.Raw, r.client); err != nil {
			resp.Diagnostics.AddError(fmt.Sprintf("Cannot prepare the deletion of %s %q", r.typeName(), id), err.Error())
			return
		}
	}
	err := r.client.Delete(ctx, r.kind, id)
	var refusal *estateapi.Error
	if errors.As(err, &refusal) && refusal.NotFound() {
		return
	}
	if err != nil {
		resp.Diagnostics.AddError(fmt.Sprintf("Cannot delete %s %q", r.typeName(), id), err.Error())
	}
}

// ImportState takes an id, or an identity, and leaves the rest to Read.
func (r *estateResource) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	id := req.ID
	if id == "" {
		parts := make([]string, len(r.identity))
		for i, name := range r.identity {
			resp.Diagnostics.Append(req.Identity.GetAttribute(ctx, path.Root(name), &parts[i])...)
		}
		id = strings.Join(parts, "/")
	}
	if resp.Diagnostics.HasError() {
		return
	}
	parts, err := r.parts(id)
	if err != nil {
		resp.Diagnostics.AddError("Invalid import id", err.Error())
		return
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), id)...)
	if resp.Identity != nil {
		for i, name := range r.identity {
			resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root(name), parts[i])...)
		}
	}
}
