package measure

import (
	"context"
	"path/filepath"
	"slices"
)

// byImportBlocks imports by import blocks, and has every judge plan and apply
// these: it may import, and settle what the report names.
func (r *recovery) byImportBlocks(ctx context.Context) error {
	for _, j := range r.judges {
		if err := r.blocks(ctx, j); err != nil {
			return err
		}
	}
	return nil
}

func (r *recovery) blocks(ctx context.Context, j judge) error {
	out := filepath.Join(r.work, "blocks-"+r.Name+"-"+j.name)
	one, err := r.importInto(ctx, out, len(r.Resources), 1, r.env(), r.Provider, "--ids", r.inventory, "--state", "import-blocks")
	if err != nil {
		return err
	}
	client, file := r.client(j, out), filepath.Join(r.work, "plan")
	plan, err := client.plan(ctx, file)
	if err != nil {
		return err
	}
	if err := client.apply(ctx); err != nil {
		return err
	}
	after, err := client.plan(ctx, file)
	if err != nil {
		return err
	}
	r.blockFigures("import blocks by "+j.name, one.settled(), plan, after)
	return nil
}

// blockFigures are those of a plan of import blocks, and of one after they
// were applied. Settled has by address what the report says is settled.
func (r *recovery) blockFigures(name string, settled map[string][]string, plan, after []planned) {
	zero := func(what string, plan []planned, holds func(planned) bool) {
		r.report.add(r.group, name+": "+what, float64(times(plan, holds)), "", exactly(0))
	}
	imports := times(plan, func(p planned) bool { return p.Change.Importing != nil })
	r.report.share(r.group, name+": imported", imports, max(len(plan), len(r.Resources)), exactly(100))
	zero("to add", plan, func(p planned) bool { return p.does("create") })
	zero("to destroy", plan, func(p planned) bool { return p.does("delete") })
	zero("changes that settle nothing", plan, func(p planned) bool {
		return p.does("update") && slices.ContainsFunc(p.changes(), func(attribute string) bool {
			return !slices.Contains(settled[p.Address], attribute)
		})
	})
	zero("changes after apply", after, func(p planned) bool { return !noOp(p) })
}

// settled lists the attributes that the import settled, by address.
func (i imported) settled() map[string][]string {
	out := map[string][]string{}
	for _, res := range i.Report.Resources {
		out[res.Address] = res.Settled
	}
	return out
}
