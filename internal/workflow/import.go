package workflow

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/outtree"
	"github.com/formation-iac/formation/internal/importer"
	"github.com/formation-iac/formation/internal/importer/discover"
	"github.com/formation-iac/formation/internal/importer/link"
	"github.com/formation-iac/formation/internal/importer/write"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tfhost"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// ImportRequest is `formation import`.
type ImportRequest struct {
	Provider tfregistry.Request
	// ConfigFile holds the provider's configuration; "" takes it from the
	// query file or leaves it to the environment.
	ConfigFile string

	Include, Exclude []string // type globs
	QueryFile        string
	Inventories      []string // files; [StandardInput] is Stdin
	Stdin            io.Reader
	Commands         []string

	// NoList leaves the provider's own lists out.
	NoList bool

	RuleFiles []string
	NoLinks   bool
	Smallest  bool

	OutDir              string
	State, ImportBlocks bool
	// Prune lets go of what an earlier import into OutDir had and this one
	// does not find.
	Prune bool
	// Parallel bounds the calls to the provider at a time. It rises to
	// MostParallel where the provider answers out of this machine.
	Parallel, MostParallel int
}

// StandardInput names the standard input among inventories.
const StandardInput = "-"

// ImportOutcome is what an import did.
type ImportOutcome struct {
	// Report has timings, other than the one in the files.
	Report write.Report `json:"report"`
	Dir    string       `json:"directory"`
	Files  FilesOutcome `json:"files"`
	// LetGo names what an earlier import had and this one does not, a line
	// each: the address and why. It is never null.
	LetGo []string `json:"let_go"`
	// Proven says that everything written was proven to be a no-op once the
	// state is as it was settled: where only import blocks are written, the
	// first apply imports, and settles by the provider's own update.
	Proven bool `json:"proven"`
	// LocalProvider is the directory of a provider binary that was given by
	// its path, so that no registry may have it; or "".
	LocalProvider string `json:"local_provider,omitempty"`
	// Sources are the files that diagnostics may quote.
	Sources diag.Sources `json:"-"`
}

// FilesOutcome are files by what was done with them, sorted, with slashes,
// below the directory. Lists are never null.
type FilesOutcome struct {
	Written   []string `json:"written"`
	Unchanged []string `json:"unchanged"`
	Removed   []string `json:"removed"`
}

func filesOutcome(s outtree.Summary) FilesOutcome {
	list := func(names []string) []string { return append([]string{}, names...) }
	return FilesOutcome{Written: list(s.Written), Unchanged: list(s.Unchanged), Removed: list(s.Removed)}
}

// Complete reports whether something was found and nothing of it is missing.
func (o ImportOutcome) Complete() bool {
	s := o.Report.Summary
	return o.Proven && s.Found > 0 && s.Imported+s.Managed == s.Found && len(o.Report.Types.Failed) == 0 && len(o.Report.Types.Truncated) == 0
}

// Import brings what exists into a directory, proves it there to be a no-op,
// and only then puts it where it was asked for.
func Import(ctx context.Context, env tfhost.Environment, req ImportRequest) (ImportOutcome, diag.List) {
	env.Brief = true
	commands := keptCommands(req.Commands)
	work := func(host *tfhost.Host) (ImportOutcome, diag.List) { return importWith(ctx, host, env, req, commands) }
	if readOnce(slices.Concat([]string{req.ConfigFile, req.QueryFile}, req.Inventories, req.RuleFiles)...) {
		return byOwnSchemas(ctx, env, nothingYet(req), work)
	}
	return byKeptSchemas(ctx, env, nothingYet(req), work)
}

// keptCommands are commands that are run once, however often the work is done
// that wants their output: they may take long, cost something, or say something
// else the second time.
func keptCommands(lines []string) []discover.Command {
	out := make([]discover.Command, len(lines))
	for i, line := range lines {
		out[i] = discover.Command{Line: line, Kept: &discover.Output{}}
	}
	return out
}

