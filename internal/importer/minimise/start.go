package minimise

import (
	"context"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfplan"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// generation is what the configurations that a provider generates are like, in
// ascending order of how much they differ from the state; 0 before one was
// asked for.
type generation uint8

const (
	// plain: all that can be written.
	plain generation = iota + 1
	// tidy: that, without what [tidied] leaves out, as the legacy SDK generates.
	tidy
	// custom: anything else.
	custom
)

// starts lists the starting configurations: the provider's own where it
// generates one, then the state. Where the first object of a type showed
// that the former can be told from the latter, the provider is not asked again.
func (s *search) starts(ctx context.Context, can tfschema.Capabilities) []cty.Value {
	fromState := tfplan.NormalizeLegacy(s.probe.block, s.original)
	if !can.GenerateResourceConfig || s.known.generates == plain {
		return []cty.Value{fromState}
	}
	if s.known.generates == tidy {
		return []cty.Value{tidied(s.probe.block, fromState), fromState}
	}
	generated, ok := s.probe.generate(ctx, s.original)
	s.found.generates = s.like(generated, ok, fromState)
	if s.found.generates == plain {
		return []cty.Value{fromState}
	}
	return []cty.Value{generated, fromState}
}

// like compares what a provider generated, if anything, with the state.
func (s *search) like(generated cty.Value, ok bool, fromState cty.Value) generation {
	switch {
	case !ok || generated.RawEquals(everything(s.probe.block, fromState)):
		return plain
	case generated.RawEquals(tidied(s.probe.block, fromState)):
		return tidy
	default:
		return custom
	}
}

// everything is the configuration that writes all that can be written, but for
// what is at some schema places.
func everything(block *tfschema.Block, state cty.Value, but ...string) cty.Value {
	units, _ := gather(block, state)
	return rebuild(block, state, units, func(i int) bool { return !slices.Contains(but, units[i].schema) }, nil)
}

// tidied is the configuration that writes all but what is deprecated, empty
// texts, and the `id` that the legacy SDK calls optional.
func tidied(block *tfschema.Block, state cty.Value) cty.Value {
	units, _ := gather(block, state)
	return rebuild(block, state, units, func(i int) bool {
		u := &units[i]
		return !u.deprecated && !u.emptyText() && !u.legacyID()
	}, nil)
}

func (u *unit) emptyText() bool { return u.value.Type() == cty.String && zero(u.value) }

// legacyID reports whether u is the root attribute `id`, which the legacy SDK
// calls optional although nobody may set it.
func (u *unit) legacyID() bool { return u.schema == "id" && u.computed() }
