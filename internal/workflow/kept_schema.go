package workflow

import (
	"context"
	"os"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfhost"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// byKeptSchemas does work that goes by the schemas which earlier runs kept,
// while the processes are asked whether these are their own. Where one is not,
// nothing that was done counts, and the work is done once more by what the
// processes give. Until [tfhost.Host.Confirm] has no errors it must change
// nothing, nor use up what can be read once.
func byKeptSchemas[T any](ctx context.Context, env tfhost.Environment, none T, work func(*tfhost.Host) (T, diag.List)) (T, diag.List) {
	env.Kept = tfprovider.KeptConfirmed
	out, diags, changed := onHost(ctx, env, none, work)
	if changed {
		return byOwnSchemas(ctx, env, none, work)
	}
	return out, diags
}

// byOwnSchemas does work that cannot be done twice: the processes are asked
// before it goes by their schemas.
func byOwnSchemas[T any](ctx context.Context, env tfhost.Environment, none T, work func(*tfhost.Host) (T, diag.List)) (T, diag.List) {
	env.Kept = tfprovider.KeptIgnored
	out, diags, _ := onHost(ctx, env, none, work)
	return out, diags
}

// onHost does work with providers, and reports whether it went by a schema
// that is not theirs. None is the outcome where there is nothing to work with.
func onHost[T any](ctx context.Context, env tfhost.Environment, none T, work func(*tfhost.Host) (T, diag.List)) (_ T, diags diag.List, changed bool) {
	host, diags := tfhost.New(env)
	if diags.HasErrors() {
		return none, diags, false
	}
	defer host.Close()
	out, more := work(host)
	if more.HasErrors() && (ctx.Err() != nil || has(more, tfprovider.CodeNotStarted)) {
		return out, append(diags, more...), false // there is nobody to ask
	}
	doubts := host.Confirm(ctx)
	if !more.HasErrors() {
		more = append(more, doubts...)
	}
	return out, append(diags, more...), has(doubts, tfprovider.CodeSchemaChanged)
}

// hosted is a provider that goes on running after whoever has it is done: its
// host ends it, once it has confirmed its schema.
type hosted struct{ tfprovider.Provider }

// Close leaves the provider running.
func (hosted) Close() error { return nil }

func has(diags diag.List, code string) bool {
	for _, d := range diags {
		if d.Code == code {
			return true
		}
	}
	return false
}

// readOnce reports whether one of the files gives its text only once, as a
// pipe does. "" names none.
func readOnce(paths ...string) bool {
	for _, path := range paths {
		if path == StandardInput {
			return true
		}
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			return true
		}
	}
	return false
}
