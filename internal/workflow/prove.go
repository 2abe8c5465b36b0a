package workflow

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/outtree"
	"github.com/formation-iac/formation/internal/importer/write"
	"github.com/formation-iac/formation/internal/tf/tfhost"
	"github.com/formation-iac/formation/internal/tf/tfverify"
)

// proof is the verdict on an imported module.
type proof struct{ tfverify.Report }

// prove lays the module out in a private directory, as it will be written and
// beside what the user keeps there, and verifies that. Every object was read a
// moment ago, so none is read again, unless the user's own files manage some.
func (i *importing) prove(ctx context.Context, host *tfhost.Host, env tfhost.Environment, before earlier, module write.Module) (proof, diag.List) {
	module.Imports = nil           // the state says that everything is imported
	module.Report = write.Report{} // no tool reads it
	tree, diags := write.Files(module)
	if diags.HasErrors() {
		return proof{}, diags
	}
	dir, err := os.MkdirTemp("", "formation-proof-")
	if err != nil {
		return proof{}, diag.List{noProofDir(err)}
	}
	defer os.RemoveAll(dir)
	if err := errors.Join(layOut(dir, tree), surround(dir, i.req.OutDir, tree, before.options)); err != nil {
		return proof{}, diag.List{noProofDir(err)}
	}
	read := i.managers == nil
	providers := lender{newLauncher(host, before.lock.LockFile), i}
	report, diags := tfverify.Verify(ctx, tfverify.Request{
		Dir: dir, StatePath: filepath.Join(dir, write.StateFile), SkipRefresh: read, Current: read, Parallel: i.req.Parallel,
		Env: withoutVariables(env.Vars), Require: providers.require, Launch: providers.launch,
	})
	for name, src := range report.Sources {
		i.sources[inModule(dir, name)] = src
	}
	for _, r := range report.Resources {
		relocate(dir, r.Reasons)
	}
	relocate(dir, diags)
	if left := unprovenBeside(module, report); len(left) > 0 {
		diags = append(diags, notOurs(i.req.OutDir, left))
	}
	return proof{report}, diags
}

// unprovenBeside names, a line each, what is no no-op of that which others keep
// in the directory.
func unprovenBeside(module write.Module, report tfverify.Report) []string {
	ours := make(map[string]bool, len(module.Resources))
	for _, r := range module.Resources {
		ours[r.Addr.String()] = true
	}
	var lines []string
	for _, r := range report.Resources {
		if r.Verdict != tfverify.NoOp && !ours[r.Address] {
			lines = append(lines, r.Address+": "+string(r.Verdict))
		}
	}
	for _, o := range report.Outputs {
		if o.Verdict != tfverify.NoOp {
			lines = append(lines, "output."+o.Name+": "+string(o.Verdict))
		}
	}
	return lines
}

// relocate names files as they will be called in the module.
func relocate(dir string, diags diag.List) {
	for _, d := range diags {
		d.Detail = strings.ReplaceAll(d.Detail, dir+string(filepath.Separator), "")
		for _, at := range []*hcl.Range{d.Subject, d.Context} {
			if at != nil {
				at.Filename = inModule(dir, at.Filename)
			}
		}
	}
}

func inModule(dir, name string) string {
	if inside, err := filepath.Rel(dir, name); err == nil && filepath.IsLocal(inside) {
		return inside
	}
	return name
}

func layOut(dir string, tree *outtree.Tree) error {
	for _, f := range tree.Files() {
		path := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// surround puts what others keep in the output directory beside the tree:
// Terraform reads all of it together.
func surround(dir, outDir string, tree *outtree.Tree, opts outtree.Options) error {
	others, err := outtree.Others(outDir, opts)
	if err != nil {
		return err
	}
	outDir, err = filepath.Abs(outDir)
	if err != nil {
		return err
	}
	for _, name := range others {
		if _, generated := tree.File(name); generated {
			continue
		}
		if err := os.Symlink(filepath.Join(outDir, name), filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// withoutVariables drops the TF_VAR_ variables of the user's environment:
// what is written must stand on its own.
func withoutVariables(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(entry string) bool { return strings.HasPrefix(entry, "TF_VAR_") })
}

// noted adds the verdicts to what the report says of each resource.
func (p proof) noted(resources []write.ResourceReport) []write.ResourceReport {
	verdicts := make(map[string]tfverify.Resource, len(p.Resources))
	for _, r := range p.Resources {
		verdicts[r.Address] = r
	}
	out := slices.Clone(resources)
	for n := range out {
		r := &out[n]
		if r.Outcome != write.Imported {
			continue
		}
		verdict, known := verdicts[r.Address]
		r.NoOp = known && verdict.Verdict == tfverify.NoOp
		if !r.NoOp {
			r.Reason = "a plan of what was written is not a no-op: " + string(verdict.Verdict)
			r.Diagnostics = append(slices.Clip(r.Diagnostics), verdict.Reasons...)
		}
	}
	return out
}
