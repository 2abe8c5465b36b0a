package install

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"sync"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// graph is one installation: every plugin in it once, and who links whom.
type graph struct {
	i   *Installer
	req Request
	// slots bounds how much is done at once; nil is no bound.
	slots chan struct{}
	tasks sync.WaitGroup

	mu    sync.Mutex
	nodes map[string]*node
}

// want is a package that somebody asks for.
type want struct {
	// name is the package's in the asker's `packages`; or "".
	name       string
	descriptor plugin.Descriptor
	// asker is the manifest that relative paths start at; or nil.
	asker *project.Manifest
	// bounds is the directory that local paths may not leave; or "".
	bounds string
	// asked says that the request asks, and nothing that is being installed.
	asked bool

	resolution Resolution
	// node is nil where the descriptor could not be resolved.
	node  *node
	diags diag.List
}

// installed is w as a result.
func (w *want) installed() Installed {
	out := Installed{Name: w.name, Descriptor: w.descriptor, Resolution: w.resolution}
	if w.node != nil && w.node.usable() {
		out.Path, out.Fresh = w.node.path, w.node.fresh
	}
	return out
}

// node is a plugin, or the project, on its way.
type node struct {
	// key is the directory or executable; label names it for people.
	key, label string
	// plugin is zero for what is not in the cache.
	plugin plugin.Concrete
	// kind and likely say of what is in a place of the user's what it is, and
	// what it may be called.
	kind   plugin.Kind
	likely string
	// fill brings its files, where that is not the business of sources.
	fill filler
	// path is as in [Installed].
	path string
	// manifest is that of a directory plugin which has steps to go; else nil.
	manifest *project.Manifest
	// links are the packages that it gets SDKs for. Once it is complete, its
	// language may name more of these, late ones, and tells the packages that
	// it has SDKs of: required ones.
	links, late, required []*want

	// project is the one that everything is asked for.
	project                        bool
	skipDependencies, skipRequired bool
	// asIs is as in [Resolution].
	asIs bool

	// fresh says that it was not installed before. Of the others one is true
	// at most: it is complete but for what it requires, ready, or cannot be
	// taken further.
	fresh                   bool
	complete, ready, failed bool
	diags                   diag.List
}

func (i *Installer) newGraph(req Request) *graph {
	g := &graph{i: i, req: req, nodes: map[string]*node{}}
	if i.opts.Parallel > 0 {
		g.slots = make(chan struct{}, i.opts.Parallel)
	}
	return g
}

// run installs what is wanted: it discovers all that belongs to it, and
// finishes that in order. What programs turn out to need when they are
// finished comes in the next round.
func (g *graph) run(ctx context.Context, wants []*want) diag.List {
	g.i.sweep()
	for _, w := range wants {
		w.asked = true
	}
	var diags diag.List
	var done []*node
	for len(wants) > 0 && ctx.Err() == nil {
		g.discover(ctx, wants)
		order, cycle := inOrder(wants)
		diags = append(diags, gather(wants, order)...)
		if cycle != nil {
			return append(diags, dependencyCycle(cycle))
		}
		wants = nil
		for _, n := range order {
			if g.finish(ctx, n) {
				wants = append(append(wants, n.late...), n.required...)
				done = append(done, n)
			}
			diags = append(diags, n.takeDiagnostics()...)
		}
	}
	for _, n := range sealingOrder(done) {
		g.seal(ctx, n)
		diags = append(diags, n.takeDiagnostics()...)
	}
	_, more := g.i.Keep(ctx, dependencies(done))
	if diags = append(diags, more...); ctx.Err() != nil {
		diags = stopped(diags)
	}
	return diags
}

// dependencies are what plugins that were completed need of others.
func dependencies(done []*node) []Installed {
	var out []Installed
	for _, n := range done {
		if !n.project {
			out = append(out, results(slices.Concat(n.links, n.late, n.required))...)
		}
	}
	return out
}

// gather collects what was said in discovery, in the order of the wants.
func gather(wants []*want, order []*node) diag.List {
	var diags diag.List
	for _, n := range order {
		for _, w := range n.links {
			diags = append(diags, w.takeDiagnostics()...)
		}
		diags = append(diags, n.takeDiagnostics()...)
	}
	for _, w := range wants {
		diags = append(diags, w.takeDiagnostics()...)
	}
	return diags
}

func (w *want) takeDiagnostics() diag.List {
	diags := w.diags
	w.diags = nil
	return diags
}

func (n *node) takeDiagnostics() diag.List {
	diags := n.diags
	n.diags = nil
	return diags
}

// discover resolves and downloads what is wanted, and what that wants.
func (g *graph) discover(ctx context.Context, wants []*want) {
	for _, w := range wants {
		g.follow(ctx, w)
	}
	g.tasks.Wait()
}

func (g *graph) follow(ctx context.Context, w *want) {
	g.tasks.Go(func() {
		if g.meet(ctx, w) {
			g.expand(ctx, w.node, w.asked && g.req.Reinstall)
		}
	})
}

