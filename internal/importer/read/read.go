// Package read turns what was discovered into state objects, the way
// Terraform's import does: ImportResourceState, then ReadResource. It does
// not decide what to import, nor what of it becomes configuration.
package read

import (
	"context"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/parallel"
	"github.com/formation-iac/formation/internal/base/progress"
	"github.com/formation-iac/formation/internal/importer/discover"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tfplan"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// Object is a live resource as its provider reads it.
type Object struct {
	Found discover.Found
	// Type may differ from Found.Type: an import can bring others along.
	Type string
	// State is whole and never null, of the type that the schema implies.
	State    cty.Value
	Private  []byte
	Identity cty.Value // or cty.NilVal
	// Filled are the root attributes that the import left null, that the object
	// was read with all the same, and that the provider left as they were.
	Filled []string
	// Wavering are the root attributes and blocks, sorted, that the provider
	// answers otherwise each time it is asked; see [Steady].
	Wavering []string
}

// Outcome is what became of one thing found: objects, or errors that say
// why there are none. Warnings may stand beside objects.
type Outcome struct {
	Found       discover.Found
	Objects     []Object
	Diagnostics diag.List
}

// Read reads everything found at the given concurrency. Outcomes are in the
// order of found. What fails is tried once more when all else is done, since
// services that are pressed refuse what they give a little later; and after
// pauses, where the service seems to be out for a moment.
func Read(ctx context.Context, p tfprovider.Provider, found []discover.Found, concurrency int) []Outcome {
	outcomes, _ := ReadRising(ctx, p, found, Rising{Concurrency: concurrency, Most: concurrency})
	return outcomes
}

// Rising says how to read.
type Rising struct {
	// Concurrency is how many objects are read at a time. It rises to Most where
	// the provider answers faster than a service across a network does.
	Concurrency, Most int
	// Fills says of an object what its provider keeps for it and never reads:
	// values of root attributes. The first objects of each type are asked about,
	// and those whose turn comes after that are read with what these agree on.
	// May be nil. It is called concurrently.
	Fills func(context.Context, Object) map[string]cty.Value
}

// ReadRising is Read in a way that adapts to the provider. It returns the
// concurrency that it came to.
func ReadRising(ctx context.Context, p tfprovider.Provider, found []discover.Found, how Rising) ([]Outcome, int) {
	concurrency := how.Concurrency
	r := &reader{
		provider: p, report: progress.NewCounter(progress.From(ctx), "read", "objects", len(found)),
		customs: newCustoms(found, how.Fills),
	}
	first := min(trial, len(found))
	began := time.Now()
	outcomes := parallel.Map(ctx, concurrency, found[:first], r.one)
	risen := pace(outcomes, time.Since(began), concurrency, how.Most)
	outcomes = append(outcomes, parallel.Map(ctx, risen, found[first:], r.one)...)
	r.customs = nil // what failed may have done so for them
	r.again(ctx, outcomes, found, concurrency)
	for _, pause := range pauses() {
		if !outage(outcomes) || !wait(ctx, pause) {
			break
		}
		r.again(ctx, outcomes, found, concurrency)
	}
	r.report.End()
	for i := range outcomes { // not begun: ctx has ended
		outcomes[i].Found = found[i]
	}
	return outcomes, risen
}

// again tries what failed once more. The last answer counts, unless it is
// that ctx has ended.
func (r *reader) again(ctx context.Context, outcomes []Outcome, found []discover.Found, concurrency int) {
	places := failures(outcomes)
	retried := parallel.Map(ctx, retryConcurrency(concurrency), places, func(ctx context.Context, i int) Outcome {
		return r.read(ctx, found[i])
	})
	for n, i := range places {
		if begun := retried[n].Found.Type != ""; begun && (ctx.Err() == nil || !retried[n].Diagnostics.HasErrors()) {
			outcomes[i] = retried[n]
		}
	}
}

// retryConcurrency is gentler than the first round, which failed.
func retryConcurrency(concurrency int) int { return max(1, concurrency/4) }

// failures returns the places of outcomes worth a second try.
func failures(outcomes []Outcome) []int {
	var out []int
	for i, o := range outcomes {
		if len(o.Objects) == 0 && retriable(o.Diagnostics) {
			out = append(out, i)
		}
	}
	return out
}

func retriable(diags diag.List) bool {
	for _, d := range diags.Errors() {
		if d.Code == tfprovider.CodeProvider {
			return true
		}
	}
	return false
}

type reader struct {
	provider tfprovider.Provider
	report   *progress.Counter
	customs  *customs // nil where there are none
}

func (r *reader) one(ctx context.Context, found discover.Found) Outcome {
	defer r.report.Step()
	out := r.read(ctx, found)
	r.customs.heed(ctx, out)
	return out
}

func (r *reader) read(ctx context.Context, found discover.Found) Outcome {
	out := Outcome{Found: found}
	imported, diags := r.importState(ctx, found)
	out.Diagnostics = diags
	if diags.HasErrors() {
		return out
	}
	for _, i := range imported {
		object, diags := r.refresh(ctx, found, i)
		out.Diagnostics = append(out.Diagnostics, diags...)
		if !diags.HasErrors() {
			out.Objects = append(out.Objects, object)
		}
	}
	if len(imported) == 0 {
		out.Diagnostics = append(out.Diagnostics, nothingImported(found))
	}
	return out
}

// importState imports by identity where there is one, and by id where the
// provider does not take identities or there is none.
func (r *reader) importState(ctx context.Context, found discover.Found) ([]tfprovider.Imported, diag.List) {
	byID := tfprovider.ImportRequest{TypeName: found.Type, ID: found.ID}
	if found.Identity == cty.NilVal {
		return r.provider.ImportResourceState(ctx, byID)
	}
	byIdentity := tfprovider.ImportRequest{TypeName: found.Type, Identity: found.Identity}
	imported, diags := r.provider.ImportResourceState(ctx, byIdentity)
	if diags.HasErrors() && found.ID != "" && ctx.Err() == nil {
		if imported, idDiags := r.provider.ImportResourceState(ctx, byID); !idDiags.HasErrors() {
			return imported, idDiags
		}
	}
	return imported, diags
}

// refresh reads one imported object. An object whose id changed by being read
// is read once more, as the next plan would: providers that compose the id
// before they fill in what it is made of answer the true one only then.
func (r *reader) refresh(ctx context.Context, found discover.Found, i tfprovider.Imported) (Object, diag.List) {
	if i.Deferred != "" {
		return Object{}, diag.List{deferred(found, i.Deferred)}
	}
	if i.State.IsNull() {
		return Object{}, diag.List{gone(found)}
	}
	filled, names := Fill(i.State, r.customs.of(i.TypeName))
	request := tfprovider.ReadRequest{TypeName: i.TypeName, State: filled, Private: i.Private, Identity: i.Identity}
	resp, diags := readState(ctx, r.provider, found, request)
	if len(names) > 0 && isGone(diags) { // perhaps for what it was looked for with
		names, request.State = nil, i.State
		resp, diags = readState(ctx, r.provider, found, request)
	}
	if diags.HasErrors() {
		return Object{}, diags
	}
	if renamed(request.State, resp.State) {
		request.State, request.Private, request.Identity = resp.State, resp.Private, resp.Identity
		var more diag.List
		if resp, more = readState(ctx, r.provider, found, request); more.HasErrors() {
			return Object{}, append(diags, more...)
		}
		diags = append(diags, more...)
	}
	state, more := r.normalise(ctx, found, i.TypeName, resp.State)
	if more.HasErrors() {
		return Object{}, append(diags, more...)
	}
	object := Object{Found: found, Type: i.TypeName, State: state, Private: resp.Private, Identity: resp.Identity}
	object.Filled = kept(names, filled, state)
	return object, append(diags, more...)
}

// readState asks for the state once. Without errors it is a whole one, and
// the identity, where the provider keeps silent about it, the one before.
func readState(ctx context.Context, p tfprovider.Provider, found discover.Found, req tfprovider.ReadRequest) (tfprovider.ReadResponse, diag.List) {
	resp, diags := p.ReadResource(ctx, req)
	switch {
	case diags.HasErrors():
	case resp.Deferred != "":
		diags = append(diags, deferred(found, resp.Deferred))
	case resp.State.IsNull():
		diags = append(diags, gone(found))
	case !resp.Known && !ctyx.WhollyKnown(resp.State):
		diags = append(diags, unknownState(found))
	}
	if resp.Identity == cty.NilVal {
		resp.Identity = req.Identity
	}
	return resp, diags
}

// renamed reports whether both states have an id and not the same one.
func renamed(before, after cty.Value) bool {
	if !before.Type().HasAttribute("id") || !after.Type().HasAttribute("id") {
		return false
	}
	was, is := before.GetAttr("id"), after.GetAttr("id")
	return was.IsWhollyKnown() && !was.IsNull() && !was.RawEquals(is)
}

// normalise brings a state to the form that it is planned with.
func (r *reader) normalise(ctx context.Context, found discover.Found, typeName string, state cty.Value) (cty.Value, diag.List) {
	catalog, diags := r.provider.Schema(ctx)
	if diags.HasErrors() {
		return cty.NilVal, diags
	}
	schema, err := catalog.Resource(typeName)
	if err != nil {
		return cty.NilVal, append(diags, diag.FromError("RD0005", "No schema for resource type", err)...)
	}
	if hollow(schema.Block, state) {
		diags = append(diags, nothingRead(found))
	}
	return asPlanned(schema.Block, state), diags
}

// asPlanned is a state in the form that it is planned with. A state file says
// numbers in digits, which read back more precise than the float64 that the
// provider sent: what is planned is what will be read.
func asPlanned(block *tfschema.Block, state cty.Value) cty.Value {
	return tfconfig.AsWritten(tfplan.NormalizeLegacy(block, state))
}