// nothingYet is the outcome of an import that has done nothing.
func nothingYet(req ImportRequest) ImportOutcome {
	return ImportOutcome{
		Dir: req.OutDir, Report: write.Report{}.Sorted(), Files: filesOutcome(outtree.Summary{}), LetGo: []string{}, Sources: diag.Sources{},
	}
}

func importWith(ctx context.Context, host *tfhost.Host, env tfhost.Environment, req ImportRequest, commands []discover.Command) (ImportOutcome, diag.List) {
	out := nothingYet(req)
	before, diags := lookBack(req)
	defer before.release()
	if diags.HasErrors() {
		return out, diags
	}
	req.Provider = before.lockedVersion(req.Provider)
	i := &importing{req: req, commands: commands, sources: out.Sources}
	if before.report != nil || before.state != nil {
		i.earlierNames = before.names
	}
	if before.theirs.any() {
		i.managers = before.theirs.managing
	}
	i.taken = before.theirs.has
	began := time.Now()
	module, more := i.module(ctx, host)
	if diags = append(diags, more...); diags.HasErrors() {
		return out, calmed(ctx, diags)
	}
	timings := module.Report.Timings
	module.Report.Timings = nil // files are the same for the same work
	timings["start"] = since(began) - total(timings)
	if failure := fruitless(module); failure != nil {
		out.Report = module.FinalReport()
		return out, append(diags, failure)
	}
	if renamed := before.renamed(module); len(renamed) > 0 && !req.Prune {
		out.Report = module.FinalReport()
		return out, append(diags, renaming(req.OutDir, renamed))
	}
	letGo, more := before.keptBy(&module, req)
	if more.HasErrors() {
		out.Report = module.FinalReport()
		return out, append(diags, more...)
	}
	began = time.Now()
	module.State = before.continued(module.State)
	module = module.Printed(ctx)
	timings["write"] += since(began)
	began = time.Now()
	proof, more := i.prove(ctx, host, env, before, module)
	doubts := host.Confirm(ctx)
	timings["prove"] = since(began)
	go host.Close() // nothing is asked any more, and a large process takes a while to end
	diags = append(diags, more...)
	if ctx.Err() != nil {
		return out, append(diags, interrupted(context.Cause(ctx)))
	}
	if doubts.HasErrors() {
		return out, append(diags, doubts...)
	}
	if more.HasErrors() && len(proof.Resources) == 0 { // with what others keep there it is no module
		return out, diags
	}
	module.Report.Resources = proof.noted(module.Report.Resources)
	if !req.State {
		module.State = nil
	}
	began = time.Now()
	tree, more := write.Files(module)
	if diags = append(diags, more...); more.HasErrors() {
		return out, diags
	}
	if diags = append(diags, i.lock(tree, before.lock)...); diags.HasErrors() {
		return out, diags
	}
	replacing, more := before.setAside(req.OutDir, tree, module.State)
	if diags = append(diags, more...); diags.HasErrors() {
		return out, diags
	}
	files, more := outtree.Commit(ctx, req.OutDir, tree, before.options)
	if !more.HasErrors() {
		diags = append(diags, replacing...)
	}
	timings["write"] += since(began)
	out.Files, out.Report, out.Proven = filesOutcome(files), module.FinalReport(), proof.Proven
	out.Report.Timings = timings
	out.LetGo = append(out.LetGo, letGo...)
	if req.Provider.LocalPath != "" {
		out.LocalProvider = filepath.Dir(i.provider.Installed.Path)
	}
	return out, append(diags, more...)
}

func since(t time.Time) float64 { return time.Since(t).Seconds() }

func total(timings map[string]float64) (sum float64) {
	for _, seconds := range timings {
		sum += seconds
	}
	return sum
}

