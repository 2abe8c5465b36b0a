package minimise

import (
	"context"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/importer/read"
)

// object works on one object. What others of its type have in their states is
// taken for its own at first, unless that leads nowhere, or to writing what
// nobody has read of it.
func (w *typeWork) object(ctx context.Context, o read.Object, known, found *lessons, witness map[string]bool) Minimal {
	taught := newLessons()
	out := w.attempt(ctx, o, known, taught, witness)
	adopted := adopted(o, known)
	if len(adopted) > 0 && ctx.Err() == nil && (out.Diagnostics.HasErrors() || writes(out, adopted)) {
		calls := out.Calls
		taught = newLessons()
		out = w.attempt(ctx, o.Unfilled(), known.withoutSettled(), taught, witness)
		out.Calls += calls
	}
	found.merge(taught)
	return out
}

// adopted are the root attributes that an object has from others of its type.
func adopted(o read.Object, known *lessons) []string {
	_, names := read.Fill(o.State, known.customary())
	return slices.Concat(o.Filled, names)
}

// writes reports whether a configuration says something of one of these root
// attributes, but for what a plan gives and the provider wants written.
func writes(m Minimal, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return !m.Config.GetAttr(name).IsNull() && !slices.Contains(m.given, name)
	})
}

// attempt works on one object by what is known.
func (w *typeWork) attempt(ctx context.Context, o read.Object, known, found *lessons, witness map[string]bool) Minimal {
	out := Minimal{Object: o}
	catalog, diags := w.provider.Schema(ctx)
	if diags.HasErrors() {
		out.Diagnostics = diags
		return out
	}
	schema, err := catalog.Resource(o.Type)
	if err != nil {
		out.Diagnostics = diag.FromError("MI0001", "No schema for resource type", err)
		return out
	}
	p := &probe{
		provider: w.provider, typeName: o.Type, block: schema.Block,
		state: o.State, private: o.Private, identity: o.Identity, legacy: known.legacy,
	}
	search := &search{
		probe: p, known: known, found: found, witness: witness, smallest: w.opts.Smallest,
		original: o.Unfilled().State, read: o.State,
	}
	search.presettled, _ = read.Fill(o.State, known.customary())
	for _, start := range search.starts(ctx, catalog.Capabilities()) {
		out = search.from(ctx, o, start)
		if !out.Diagnostics.HasErrors() || ctx.Err() != nil {
			break
		}
	}
	out.Calls = p.calls
	found.legacy = p.legacy
	return out
}

// search tries one starting configuration after another for one object.
type search struct {
	probe        *probe
	known, found *lessons
	witness      map[string]bool
	smallest     bool
	// original is the state without what it was filled with before it was read,
	// read the state with it, and presettled that with what earlier objects'
	// states lacked.
	original, read, presettled cty.Value
}

// from searches from one start.
func (s *search) from(ctx context.Context, o read.Object, start cty.Value) Minimal {
	out := Minimal{Object: o}
	s.probe.state = s.presettled
	v := &solver{
		probe: s.probe, smallest: s.smallest, start: start, known: s.known, found: s.found, witness: s.witness,
		conflicting: map[int]bool{},
	}
	v.units, v.gaps = gather(s.probe.block, start)
	v.standIn(ctx)
	v.leaveOutID()
	c, t := v.solve(ctx)
	if t.ok() && v.mistakenID() {
		v.conflicting = map[int]bool{}
		c, t = v.solve(ctx)
	}
	if ctx.Err() != nil {
		out.Diagnostics = diag.List{interrupted(context.Cause(ctx))}
		return out
	}
	if !t.ok() {
		out.Diagnostics = v.refusal(t)
		return out
	}
	out.Config = v.canonicalise(ctx, v.config(c))
	out.Unreadable = v.unreadable(c)
	out.Conflicting = v.conflicts()
	out.Wavering = written(out.Config, o.Wavering)
	out.given = v.givenRoots()
	if s.smallest {
		out.Chosen = v.chosen(ctx, c, out.Config)
	}
	if (len(o.Filled) > 0 || v.mayHaveSettled()) && !s.probe.state.RawEquals(s.original) {
		out.Diagnostics = s.confirm(ctx, &out)
	}
	out.Object.State, out.Object.Private = s.probe.state, s.probe.private
	return out
}

// mayHaveSettled reports whether the state can be another than the one read.
func (s *solver) mayHaveSettled() bool { return len(s.known.settled) > 0 || len(s.settled) > 0 }

// confirm reads the object with its settled state: only what the provider
// leaves as it is may be written.
func (s *search) confirm(ctx context.Context, out *Minimal) diag.List {
	_, paths, ok := settled(s.original, s.probe.state)
	if !ok {
		return diag.List{notSettled(nil)}
	}
	if !s.probe.state.RawEquals(s.read) { // else it is what a read has answered
		resp, refused := s.probe.read(ctx, s.probe.state)
		if refused != nil {
			return refused
		}
		if resp.State == cty.NilVal || !equalBut(out.Object.Wavering, resp.State, s.probe.state) {
			return diag.List{notSettled(paths)}
		}
		s.probe.private = resp.Private
	}
	out.Settled = paths
	s.teach(paths)
	return nil
}

// teach passes on what the object was settled with on its own, and not what it
// has from others.
func (s *search) teach(paths []cty.Path) {
	for _, name := range roots(paths) {
		if s.presettled.GetAttr(name).IsNull() {
			s.found.settled[name] = settlement{value: s.probe.state.GetAttr(name), objects: 1}
		}
	}
}

// leaveOutID leaves out an `id` as the legacy SDK has it, until a plan shows
// another SDK.
func (s *solver) leaveOutID() {
	for i := range s.units {
		if s.units[i].legacyID() {
			s.conflicting[i] = true
		}
	}
}

// mistakenID reports whether an `id` was left out that is the user's.
func (s *solver) mistakenID() bool {
	for id := range s.conflicting {
		if s.units[id].schema == "id" && !s.probe.legacy {
			return true
		}
	}
	return false
}

// givenRoots are the root attributes that are written with what a plan gives.
func (s *solver) givenRoots() []string {
	if len(s.given) == 0 {
		return nil // as with most objects
	}
	var paths []cty.Path
	for _, g := range s.gaps {
		if path := ctyx.PathString(g.path); s.standing[path] && s.given[path] != cty.NilVal {
			paths = append(paths, g.path)
		}
	}
	return roots(paths)
}

func (s *solver) conflicts() []cty.Path {
	var out []cty.Path
	for id := range s.conflicting {
		if u := &s.units[id]; u.schema != "id" && !zero(u.value) {
			out = append(out, u.path)
		}
	}
	slices.SortFunc(out, func(a, b cty.Path) int { return strings.Compare(schemaPlace(a), schemaPlace(b)) })
	return out
}

// refusal says why no choice was accepted.
func (s *solver) refusal(t trial) diag.List {
	if len(t.refused) > 0 {
		return t.refused
	}
	return diag.List{notNoOp(t.changed)} // what would be lost is written in the end
}
