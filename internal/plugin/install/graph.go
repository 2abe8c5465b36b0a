package install

import (
	"context"
	"path/filepath"
	"sync"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// graph is one installation: every plugin in it once, and who links whom.
type graph struct {
	i   *Installer
	req Request
	// slots bounds how much is done at once.
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
	if w.node != nil && w.node.ready {
		out.Path, out.Fresh = w.node.path, w.node.fresh
	}
	return out
}

// node is a plugin, or the project, on its way.
type node struct {
	// key is the directory or executable; label names it for people.
	key, label string
	kind       plugin.Kind
	// plugin is zero for what is not in the cache.
	plugin plugin.Concrete
	// fill brings its files, where that is not the business of sources.
	fill filler
	// path is as in [Installed].
	path string
	// manifest is that of a directory plugin which has steps to go; else nil.
	manifest *project.Manifest
	// links are the packages that it gets SDKs for, required those of which
	// it has SDKs, found once it is ready.
	links, required []*want

	// project is the one that everything is asked for.
	project                        bool
	skipDependencies, skipRequired bool

	// fresh says that it was not installed before; failed, that it cannot be
	// taken further.
	fresh, ready, failed bool
	diags                diag.List
}

func (i *Installer) newGraph(req Request) *graph {
	return &graph{i: i, req: req, slots: make(chan struct{}, i.opts.Parallel), nodes: map[string]*node{}}
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
	for len(wants) > 0 && ctx.Err() == nil {
		g.discover(ctx, wants)
		order, cycle := inOrder(wants)
		diags = append(diags, gather(wants, order)...)
		if cycle != nil {
			return append(diags, dependencyCycle(cycle))
		}
		var next []*want
		for _, n := range order {
			if g.finish(ctx, n) {
				next = append(next, n.required...)
			}
			diags = append(diags, n.takeDiagnostics()...)
		}
		wants = next
	}
	if ctx.Err() != nil {
		diags = stopped(diags)
	}
	return diags
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
		fresh := w.node != nil // the project
		if fresh {
			g.add(w.node)
		} else {
			g.within(func() { w.resolution, w.diags = g.i.resolve(ctx, w.descriptor, w.asker, !w.asked || g.req.Ambient) })
			if w.diags.HasErrors() || g.refuse(w) {
				return
			}
			w.node, fresh = g.nodeOf(w)
		}
		if fresh {
			g.expand(ctx, w.node, w.asked && g.req.Reinstall)
		}
	})
}

// refuse reports whether w would have to be installed and may not be.
func (g *graph) refuse(w *want) bool {
	const variable = "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION"
	value := g.i.opts.Env(variable)
	if !g.req.Automatic || value != "true" && value != "1" || w.resolution.Local != "" || w.resolution.State == plugin.Installed {
		return false
	}
	w.diags = append(w.diags, acquisitionDisabled(w.resolution.Plugin, variable))
	return true
}

// within does work when there is room for it.
func (g *graph) within(work func()) {
	g.slots <- struct{}{}
	defer func() { <-g.slots }()
	work()
}

// nodeOf returns the node of what w was resolved into. It is fresh for one
// caller, who expands it.
func (g *graph) nodeOf(w *want) (n *node, fresh bool) {
	r := w.resolution
	n = &node{key: r.Local, label: r.Local, kind: w.descriptor.Kind, path: r.Local, ready: r.AsIs}
	if r.Local == "" {
		n.key, n.label, n.plugin = g.i.opts.Cache.Dir(r.Plugin), r.Plugin.String(), r.Plugin
	}
	known := g.add(n)
	return known, known == n && !n.ready
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

// linksOf are the packages that a plugin or project names, in its manifest and
// in its program. Languages that can tell the latter only when their
// dependencies are there are asked again then.
func (g *graph) linksOf(ctx context.Context, n *node) []*want {
	var links []*want
	for _, entry := range n.manifest.Packages {
		d, diags := DescribePackage(entry)
		n.diags = append(n.diags, diags...)
		if !diags.HasErrors() {
			links = append(links, &want{name: entry.Name, descriptor: d, asker: n.manifest, asked: n.project})
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
		links = append(links, &want{descriptor: d, asker: n.manifest, asked: n.project})
	}
	return links
}

// openLocal looks at what a path leads to.
func (n *node) openLocal() {
	found, err := findMain(n.kind, localName(n.kind, n.path), n.path)
	if err != nil {
		n.diags = diag.List{unusablePath(n.path, err)}
		return
	}
	if found.manifest == "" {
		n.path, n.ready = found.executable, true
		return
	}
	n.manifest, n.diags = project.Load(found.manifest)
	n.path = filepath.Dir(found.manifest)
}
