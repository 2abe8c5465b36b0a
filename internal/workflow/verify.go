package workflow

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfhost"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
	"github.com/formation-iac/formation/internal/tf/tfverify"
)

// VerifyRequest is `formation verify`.
type VerifyRequest struct {
	Dir         string
	StatePath   string
	VarFiles    []string
	Vars        map[string]string
	SkipRefresh bool
	Parallel    int
}

// Verify proves that a root module and its state are a no-op, or names what
// is not. Providers are those that the lock file pins, where there is one.
func Verify(ctx context.Context, env tfhost.Environment, req VerifyRequest) (tfverify.Report, diag.List) {
	if info, err := os.Stat(req.Dir); err == nil && !info.IsDir() {
		return tfverify.NewReport(nil), diag.List{notAModule(req.Dir)}
	}
	env.Brief = true
	work := func(host *tfhost.Host) (tfverify.Report, diag.List) { return verifyWith(ctx, host, env, req) }
	if readOnce(slices.Concat([]string{req.StatePath}, req.VarFiles)...) {
		return byOwnSchemas(ctx, env, tfverify.NewReport(nil), work)
	}
	return byKeptSchemas(ctx, env, tfverify.NewReport(nil), work)
}

func verifyWith(ctx context.Context, host *tfhost.Host, env tfhost.Environment, req VerifyRequest) (tfverify.Report, diag.List) {
	lock, diags := tfregistry.LoadLockFile(filepath.Join(req.Dir, tfregistry.LockFileName))
	if diags.HasErrors() {
		return tfverify.NewReport(nil), diags
	}
	providers := newLauncher(host, lock)
	request := tfverify.Request{
		Dir: req.Dir, StatePath: req.StatePath, VarFiles: req.VarFiles, Vars: req.Vars, Env: env.Vars,
		SkipRefresh: req.SkipRefresh, Parallel: req.Parallel,
		Require: providers.require, Launch: providers.launch,
	}
	if diags = append(diags, request.UseEnvironment(env.Lookup)...); diags.HasErrors() {
		return tfverify.NewReport(nil), diags
	}
	report, more := tfverify.Verify(ctx, request)
	return report, append(diags, more...)
}