// meet finds the node of what is wanted, if it can be resolved. It reports
// whether that is new, and the caller's to expand.
func (g *graph) meet(ctx context.Context, w *want) bool {
	if w.node != nil { // the project, or a file
		return g.add(w.node) == w.node
	}
	if w.node = g.known(w.descriptor); w.node != nil {
		d := w.descriptor
		w.resolution = Resolution{Plugin: w.node.plugin, State: plugin.Present, Parameterization: d.Parameterization, Extension: d.Extension}
		return false
	}
	g.within(func() { w.resolution, w.diags = g.i.resolve(ctx, w.descriptor, w.asker, !w.asked || g.req.Ambient) })
	if w.diags.HasErrors() || g.refuse(w) || w.leavesBounds() {
		return false
	}
	n := g.i.nodeOf(w)
	w.node = g.add(n)
	return w.node == n
}

// known returns the plugin that was completed in an earlier round and that d
// names; or nil. A component may well say that it needs itself.
func (g *graph) known(d plugin.Descriptor) *node {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, n := range g.nodes {
		if n.complete && n.plugin.Name == d.Source && n.plugin.Kind == d.Kind && d.Constraint.Meets(n.plugin.Version) {
			return n
		}
	}
	return nil
}

// leavesBounds reports whether w is a local path that a plugin in the cache
// may not name: what is outside of it is none of its business.
func (w *want) leavesBounds() bool {
	r := w.resolution
	if w.bounds == "" || r.Local == "" || r.AsIs {
		return false
	}
	rel, err := filepath.Rel(w.bounds, r.Local)
	if err == nil && filepath.IsLocal(rel) {
		return false
	}
	w.diags = append(w.diags, pathLeavesPlugin(r.Local, w.bounds))
	return true
}

// refuse reports whether w would have to be installed and may not be.
func (g *graph) refuse(w *want) bool {
	const variable = "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION"
	if !g.req.Automatic || !plugin.Switched(g.i.opts.Env, variable) || w.resolution.Local != "" || w.resolution.State == plugin.Installed {
		return false
	}
	w.diags = append(w.diags, acquisitionDisabled(w.resolution.Plugin, variable))
	return true
}

// within does work when there is room for it.
func (g *graph) within(work func()) {
	if g.slots != nil {
		g.slots <- struct{}{}
		defer func() { <-g.slots }()
	}
	work()
}

// nodeOf makes the node of what w was resolved into.
func (i *Installer) nodeOf(w *want) *node {
	if r := w.resolution; r.Local == "" {
		return &node{key: i.opts.Cache.Dir(r.Plugin), label: r.Plugin.String(), plugin: r.Plugin}
	}
	path := w.resolution.Local
	return &node{
		key: path, label: path, path: path, kind: w.descriptor.Kind, likely: cmp.Or(w.name, w.descriptor.Source), asIs: w.resolution.AsIs,
	}
}

// add returns the node with the key of n: n itself, where it is new.
func (g *graph) add(n *node) *node {
	g.mu.Lock()
	defer g.mu.Unlock()
	if known, ok := g.nodes[n.key]; ok {
		return known
	}
	g.nodes[n.key] = n
	return n
}

// expand brings a node onto this machine and follows what it links.
func (g *graph) expand(ctx context.Context, n *node, reinstall bool) {
	g.within(func() {
		if n.plugin.Name != "" {
			g.i.bring(ctx, n, reinstall)
		} else if n.manifest == nil {
			n.openLocal()
		}
		if n.manifest != nil && !n.diags.HasErrors() {
			n.links = g.linksOf(ctx, n)
		}
		n.failed = n.diags.HasErrors()
	})
	for _, w := range n.links {
		g.follow(ctx, w)
	}
}

// bounds is the directory that what n wants may not leave by a path; or "".
func (i *Installer) bounds(n *node) string {
	if n.plugin.Name == "" {
		return ""
	}
	return i.opts.Cache.Dir(n.plugin)
}

// linksOf are the packages that a plugin or project names, in its manifest and
// in its program. Languages that can tell the latter only when their
// dependencies are there are asked again then.
func (g *graph) linksOf(ctx context.Context, n *node) []*want {
	var links []*want
	for _, entry := range n.manifest.Packages {
		d, diags := DescribePackage(entry)
		n.diags = append(n.diags, diags...)
		if !diags.HasErrors() {
			w := g.wanted(n, d)
			w.name = entry.Name
			links = append(links, w)
		}
	}
	if g.i.opts.Language == nil {
		return links
	}
	found, diags := g.i.opts.Language.RequiredPackages(ctx, n.manifest)
	if diags.HasErrors() {
		return links
	}
	for _, d := range found.Packages {
		links = append(links, g.wanted(n, d))
	}
	return links
}

// wanted is what n asks for.
func (g *graph) wanted(n *node, d plugin.Descriptor) *want {
	return &want{descriptor: d, asker: n.manifest, bounds: g.i.bounds(n), asked: n.project}
}

// openLocal looks at what a path leads to. It is ready where it is an
// executable, and where nothing is to be done for it.
func (n *node) openLocal() {
	found, err := findLocal(n.kind, n.likely, n.path)
	if err != nil {
		n.diags = diag.List{unusablePath(n.path, err)}
		return
	}
	n.path, n.ready = found.path(), n.asIs || found.executable != ""
	if !n.ready {
		n.manifest, n.diags = project.Load(found.manifest)
	}
}
