package tfplan

import (
	"context"
	"errors"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// Action is what a plan does to one resource object.
type Action uint8

// The actions. Replace is a destroy and a create, in whichever order.
const (
	NoOp Action = iota + 1
	Create
	Update
	Replace
	Delete
)

// String returns the action in lower case, as messages have it.
func (a Action) String() string {
	switch a {
	case NoOp:
		return "no-op"
	case Create:
		return "create"
	case Update:
		return "update"
	case Replace:
		return "replace"
	case Delete:
		return "delete"
	default:
		return "invalid"
	}
}

// Request asks for the plan of one resource object. Values are of the type
// of the provider's current schema, and have no marks.
type Request struct {
	TypeName string
	// Prior is the refreshed state object: null or cty.NilVal on create.
	Prior cty.Value
	// Tainted makes the plan of an existing object a replacement.
	Tainted bool
	// Config is what is written, write-only values included.
	Config       cty.Value
	PriorPrivate []byte
	Identity     cty.Value
	// Meta is the module's provider_meta, or cty.NilVal.
	Meta cty.Value
	// Ignore is the resource's lifecycle.ignore_changes.
	Ignore Ignore
}

// Result is a plan. It is whole where the list beside it has no errors.
type Result struct {
	Action  Action
	Planned cty.Value
	// Known says that nothing in Planned is unknown. False says nothing.
	Known   bool
	Private []byte
	// RequiresReplace lists the attributes that force a replacement, sorted;
	// it is empty unless Action is Replace. A tainted object has none.
	RequiresReplace []cty.Path
	Identity        cty.Value
	// Legacy says that the provider is exempt from the rules for plans.
	Legacy   bool
	Deferred tfprovider.DeferReason
	// Changes lists what differs between prior and planned. It is empty on
	// NoOp, and on a replacement that only a write-only attribute forces.
	Changes []Change
	// Apply asks the provider to carry the plan out; of a replacement, to make
	// the object anew. The configuration is that of the request, what it says of
	// ignored attributes included.
	Apply tfprovider.ApplyRequest
}

// Plan asks the provider what it would do to bring the prior object to the
// configuration, and checks the answer. It does not validate the
// configuration and does not refresh. It costs one PlanResourceChange, and a
// second for a replacement, as Terraform plans its create half on its own.
//
// The list holds the provider's own diagnostics and those of this package;
// paths in it are within the object.
func Plan(ctx context.Context, p tfprovider.Provider, req Request) (Result, diag.List) {
	_, block, diags := resourceBlock(ctx, p, req.TypeName)
	if diags.HasErrors() {
		return Result{}, diags
	}
	req.Prior, req.Config = orNull(req.Prior, block), orNull(req.Config, block)
	if bad := suitable(block, req); bad != nil {
		return Result{}, append(diags, bad...)
	}
	pl := planner{provider: p, block: block, req: req}
	result, more := pl.plan(ctx)
	return result, append(diags, more...)
}

func resourceBlock(ctx context.Context, p tfprovider.Provider, typeName string) (*tfschema.Catalog, *tfschema.Block, diag.List) {
	catalog, diags := p.Schema(ctx)
	if diags.HasErrors() {
		return nil, nil, diags
	}
	schema, err := catalog.Resource(typeName)
	if err != nil {
		return nil, nil, append(diags, diag.FromError(CodeSchemaMissing, "No schema for resource type", err)...)
	}
	return catalog, schema.Block, diags
}

func suitable(block *tfschema.Block, req Request) diag.List {
	var diags diag.List
	for _, err := range misfits(block, req.Prior) {
		diags = append(diags, unsuitableValue("prior state", req.TypeName, pathOf(err), err))
	}
	for _, err := range misfits(block, req.Config) {
		diags = append(diags, unsuitableValue("configuration", req.TypeName, pathOf(err), err))
	}
	if diags == nil && (req.Config.IsNull() || !req.Config.IsKnown()) {
		diags = append(diags, unsuitableValue("configuration", req.TypeName, nil, errNoObject))
	}
	return diags
}

var errNoObject = errors.New("there is no object; an object that is to go away has a destroy plan")

// planner is one call of Plan.
type planner struct {
	provider tfprovider.Provider
	block    *tfschema.Block
	req      Request
}

func (pl planner) plan(ctx context.Context) (Result, diag.List) {
	existing := pl.req.Prior
	if pl.req.Tainted && !existing.IsNull() {
		// As if it were not there: a new object is planned in its place.
		pl.req.Prior = cty.NullVal(pl.block.ImpliedType())
		pl.req.PriorPrivate, pl.req.Identity = nil, cty.NilVal
	}
	config := IgnoreChanges(pl.block, pl.req.Prior, pl.req.Config, pl.req.Ignore)
	resp, diags := pl.ask(ctx, config)
	if diags.HasErrors() {
		return Result{}, diags
	}
	if resp.LegacyTypeSystem { // what was as before stays so
		resp.Planned = pl.req.Ignore.revert(pl.req.Prior, resp.Planned)
	}
	replace, bad := pl.replacement(resp)
	if diags = append(diags, bad...); bad.HasErrors() {
		return Result{}, diags
	}
	result := pl.result(resp, replace)
	if result.Action == Replace && result.Deferred == "" {
		var more diag.List
		result, more = pl.replan(ctx, result)
		if more.HasErrors() { // warnings would repeat those of the first plan
			return Result{}, append(diags, more...)
		}
	}
	if !existing.IsNull() && result.Action == Create {
		result.Action = Replace
	}
	if result.Action == Replace {
		result.Changes = Changes(existing, result.Planned)
	}
	return result, diags
}

// ask plans from the request's prior to config and checks the answer.
func (pl planner) ask(ctx context.Context, config cty.Value) (tfprovider.PlanResponse, diag.List) {
	proposed, isPrior := propose(pl.block, pl.req.Prior, config)
	resp, diags := pl.provider.PlanResourceChange(ctx, tfprovider.PlanRequest{
		TypeName:      pl.req.TypeName,
		Prior:         pl.req.Prior,
		ProposedNew:   proposed,
		ProposesPrior: isPrior,
		Config:        config,
		PriorPrivate:  pl.req.PriorPrivate,
		PriorIdentity: pl.req.Identity,
		Meta:          pl.req.Meta,
	})
	if diags.HasErrors() {
		return resp, diags
	}
	return resp, append(diags, pl.check(config, resp)...)
}

func (pl planner) check(config cty.Value, resp tfprovider.PlanResponse) diag.List {
	if bad := answered(pl.block, resp.Planned, resp.AsWritten); bad != nil {
		return bad
	}
	if resp.Planned.IsNull() || !resp.Planned.IsKnown() {
		return diag.List{invalidPlan(nil, "plan has no object where configuration has one")}
	}
	if bad := CheckWriteOnly(pl.block, resp.Planned); bad != nil {
		return bad
	}
	if resp.LegacyTypeSystem || resp.Deferred != "" {
		return nil
	}
	c := &planCheck{}
	c.block(without(pl.block, resp.AsWritten), pl.req.Prior, config, resp.Planned, nil)
	return c.diags
}

func (pl planner) replacement(resp tfprovider.PlanResponse) (replacement, diag.List) {
	if pl.req.Prior.IsNull() || len(resp.RequiresReplace) == 0 {
		return replacement{}, nil
	}
	return filterReplace(pl.block, pl.req.Prior, resp.Planned, resp.RequiresReplace)
}

func (pl planner) result(resp tfprovider.PlanResponse, replace replacement) Result {
	changes := changesBut(pl.req.Prior, resp.Planned, resp.AsPrior)
	noOp := changes == nil
	result := Result{
		Action: Update, Planned: resp.Planned, Known: resp.Known, Private: resp.Private, Changes: changes,
		Identity: resp.Identity, Legacy: resp.LegacyTypeSystem, Deferred: resp.Deferred,
		Apply: applying(pl.req, resp),
	}
	switch {
	case pl.req.Prior.IsNull():
		result.Action = Create
	case replace.needed(noOp):
		result.Action, result.RequiresReplace = Replace, replace.paths
	case noOp:
		result.Action = NoOp
	}
	return result
}

// applying asks for what was planned for a request.
func applying(req Request, resp tfprovider.PlanResponse) tfprovider.ApplyRequest {
	out := tfprovider.ApplyRequest{
		TypeName: req.TypeName, Prior: req.Prior, Planned: resp.Planned, Config: req.Config,
		PlannedPrivate: resp.Private, PlannedIdentity: resp.Identity, Meta: req.Meta,
	}
	if req.Ignore.empty() { // else something else was sent, or was answered
		out.Forms = resp.Forms
	}
	return out
}

// replan plans the create half of a replacement: no prior, nothing ignored.
func (pl planner) replan(ctx context.Context, first Result) (Result, diag.List) {
	pl.req.Prior = cty.NullVal(pl.block.ImpliedType())
	pl.req.PriorPrivate, pl.req.Identity = first.Private, cty.NilVal
	resp, diags := pl.ask(ctx, pl.req.Config)
	if diags.HasErrors() {
		return Result{}, diags
	}
	second := pl.result(resp, replacement{})
	second.Action, second.RequiresReplace = Replace, first.RequiresReplace
	return second, nil
}
