package discover

import (
	"context"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/suggest"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// entry is one line of an inventory before it is checked against the
// provider's schema. Identity is nil where there is none.
type entry struct {
	typeName, id, name string
	identity           map[string]cty.Value
	at                 hcl.Range
}

// intake checks the entries of one inventory and passes them on. It gathers
// faults of the inventory until there are maxProblems; an entry that only the
// provider's schema speaks against is rejected alone.
type intake struct {
	ctx       context.Context
	source    string
	localName string // of the provider, in `import` blocks
	scope     Scope
	yield     func(Found) error
	types     map[string]bool
	outcome   Outcome
	diags     diag.List
	faults    int
	stopped   bool
}

func newIntake(ctx context.Context, source string, scope Scope, yield func(Found) error) *intake {
	return &intake{ctx: ctx, source: source, scope: scope, yield: yield, types: map[string]bool{}}
}

// fault records an error. After the last one that is shown, stopped is set
// and parsers give up.
func (in *intake) fault(d *diag.Diagnostic) {
	if in.stopped {
		return
	}
	if in.faults == maxProblems {
		in.diags = append(in.diags, moreProblems())
		in.stopped = true
		return
	}
	in.faults++
	in.diags = append(in.diags, d)
}

// add checks one entry and yields it.
func (in *intake) add(e entry) {
	if in.stopped {
		return
	}
	if err := in.ctx.Err(); err != nil {
		in.stop(interrupted(in.source, err))
		return
	}
	if e.typeName != "" && in.scope.excludes(e.typeName) {
		in.outcome.Excluded++
		return
	}
	if problem := e.malformed(); problem != nil {
		in.fault(problem)
		return
	}
	found, problem := in.scope.check(e)
	found.Source = in.source
	if problem != nil {
		in.outcome.Rejected = append(in.outcome.Rejected, Rejected{Found: found, Diagnostics: diag.List{problem}})
		return
	}
	in.types[e.typeName] = true
	if in.faults > 0 {
		return // only looking for more faults
	}
	if err := in.yield(found); err != nil {
		in.stop(interrupted(in.source, err))
	}
}

func (in *intake) stop(d *diag.Diagnostic) {
	in.diags = append(in.diags, d)
	in.stopped = true
}

// done ends the inventory called name.
func (in *intake) done(name string) (Outcome, diag.List) {
	in.outcome.Named = sortedKeys(in.types)
	if len(in.types) == 0 && in.outcome.Excluded == 0 && len(in.outcome.Rejected) == 0 && !in.diags.HasErrors() {
		in.diags = append(in.diags, emptyInventory(name))
	}
	return in.outcome, in.diags
}

// malformed says what an entry is at fault with whatever the provider; or nil.
func (e entry) malformed() *diag.Diagnostic {
	switch {
	case e.typeName == "":
		return entryWithoutType(e.at)
	case e.id != "" && e.identity != nil:
		return idAndIdentity(e.at)
	case e.id == "" && e.identity == nil:
		return neitherIDNorIdentity(e.at, e.typeName)
	}
	return nil
}

// excludes reports whether the user left the type out. A type that the
// provider lacks is not excluded: it is a fault to report.
func (s Scope) excludes(typeName string) bool {
	return s.Catalog.Has(tfschema.KindResource, typeName) && s.Selection != nil && !s.Selection.Has(typeName)
}

// check types an entry by the provider's schema. Beside a problem it is as the
// user wrote it.
func (s Scope) check(e entry) (Found, *diag.Diagnostic) {
	found := Found{Type: e.typeName, ID: e.id, Name: e.name, Range: &e.at}
	if e.identity != nil {
		found.Identity = cty.ObjectVal(e.identity)
	}
	if !s.Catalog.Has(tfschema.KindResource, e.typeName) {
		return found, unknownType(e.at, e.typeName, suggest.Nearest(e.typeName, s.Catalog.Names(tfschema.KindResource)))
	}
	if e.identity == nil {
		return found, nil
	}
	schema, err := s.Catalog.Identity(e.typeName)
	if err != nil {
		return found, badIdentitySchema(e.at, e.typeName, err)
	}
	if schema == nil {
		return found, typeWithoutIdentity(e.at, e.typeName)
	}
	identity, err := conform(schema, e.identity)
	if err != nil {
		return found, badIdentity(e.at, e.typeName, err)
	}
	found.Identity = identity
	return found, nil
}
