package discover

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"golang.org/x/sync/errgroup"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// List asks the provider for everything of every wanted type that it can
// list without configuration. A type whose list cannot be made without is in
// the outcome's NeedConfig; one whose list fails is in Failed.
type List struct {
	Provider tfprovider.Provider
	// Except are types to leave to other sources, which list them as the user
	// wants it: see [QuerySource.Types].
	Except []string
	// Limit is how many objects of one type are taken; 0 is no limit.
	Limit int64
	// IncludeObjects asks for the objects with their identities.
	IncludeObjects bool
	// Parallel is how many types are listed at once; below 1 is 1.
	Parallel int
}

// Name is "list".
func (List) Name() string { return "list" }

// Discover lists the wanted types.
func (l List) Discover(ctx context.Context, scope Scope, yield func(Found) error) (Outcome, diag.List) {
	run := &listing{provider: l.Provider, source: l.Name(), catalog: scope.Catalog, yield: yield}
	var queries []query
	for _, typeName := range scope.wanted() {
		if !scope.Catalog.Has(tfschema.KindList, typeName) || slices.Contains(l.Except, typeName) {
			continue
		}
		schema, err := scope.Catalog.Schema(tfschema.KindList, typeName)
		switch {
		case err != nil:
			run.outcome.Failed = append(run.outcome.Failed, Failure{typeName, diag.List{badListSchema(typeName, err)}})
		case needsConfig(schema.Block):
			run.outcome.NeedConfig = append(run.outcome.NeedConfig, typeName)
		default:
			queries = append(queries, query{
				label: typeName, typeName: typeName, config: schema.Block.EmptyValue(),
				limit: l.Limit, includeObject: l.IncludeObjects, whole: true,
			})
		}
	}
	return run.all(ctx, queries, l.Parallel)
}

// needsConfig reports whether the empty block is not a valid one.
func needsConfig(block *tfschema.Block) bool {
	for _, attr := range block.Attributes {
		if attr.Required {
			return true
		}
	}
	for _, nested := range block.Blocks {
		if nested.Min > 0 || nested.Nesting == tfschema.NestingGroup && needsConfig(nested.Block) {
			return true
		}
	}
	return false
}

// query is one list to make.
type query struct {
	label         string // for messages: the type, or the list block's address
	typeName      string
	config        cty.Value
	limit         int64 // 0 is no limit
	includeObject bool
	whole         bool       // nothing but the limit leaves objects out
	at            *hcl.Range // the list block, or nil
}

// listing makes lists at bounded concurrency and hands on what they find
// one by one.
type listing struct {
	provider tfprovider.Provider
	source   string
	catalog  *tfschema.Catalog

	mu      sync.Mutex
	yield   func(Found) error
	outcome Outcome
	cut     diag.List
}

func (l *listing) all(ctx context.Context, queries []query, parallel int) (Outcome, diag.List) {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, parallel))
	for _, q := range queries {
		group.Go(func() error { return l.one(ctx, q) })
	}
	if err := group.Wait(); err != nil {
		return l.outcome, diag.List{interrupted(l.source, err)}
	}
	slices.SortFunc(l.cut, func(a, b *diag.Diagnostic) int { return strings.Compare(a.Summary, b.Summary) })
	return l.outcome, l.cut
}

// one makes one list. Only what ends the whole work is an error.
func (l *listing) one(ctx context.Context, q query) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	truncated, problems, err := false, l.provider.ValidateListConfig(ctx, q.typeName, q.config), error(nil)
	if !problems.HasErrors() {
		truncated, problems, err = l.stream(ctx, q)
	}
	if err = errors.Join(err, ctx.Err()); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case problems.HasErrors():
		l.outcome.Failed = append(l.outcome.Failed, Failure{q.typeName, placed(problems.Errors(), q.at)})
	case truncated:
		l.outcome.Truncated = append(l.outcome.Truncated, q.typeName)
		l.cut = append(l.cut, listCutShort(q.label, q.limit, q.at))
	default:
		l.outcome.Enumerated = append(l.outcome.Enumerated, q.typeName)
		if q.whole {
			l.outcome.Whole = append(l.outcome.Whole, q.typeName)
		}
	}
	return nil
}

// placed gives the list block's place to what the provider said about it.
func placed(diags diag.List, at *hcl.Range) diag.List {
	for _, d := range diags {
		if d.Subject == nil {
			d.Subject = at
		}
	}
	return diags
}

// stream takes the events of one list. One more than the limit is asked for,
// to learn whether there is more. Objects are counted by their identities, which
// come once each.
func (l *listing) stream(ctx context.Context, q query) (truncated bool, problems diag.List, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	req := tfprovider.ListRequest{TypeName: q.typeName, Config: q.config, IncludeObject: q.includeObject, Limit: q.limit}
	if req.Limit > 0 {
		req.Limit++
	}
	seen := map[string]bool{}
	for event := range l.provider.ListResource(ctx, req) {
		problems = append(problems, event.Diagnostics...)
		found, ok := l.found(q, event)
		if !ok {
			if !event.Diagnostics.HasErrors() {
				problems = append(problems, listedWithoutIdentity(q.typeName, event.DisplayName))
			}
			continue
		}
		seen[found.Key()] = true
		if q.limit > 0 && int64(len(seen)) > q.limit {
			return true, problems, nil
		}
		if err := l.hand(found); err != nil {
			return false, problems, err
		}
	}
	return false, problems, nil
}

func (l *listing) found(q query, event tfprovider.ListEvent) (Found, bool) {
	if event.Identity == cty.NilVal || event.Identity.IsNull() || !event.Identity.IsWhollyKnown() {
		return Found{}, false
	}
	found := Found{
		Type: q.typeName, Identity: event.Identity, DisplayName: event.DisplayName,
		Source: l.source, Range: q.at,
	}
	if event.Object != cty.NilVal && !event.Object.IsNull() {
		found.Object = event.Object
	}
	return found, true
}

func (l *listing) hand(f Found) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.yield(f)
}