// fruitless is the error of an import that has nothing to show for what
// failed or was left out, or nil. A provider that reaches nothing must not
// write an empty module over a good one.
func fruitless(module write.Module) *diag.Diagnostic {
	imported := func(r write.ResourceReport) bool { return r.Outcome == write.Imported }
	if slices.ContainsFunc(module.Report.Resources, imported) {
		return nil
	}
	report := module.FinalReport()
	if len(report.Resources) == 0 && report.Types.Excluded > 0 {
		return allExcluded(report.Types.Excluded)
	}
	var first *diag.Diagnostic
	var concerned string
	add := func(what string, diags diag.List) {
		if errs := diags.Errors(); first == nil && len(errs) > 0 {
			first, concerned = errs[0], what
			if at := first.Subject; at != nil {
				concerned += fmt.Sprintf(" (%s:%d)", at.Filename, at.Start.Line)
			}
		}
	}
	for _, failed := range report.Types.Failed {
		add("List of "+failed.Type, failed.Diagnostics)
	}
	for _, r := range report.Resources {
		add(r.Type+" "+cmp.Or(r.ID, string(r.Identity)), r.Diagnostics)
	}
	if first == nil {
		return nil
	}
	return nothingImported(len(report.Types.Failed), len(report.Resources), concerned, first)
}

// importing is one import under way.
type importing struct {
	req      ImportRequest
	commands []discover.Command
	sources  diag.Sources
	// earlierNames is for the request of the same name; nil where nothing was
	// imported before.
	earlierNames func([]importer.Known) []string
	// managers is for the request of the same name; nil where the user's own
	// files manage nothing.
	managers func([]importer.Known) []importer.Manager

	// taken is for the request of the same name.
	taken func(tfaddr.Resource) bool

	provider  tfhost.Opened
	localName string
	config    providerConfig
	query     *discover.Query
}

// module opens and configures the provider and imports.
func (i *importing) module(ctx context.Context, host *tfhost.Host) (write.Module, diag.List) {
	user, diags := i.userRules(ctx)
	if i.req.QueryFile != "" {
		query, more := unlessInterrupted(ctx, func() (*discover.Query, diag.List) { return discover.LoadQuery(i.req.QueryFile, nil) })
		i.query = query
		diags = append(diags, more...)
		i.remember(i.req.QueryFile)
	}
	for _, path := range i.req.Inventories {
		i.remember(path)
	}
	if diags.HasErrors() {
		return write.Module{}, diags
	}
	scope, more := i.open(ctx, host)
	if diags = append(diags, more...); diags.HasErrors() {
		return write.Module{}, diags
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	builtin, inventories := beside(link.Builtin), i.inventories(ctx, scope) // while the process starts
	config, more := i.configure(ctx, scope.Catalog)
	if diags = append(diags, more...); diags.HasErrors() {
		return write.Module{}, diags
	}
	rules, more := i.rules(scope.Catalog, user, builtin)
	if diags = append(diags, more...); diags.HasErrors() {
		return write.Module{}, diags
	}
	module, more := importer.Run(ctx, importer.Request{
		Provider: i.provider, Address: i.provider.Installed.Provider, Version: i.provider.Installed.Version, Config: config,
		Sources: append(inventories, i.otherSources()...), Selection: scope.Selection,
		Rules: rules, Smallest: i.req.Smallest, Concurrency: i.req.Parallel, MostConcurrency: i.req.MostParallel,
		ImportBlocks: i.req.ImportBlocks, EarlierNames: i.earlierNames, Taken: i.taken, Managers: i.managers, Rand: rand.Reader,
	})
	module.ProviderLocalName = i.localName
	return module, append(diags, more...)
}

// open starts the provider's process, without waiting for it where the schema
// is known, and returns what of it is wanted.
func (i *importing) open(ctx context.Context, host *tfhost.Host) (discover.Scope, diag.List) {
	opened, diags := host.Open(ctx, i.req.Provider)
	if diags.HasErrors() {
		return discover.Scope{}, diags
	}
	i.provider = opened
	catalog, more := opened.Schema(ctx)
	if diags = append(diags, more...); diags.HasErrors() {
		return discover.Scope{}, diags
	}
	i.localName = write.LocalName(opened.Installed.Provider, catalog.Names(tfschema.KindResource))
	selection, more := discover.Select(catalog, i.req.Include, i.req.Exclude)
	return discover.Scope{Catalog: catalog, Selection: selection}, append(diags, more...)
}

// beside begins work at once, and returns what waits for its result.
func beside[T any](work func() T) (wait func() T) {
	done := make(chan T, 1)
	go func() { done <- work() }()
	return sync.OnceValue(func() T { return <-done })
}

// remember keeps a file's text, so that diagnostics can quote it. What can be
// read but once, such as a pipe, is not its to read.
func (i *importing) remember(path string) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return
	}
	if src, err := os.ReadFile(path); err == nil {
		i.sources[path] = src
	}
}

