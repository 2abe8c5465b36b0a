package workflow

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfhost"
)

// DemoRequest is `formation demo`.
type DemoRequest struct {
	// Programs is the directory of the estate's server and provider; "" is
	// "testkit" beside this program.
	Programs  string
	OutDir    string // "" is a new temporary directory
	Resources int
}

// DemoOutcome is what the demo did: an import of the estate, and beside it one
// through a provider that is not ours.
type DemoOutcome struct {
	Resources int `json:"resources"`
	DemoImport
	// Real is nil where the real provider is not on the PATH.
	Real *DemoImport `json:"real_provider,omitempty"`
}

// DemoImport is an import, and what others say of it.
type DemoImport struct {
	Seconds float64       `json:"seconds"`
	Import  ImportOutcome `json:"import"`
	Judges  []Judge       `json:"judges"`
}

// Agreed reports whether the imports are proven and every judge says so too.
func (o DemoOutcome) Agreed() bool { return o.agreed() && (o.Real == nil || o.Real.agreed()) }

func (i DemoImport) agreed() bool {
	dissents := func(j Judge) bool { return j.Verdict != noChanges }
	return i.Import.Proven && !slices.ContainsFunc(i.Judges, dissents)
}

// Demo imports a synthetic estate, and some objects of a real provider. The
// estate's server ends with it; what was written stays.
func Demo(ctx context.Context, env tfhost.Environment, req DemoRequest) (DemoOutcome, diag.List) {
	programs, err := demoPrograms(req.Programs)
	if err != nil {
		return DemoOutcome{}, diag.List{noDemoPrograms(err)}
	}
	if req.OutDir == "" {
		if req.OutDir, err = os.MkdirTemp("", "formation-demo-"); err != nil {
			return DemoOutcome{}, diag.FromError("WF0013", "No directory for the demo", err)
		}
	}
	out := DemoOutcome{Resources: req.Resources}
	var diags, more diag.List
	if out.DemoImport, diags = demoEstate(ctx, env, req, programs); diags.HasErrors() {
		return out, diags
	}
	out.Real, more = demoTime(ctx, env, filepath.Join(req.OutDir, "time"))
	return out, append(diags, more...)
}

// demoImport does one import, and has it judged.
func demoImport(ctx context.Context, env tfhost.Environment, req ImportRequest) (DemoImport, diag.List) {
	req.State, req.Parallel = true, 10
	began := time.Now()
	outcome, diags := Import(ctx, env, req)
	out := DemoImport{Seconds: time.Since(began).Seconds(), Import: outcome}
	if !diags.HasErrors() {
		out.Judges = judge(ctx, env, req)
	}
	return out, diags
}
