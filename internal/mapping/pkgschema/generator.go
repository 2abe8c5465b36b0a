package pkgschema

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"

	"github.com/formation-iac/formation/internal/base/parallel"
	"github.com/formation-iac/formation/internal/mapping"
)

// generator makes one schema.
type generator struct {
	pkg   *mapping.Package
	opts  Options
	types types
	// names has the last part of tokens by Terraform name.
	names map[string]string
	// announced says that the reader was told how much is to come.
	announced bool
}

// write writes the members of what stands for m in the schema.
type write func(g *generator, d *document, m mapping.Member) error

// batch is how many members are drafted at a time. Two batches are in memory:
// one is put together and handed on while the next is drafted.
const batch = 32

// usualDraft is room for most drafts, in bytes. The few that there are at a
// time are used again and again.
const usualDraft = 32 << 10

// section writes a member of the schema that has an object for each of
// members, and hands what is finished to w as it goes.
func (g *generator) section(ctx context.Context, w io.Writer, d *document, name string, members []mapping.Member, write write) error {
	if len(members) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	batches := slices.Collect(slices.Chunk(members, batch))
	ahead := g.begin(ctx, nil, batches[0], write)
	defer func() {
		cancel()
		for range ahead.done { // until it has ended, with whatever error
		}
	}()
	d.open(name)
	var spare []*draft
	for i := range batches {
		now := ahead
		if err := <-now.done; err != nil {
			return err
		}
		if i+1 < len(batches) {
			ahead = g.begin(ctx, spare, batches[i+1], write)
		}
		if err := g.assemble(d, now.drafts, write); err != nil {
			return err
		}
		if !g.announced {
			g.announce(w, d, len(now.drafts))
		}
		if err := d.handOn(w); err != nil {
			return err
		}
		spare = now.drafts
	}
	d.close()
	return nil
}

// announce tells w how much is to come, if it wants to know: as many members
// as there are by now stand for all of them. A buffer that has room for all is
// never copied.
func (g *generator) announce(w io.Writer, d *document, drafted int) {
	g.announced = true
	buffer, ok := w.(interface{ Grow(n int) })
	if !ok {
		return
	}
	size := len(d.json)
	for _, one := range g.types {
		size += usualToken + len(one.json)
	}
	all := len(g.pkg.Resources()) + len(g.pkg.Functions())
	buffer.Grow(int(margin * float64(size) * float64(all) / float64(drafted)))
}

// usualToken is about how many bytes the token of a type has, and margin how
// much more room is made than the first members say.
const (
	usualToken = 64
	margin     = 1.1
)

// drafting is a batch of members that are drafted side by side. Whoever waits
// for done first gets why it failed, or nil.
type drafting struct {
	drafts []*draft
	done   chan error
}

// begin drafts members, in the room of drafts that were put together already.
func (g *generator) begin(ctx context.Context, spare []*draft, members []mapping.Member, write write) drafting {
	for len(spare) < len(members) {
		spare = append(spare, &draft{document: document{make([]byte, 0, usualDraft)}})
	}
	out := drafting{spare[:len(members)], make(chan error, 1)}
	for i, one := range out.drafts {
		*one = draft{document{one.json[:0]}, members[i], types{}}
	}
	own := *g
	go func() {
		defer close(out.done)
		errs := parallel.Map(ctx, runtime.GOMAXPROCS(0), out.drafts, func(_ context.Context, one *draft) error {
			return own.draft(one, write)
		})
		out.done <- errors.Join(append(errs, ctx.Err())...)
	}()
	return out
}

// assemble writes drafts in their order. One whose types have names that
// others took before is made again, since only then it is known which are
// free.
func (g *generator) assemble(d *document, drafts []*draft, write write) error {
	for _, one := range drafts {
		if !g.types.adopt(one.types) {
			one.json, one.types = one.json[:0], g.types
			if err := g.draft(one, write); err != nil {
				return err
			}
		}
		d.add(one.member.Token, one.json)
	}
	return nil
}

// draft is a member's JSON, and the nested types that it may use and adds to.
type draft struct {
	document
	member mapping.Member
	types  types
}

func (g *generator) draft(one *draft, write write) error {
	own := *g
	own.types = one.types
	one.open("")
	defer one.close()
	if err := write(&own, &one.document, one.member); err != nil {
		return fmt.Errorf("%w; --exclude %s leaves it out", err, one.member.Terraform)
	}
	return nil
}
