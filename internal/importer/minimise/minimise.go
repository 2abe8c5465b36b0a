package minimise

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/parallel"
	"github.com/formation-iac/formation/internal/base/progress"
	"github.com/formation-iac/formation/internal/importer/read"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// Options say how far to go.
type Options struct {
	// Smallest also leaves out what a creation could not know again.
	Smallest bool
	// Concurrency bounds how many objects are worked on at once.
	Concurrency int
}

// Minimal is the outcome for one object: its smallest configuration and the
// state under which that is a no-op; or errors in Diagnostics that say why
// there is none.
type Minimal struct {
	// Object is the object read, its state settled.
	Object read.Object
	Config cty.Value
	// Settled are the places whose values were put into the state.
	Settled []cty.Path
	// Unreadable are required attributes that the provider cannot read, in
	// the order of the schema. Config has a stand-in for each, to be given
	// through a variable; the plan must ignore changes of it.
	Unreadable []Unreadable
	// Conflicting are the places left out because the provider refuses them
	// beside others, although a creation may not bring them back.
	Conflicting []cty.Path
	// Chosen are the places left out by [Options.Smallest] that a plan for
	// creation does not give the value that the state has.
	Chosen []cty.Path
	// Wavering are the root attributes and blocks of Config that the provider
	// reads otherwise each time; the plan must ignore changes of them.
	Wavering []cty.Path
	// Calls counts the calls that the object took.
	Calls int
	// given are root attributes that were null in the state and are written
	// with what a plan gives them.
	given       []string
	Diagnostics diag.List
}

// Unreadable is a required attribute without a value in the state.
type Unreadable struct {
	Path      cty.Path
	StandIn   cty.Value
	Sensitive bool
	WriteOnly bool
}

// Minimise works on all objects. Outcomes are in the order of objects, and
// do not depend on the concurrency.
func Minimise(ctx context.Context, p tfprovider.Provider, objects []read.Object, opts Options) []Minimal {
	out := make([]Minimal, len(objects))
	byType := map[string][]int{}
	for i, o := range objects {
		byType[o.Type] = append(byType[o.Type], i)
	}
	report := progress.NewCounter(progress.From(ctx), "minimise", "objects", len(objects))
	slots := make(chan struct{}, max(opts.Concurrency, 1))
	var types sync.WaitGroup
	for _, typeName := range slices.Sorted(maps.Keys(byType)) {
		types.Go(func() {
			work := &typeWork{provider: p, typeName: typeName, opts: opts, slots: slots, report: report}
			work.all(ctx, objects, byType[typeName], out)
		})
	}
	types.Wait()
	report.End()
	return out
}

// typeWork is the work on the objects of one type.
type typeWork struct {
	provider tfprovider.Provider
	typeName string
	opts     Options
	slots    chan struct{} // shared by all types
	report   *progress.Counter
}

// all works on the objects at these places. Without a schema every one of them
// says why there is none.
func (w *typeWork) all(ctx context.Context, objects []read.Object, places []int, out []Minimal) {
	block := &tfschema.Block{}
	if catalog, diags := w.provider.Schema(ctx); !diags.HasErrors() {
		if schema, err := catalog.Resource(w.typeName); err == nil {
			block = schema.Block
			places = w.teachersFirst(block, objects, places)
		}
	}
	w.waves(ctx, block, objects, places, out)
}

// teachersFirst puts those objects first that set something which none
// before them does, so that each place is learned about once. Zero values, which
// the legacy SDK has everywhere, teach little of others.
func (w *typeWork) teachersFirst(block *tfschema.Block, objects []read.Object, places []int) []int {
	type setting struct {
		schema string
		zero   bool
	}
	seen := map[setting]bool{}
	var teachers, others []int
	for _, i := range places {
		before := len(seen)
		units, _ := gather(block, objects[i].Unfilled().State)
		for _, u := range units {
			seen[setting{u.schema, zero(u.value)}] = true
		}
		if len(seen) > before {
			teachers = append(teachers, i)
		} else {
			others = append(others, i)
		}
	}
	return append(teachers, others...)
}

// waves works on the objects in groups that double in size, and grow faster
// after one that had nothing to teach, since each waits for the slowest of the
// one before. Lessons pass from wave to wave, merged in the order of objects, so
// that the outcome is the same however the members of a wave overlap.
func (w *typeWork) waves(ctx context.Context, block *tfschema.Block, objects []read.Object, places []int, out []Minimal) {
	known, done := newLessons(), map[int]bool{}
	for size := 1; len(places) > 0; {
		wave := places[:min(size, len(places))]
		places = places[len(wave):]
		asks := witnesses(block, objects, wave, known)
		found := parallel.Map(ctx, cap(w.slots), wave, func(ctx context.Context, i int) *lessons {
			select {
			case w.slots <- struct{}{}:
				defer func() { <-w.slots }()
			case <-ctx.Done():
			}
			taught := newLessons()
			out[i] = w.object(ctx, objects[i], known, taught, asks[i])
			if !done[i] {
				w.report.Step()
			}
			return taught
		})
		growth := 4
		for n, taught := range found {
			if taught == nil { // not begun
				i := wave[n]
				out[i] = Minimal{Object: objects[i], Diagnostics: diag.List{interrupted(context.Cause(ctx))}}
				continue
			}
			if taught.anything() {
				growth = 2
			}
			known.merge(taught)
		}
		if again := known.misled(wave, found); len(again) > 0 && ctx.Err() == nil {
			places = append(again, places...)
			for _, i := range again {
				done[i] = true
			}
		}
		size *= growth
	}
}
