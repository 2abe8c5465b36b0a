package measure

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/formation-iac/formation/internal/testkit/tfcli"
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
func (r *recovery) blockFigures(name string, settled map[string][]string, plan, after []tfcli.Change) {
	zero := func(what string, plan []tfcli.Change, holds func(tfcli.Change) bool) {
		r.report.add(r.group, name+": "+what, float64(times(plan, holds)), "", exactly(0))
	}
	imports := times(plan, func(c tfcli.Change) bool { return c.Importing })
	r.report.share(r.group, name+": imported", imports, max(len(plan), len(r.Resources)), exactly(100))
	zero("to add", plan, func(c tfcli.Change) bool { return c.Does("create") })
	zero("to destroy", plan, func(c tfcli.Change) bool { return c.Does("delete") })
	zero("changes that settle nothing", plan, func(c tfcli.Change) bool {
		return c.Does("update") && slices.ContainsFunc(c.Differing, func(attribute string) bool {
			return !slices.Contains(settled[c.Address], attribute)
		})
	})
	zero("changes after apply", after, func(c tfcli.Change) bool { return !noOp(c) })
}

// settled lists the attributes that the import settled, by address.
func (i imported) settled() map[string][]string {
	out := map[string][]string{}
	for _, res := range i.Report.Resources {
		out[res.Address] = res.Settled
	}
	return out
}
