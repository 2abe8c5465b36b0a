package install

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"slices"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/filelock"
	"github.com/formation-iac/formation/internal/base/progress"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// finish takes a node whose links are usable through its own steps. It reports
// whether it did: the node may be ready already, or cannot become so. What its
// program needs beside is known then, and is to be there before [graph.seal].
func (g *graph) finish(ctx context.Context, n *node) bool {
	if n.usable() || n.failed || n.manifest == nil || ctx.Err() != nil {
		return false
	}
	if w := unusable(n.links); w != nil {
		n.fail(dependencyFailed(n, w))
		return false
	}
	release, ok := g.hold(ctx, n)
	if !ok {
		return false
	}
	defer release()
	if n.plugin.Name != "" {
		g.finishCached(ctx, n)
	} else {
		n.complete = g.steps(ctx, n, g.linkFirst, g.installDependencies, g.askRequired)
	}
	return n.complete
}

// seal declares a complete node ready, where all that it requires is usable:
// programs may well need each other to run.
func (g *graph) seal(ctx context.Context, n *node) {
	if !n.complete || n.ready || ctx.Err() != nil {
		return
	}
	if w := unusable(slices.Concat(n.late, n.required)); w != nil {
		n.fail(dependencyFailed(n, w))
		return
	}
	release, ok := g.hold(ctx, n)
	if !ok {
		return
	}
	defer release()
	if n.plugin.Name == "" {
		n.ready = g.linkLate(ctx, n)
		return
	}
	_, reached := g.i.look(n.plugin)
	if reached < complete && !g.completeAgain(ctx, n) {
		return
	}
	if reached == installed || n.ready {
		n.ready = true
		return
	}
	if !g.linkLate(ctx, n) {
		return
	}
	if err := g.i.unmark(n.plugin); err != nil {
		n.fail(unwritableCache(g.i.opts.Cache, n.plugin, err))
		return
	}
	n.ready = true
}

// completeAgain completes a plugin that somebody began anew in the meantime,
// and did not finish, or not yet: who is still at it finds it done. What it
// needs is known, and there.
func (g *graph) completeAgain(ctx context.Context, n *node) bool {
	late, required := n.late, n.required
	n.complete = false
	g.finishCached(ctx, n)
	n.late, n.required = late, required
	return n.usable()
}

// linkLate links what n's language named last. It reports whether it did.
func (g *graph) linkLate(ctx context.Context, n *node) bool {
	if len(n.late) == 0 {
		return true
	}
	n.complete = g.steps(ctx, n, func(ctx context.Context, n *node) diag.List { return g.link(ctx, n, n.late) })
	return n.complete
}

// usable reports whether others can run n, and be linked with it.
func (n *node) usable() bool { return n.ready || n.complete }

// fail notes an error that n cannot get over.
func (n *node) fail(d *diag.Diagnostic) {
	n.failed, n.complete = true, false
	n.diags = append(n.diags, d)
}

// unusable returns one of the wants that nobody can run, or nil.
func unusable(wants []*want) *want {
	for _, w := range wants {
		if w.node == nil || !w.node.usable() {
			return w
		}
	}
	return nil
}

// hold keeps others away from a node's directory until release is called. ok
// is false where that failed, and the node has the error.
func (g *graph) hold(ctx context.Context, n *node) (release func(), ok bool) {
	var err error
	what := "the " + n.label
	if n.plugin.Name != "" {
		release, err = g.i.lock(ctx, n.plugin)
	} else {
		what = "what " + n.path + " needs"
		release, err = filelock.Acquire(ctx, g.i.localLock(n.path), "another process installs into "+n.path)
	}
	if err != nil {
		n.fail(cannotLock(g.i.opts.Cache, what, err))
	}
	return release, err == nil
}

// localLock is where those meet who work in a directory of the user's.
func (i *Installer) localLock(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return filepath.Join(i.opts.Cache.Root, ".path-"+hex.EncodeToString(sum[:8])+".lock")
}