// userRules are those of the user's files.
func (i *importing) userRules(ctx context.Context) (*link.Rules, diag.List) {
	rules, sources, diags := loadRules(ctx, i.req.RuleFiles)
	maps.Copy(i.sources, sources)
	return rules, diags
}

// rules are all rules, the user's first, or nil. A rule of the user's that
// names what the provider does not have would do nothing, so it is an error.
func (i *importing) rules(catalog *tfschema.Catalog, user *link.Rules, builtin func() *link.Rules) (*link.Rules, diag.List) {
	if i.req.NoLinks {
		return nil, nil
	}
	return link.Merge(user, builtin()), link.Check(user, catalog)
}

// configure gives the provider its configuration and returns what to write
// of it.
func (i *importing) configure(ctx context.Context, catalog *tfschema.Catalog) (importer.ProviderConfig, diag.List) {
	schema, err := catalog.Schema(tfschema.KindProvider, "")
	if err != nil {
		return importer.ProviderConfig{}, diag.FromError("WF0003", "Cannot read the provider's schema", err)
	}
	diags := i.loadConfig(ctx, schema.Block)
	if diags.HasErrors() {
		return importer.ProviderConfig{}, diags
	}
	if diags = append(diags, configure(ctx, i.provider, i.config.value)...); diags.HasErrors() || !i.config.written {
		return importer.ProviderConfig{}, diags
	}
	body, more := tfconfig.Lower(schema.Block, i.config.value)
	return importer.ProviderConfig{LocalName: i.localName, Schema: schema.Block, Body: body}, append(diags, more...)
}

func (i *importing) loadConfig(ctx context.Context, block *tfschema.Block) diag.List {
	var diags diag.List
	switch {
	case i.req.ConfigFile != "":
		i.config, diags = unlessInterrupted(ctx, func() (providerConfig, diag.List) {
			return loadProviderConfig(i.req.ConfigFile, i.localName, block)
		})
	case i.query != nil:
		i.config, diags = queryProviderConfig(i.query, i.localName, block)
	}
	return diags
}

// inventories are the first rung of the ladder of sources, begun already.
func (i *importing) inventories(ctx context.Context, scope discover.Scope) []discover.Source {
	var out []discover.Source
	for _, path := range i.req.Inventories {
		inventory := discover.Inventory{Path: path, LocalName: i.localName}
		if path == StandardInput {
			inventory.Path, inventory.Text = "<stdin>", i.req.Stdin
		}
		out = append(out, inventory.Ahead(ctx, scope))
	}
	return out
}

// otherSources are the rungs above: what else the user named, then the
// provider's own lists.
func (i *importing) otherSources() []discover.Source {
	var out []discover.Source
	for _, command := range i.commands {
		command.LocalName = i.localName
		out = append(out, command)
	}
	var queried []string // where a query names a type, only the query lists it
	if i.query != nil {
		query := discover.QuerySource{
			Query: i.query, Provider: i.provider, LocalName: i.localName, Parallel: i.req.Parallel,
		}
		queried = query.Types()
		out = append(out, query)
	}
	if !i.req.NoList {
		out = append(out, discover.List{Provider: i.provider, Parallel: i.req.Parallel, Except: queried})
	}
	return out
}
