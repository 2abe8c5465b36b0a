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
}

// write writes the members of what stands for m in the schema.
type write func(g *generator, d *document, m mapping.Member) error

// batch is how many members are in memory at once.
const batch = 64

// section writes a member of the schema that has an object for each of
// members, and hands what is finished to w as it goes.
func (g *generator) section(ctx context.Context, w io.Writer, d *document, name string, members []mapping.Member, write write) error {
	if len(members) == 0 {
		return nil
	}
	drafts := make([]draft, min(batch, len(members)))
	d.open(name)
	for some := range slices.Chunk(members, batch) {
		if err := g.batch(ctx, d, drafts[:len(some)], some, write); err != nil {
			return err
		}
		if err := d.handOn(w); err != nil {
			return err
		}
	}
	d.close()
	return nil
}

// batch drafts members side by side and writes them in their order. A draft
// whose types have names that others took before is made again, since only
// then it is known which are free.
func (g *generator) batch(ctx context.Context, d *document, drafts []draft, members []mapping.Member, write write) error {
	work := make([]*draft, len(drafts))
	for i := range drafts {
		drafts[i] = draft{document{drafts[i].json[:0]}, members[i], types{}}
		work[i] = &drafts[i]
	}
	errs := parallel.Map(ctx, runtime.GOMAXPROCS(0), work, func(_ context.Context, one *draft) error {
		return g.draft(one, write)
	})
	if err := errors.Join(append(errs, ctx.Err())...); err != nil {
		return err
	}
	for _, one := range work {
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