// finishCached completes a plugin in the cache, whose lock the caller holds.
// Others may have worked on it since it was brought.
func (g *graph) finishCached(ctx context.Context, n *node) {
	_, reached := g.i.look(n.plugin)
	if reached < whole {
		var diags diag.List
		_, reached, diags = g.i.unpack(ctx, n.plugin, g.i.filler(n))
		n.diags = append(n.diags, diags...)
	}
	switch reached {
	case absent, begun:
		n.failed = true
	case installed:
		n.ready = true
	case complete:
		// The language may name packages only now that were late then.
		n.complete = g.steps(ctx, n, g.linkFirst, g.askRequired)
	case whole:
		// From here on the files are not as they came.
		begin := func(context.Context, *node) diag.List { return g.i.enter(n.plugin, begun) }
		end := func(context.Context, *node) diag.List { return g.i.enter(n.plugin, complete) }
		n.complete = g.steps(ctx, n, begin, g.linkFirst, g.installDependencies, end, g.askRequired)
	}
}

// enter notes that a plugin is in a phase.
func (i *Installer) enter(p plugin.Concrete, to phase) diag.List {
	if err := i.mark(p, to); err != nil {
		return diag.List{unwritableCache(i.opts.Cache, p, err)}
	}
	i.step(map[phase]string{begun: "begun", complete: "complete"}[to])
	return nil
}

// steps takes steps with a node, which others are kept away from, until one
// fails. It reports whether none did.
func (g *graph) steps(ctx context.Context, n *node, steps ...func(context.Context, *node) diag.List) bool {
	event := progress.Event{Task: "install", Label: n.label}
	progress.From(ctx).Send(event)
	defer func() {
		event.End = true
		progress.From(ctx).Send(event)
	}()
	for _, step := range steps {
		diags := step(ctx, n)
		n.diags = append(n.diags, diags...)
		if !diags.HasErrors() {
			continue
		}
		n.failed = true
		if n.plugin.Name != "" {
			n.diags = append(n.diags, stillPresent(n.plugin))
		}
		return false
	}
	return true
}

func (g *graph) linkFirst(ctx context.Context, n *node) diag.List { return g.link(ctx, n, n.links) }

func (g *graph) link(ctx context.Context, n *node, links []*want) diag.List {
	if len(links) == 0 {
		return nil
	}
	if g.i.opts.Linker == nil {
		return diag.List{noLinker(n)}
	}
	var packages []Installed
	for _, w := range links {
		packages = append(packages, w.installed())
	}
	diags := g.i.opts.Linker.Link(ctx, n.manifest, packages)
	g.i.step("linked")
	return diags
}

func (g *graph) installDependencies(ctx context.Context, n *node) diag.List {
	if n.skipDependencies {
		return nil
	}
	if g.i.opts.Language == nil {
		return diag.List{noLanguage(n)}
	}
	diags := g.i.opts.Language.InstallDependencies(ctx, n.manifest)
	g.i.step("dependencies")
	return diags
}

// askRequired notes what else a program needs, once its dependencies are there:
// the plugins of the packages that it has SDKs for, and packages that it gets
// none for yet. For a plugin it is no fault where its language cannot tell: it
// will be asked again when it runs.
func (g *graph) askRequired(ctx context.Context, n *node) diag.List {
	if n.skipRequired {
		return nil
	}
	g.requireOwn(n)
	if g.i.opts.Language == nil {
		return nil
	}
	found, diags := g.i.opts.Language.RequiredPackages(ctx, n.manifest)
	if diags.HasErrors() {
		if n.manifest.Kind == project.Program {
			return diags
		}
		return nil
	}
	for _, d := range found.Packages {
		if !slices.ContainsFunc(n.links, func(w *want) bool { return w.descriptor.Same(d) }) {
			n.late = append(n.late, g.wanted(n, d))
		}
	}
	for _, d := range found.Plugins {
		if d.Source != builtinPackage {
			n.required = append(n.required, g.wanted(n, d))
		}
	}
	return diags
}

// requireOwn has the plugins that a project brings itself made ready as well:
// those in directories that a language is to run. The others are built, and
// need not be there yet.
func (g *graph) requireOwn(n *node) {
	own := ownPlugins(n.manifest)
	for _, kind := range plugin.Kinds() {
		for _, option := range own[kind] {
			dir := option.Abs(n.manifest)
			if found, err := findMain(kind, option.Name, dir); err == nil && found.manifest != "" {
				n.required = append(n.required, g.wanted(n, plugin.Descriptor{Kind: kind, Source: dir}))
			}
		}
	}
}

// builtinPackage is a package that no plugin provides.
const builtinPackage = "pulumi"
