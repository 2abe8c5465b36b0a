package tfverify

import (
	"context"
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// Request says what to verify and with what.
type Request struct {
	// Dir is the root module's directory.
	Dir string
	// StatePath is the state file. "" is where the local backend keeps that of
	// the workspace; a file that is not there is then an empty state.
	StatePath string
	// VarFiles and Vars are values for variables, as -var-file and -var give
	// them; Env is the environment as "key=value", for TF_VAR_ variables.
	// Later ones win: environment, terraform.tfvars, *.auto.tfvars, VarFiles
	// in order, Vars.
	VarFiles []string
	Vars     map[string]string
	Env      []string
	// Options are how configuration is read. Where DefaultHost is "", it is
	// the host of the state's providers, so that a state of Terraform is
	// verified with Terraform's registry.
	Options tfconfig.Options
	// Launch starts a provider that is not configured yet. It is called once
	// for each provider configuration; Verify closes what it started.
	Launch func(ctx context.Context, p tfaddr.Provider) (tfprovider.Provider, diag.List)
	// Require is told of each version constraint on a provider, before any is
	// launched. Its error says why that cannot be met. It may be nil.
	Require func(p tfaddr.Provider, constraint string) error
	// SkipRefresh takes the state's word for what exists.
	SkipRefresh bool
	// Current says that the state was made by these very providers a moment
	// ago, so that there is nothing to upgrade in objects of their schemas'
	// versions.
	Current bool
	// Parallel bounds the calls to providers at one time; 0 means 10.
	Parallel int
	// Workspace is the selected workspace; "" is "default".
	Workspace string
	// Now is the time of the run; zero is the clock's.
	Now time.Time
}

// defaultParallel is what Terraform has, too.
const defaultParallel = 10

func (r Request) withDefaults() Request {
	if r.Parallel <= 0 {
		r.Parallel = defaultParallel
	}
	if r.Workspace == "" {
		r.Workspace = defaultWorkspace
	}
	if r.Now.IsZero() {
		r.Now = time.Now()
	}
	return r
}

// Verify works out what a plan of the root module would do. The report is
// whole also beside errors, as far as it goes; it is proven only without.
func Verify(ctx context.Context, req Request) (Report, diag.List) {
	req = req.withDefaults()
	tree, state, diags := load(req)
	if diags.HasErrors() {
		return NewReport(tree.AllSources()), diags
	}
	graph, more := checkCycles(tree)
	if more.HasErrors() {
		return NewReport(tree.AllSources()), append(diags, more...)
	}
	diags = slices.Concat(diags, checkReleases(tree, state), checkPassed(tree), require(req, tree))
	v := newVerifier(req, tree, state, graph)
	defer v.providers.close()
	v.run(ctx)
	report := v.report(ctx)
	diags = append(diags, v.sortedDiagnostics()...)
	report.settle(diags)
	return report, diags
}

// load reads the state and the configuration. Where the state is, the
// configuration says; which registry short provider names mean, the state.
func load(req Request) (*tfconfig.Tree, *stateIndex, diag.List) {
	named := startLoading(req.StatePath)
	tree, treeDiags := tfconfig.LoadTree(req.Dir, req.Options)
	if tree.Module == nil {
		return &tfconfig.Tree{}, nil, treeDiags
	}
	path, diags := req.StatePath, checkBackend(tree.Module.Backend)
	if path == "" && !diags.HasErrors() {
		path, diags = localState(req, tree.Module.Backend)
		if at := tree.Module.Encryption; at != nil {
			diags = append(diags, encryptedState(*at))
		}
	}
	if diags.HasErrors() {
		return &tfconfig.Tree{}, nil, append(diags, treeDiags...)
	}
	state, more := named(path)
	if diags = append(diags, more...); diags.HasErrors() {
		return &tfconfig.Tree{}, nil, diags
	}
	if host := state.defaultHost(); host != "" && req.Options.DefaultHost == "" {
		req.Options.DefaultHost = host
		tree, treeDiags = tfconfig.LoadTree(req.Dir, req.Options)
	}
	diags = append(diags, checkTofuFiles(tree, state)...)
	return tree, state, append(diags, treeDiags...)
}

// builtinFault says what is wrong with the entry of a provider that is part of
// the clients, nil for nothing.
func builtinFault(r *tfconfig.RequiredProvider) *diag.Diagnostic {
	switch {
	case !tfconfig.IsBuiltin(r.Provider):
		return nil
	case r.Provider.Type != "terraform":
		return unknownBuiltin(r.Provider.String(), r.Range)
	case r.Constraints != "":
		return versionOfBuiltin(r.Provider.String(), r.Range)
	}
	return nil
}

// require tells of the constraints of all modules.
func require(req Request, tree *tfconfig.Tree) (diags diag.List) {
	tell := func(p tfaddr.Provider, constraint string, at hcl.Range) {
		if constraint == "" || req.Require == nil || tfconfig.IsBuiltin(p) {
			return
		}
		if err := req.Require(p, constraint); err != nil {
			diags = append(diags, unmetConstraint(err, at))
		}
	}
	tree.Walk(func(t *tfconfig.Tree) {
		if t.Module == nil {
			return
		}
		for _, name := range sortedKeys(t.Module.Required) {
			r := t.Module.Required[name]
			if d := builtinFault(r); d != nil {
				diags = append(diags, d)
			}
			tell(r.Provider, r.Constraints, r.Range)
		}
		for _, p := range t.Module.Providers {
			tell(t.Module.Required[p.Name].Provider, p.Version, p.Range)
		}
	})
	return diags
}
