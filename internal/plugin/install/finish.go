package install

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/filelock"
	"github.com/formation-iac/formation/internal/base/progress"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// finish takes a node whose links are ready through its last steps. It
// reports whether it did: the node may be ready already, or cannot become so.
func (g *graph) finish(ctx context.Context, n *node) bool {
	if n.ready || n.failed || n.manifest == nil || ctx.Err() != nil {
		return false
	}
	if w := n.unreadyLink(); w != nil {
		n.diags = append(n.diags, dependencyFailed(n, w))
		return false
	}
	var release func()
	var err error
	if n.plugin.Name != "" {
		release, err = g.i.lock(ctx, n.plugin)
	} else {
		release, err = filelock.Acquire(ctx, g.i.localLock(n.path), "another process installs into "+n.path)
	}
	if err != nil {
		n.diags = append(n.diags, cannotLock(g.i.opts.Cache, n.plugin, err))
		return false
	}
	defer release()
	if n.plugin.Name != "" {
		return g.finishCached(ctx, n)
	}
	n.ready = g.complete(ctx, n)
	return n.ready
}

// unreadyLink returns a link that did not become ready, or nil.
func (n *node) unreadyLink() *want {
	for _, w := range n.links {
		if w.node == nil || !w.node.ready {
			return w
		}
	}
	return nil
}

// localLock is where those meet who work in a directory of the user's.
func (i *Installer) localLock(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return filepath.Join(i.opts.Cache.Root, ".path-"+hex.EncodeToString(sum[:8])+".lock")
}

// finishCached finishes a plugin in the cache, whose lock the caller holds.
// Others may have worked on it since it was brought.
func (g *graph) finishCached(ctx context.Context, n *node) bool {
	i := g.i
	state, diags := i.wholeAgain(ctx, n)
	n.diags = append(n.diags, diags...)
	if diags.HasErrors() {
		return false
	}
	if state == plugin.Installed {
		n.ready = true
		return true
	}
	// From here on the files are not as they came.
	if err := i.mark(n.plugin, marker{server: n.plugin.Server}); err != nil {
		n.diags = append(n.diags, unwritableCache(i.opts.Cache, n.plugin, err))
		return false
	}
	i.step("begun")
	if !g.complete(ctx, n) {
		n.diags = append(n.diags, stillPresent(n.plugin))
		return false
	}
	if err := i.unmark(n.plugin); err != nil {
		n.diags = append(n.diags, unwritableCache(i.opts.Cache, n.plugin, err))
		return false
	}
	n.ready = true
	return true
}

// wholeAgain makes sure that a plugin which was brought is still there whole,
// or installed by somebody else.
func (i *Installer) wholeAgain(ctx context.Context, n *node) (plugin.State, diag.List) {
	_, state := i.look(n.plugin)
	if state != plugin.NotPresent {
		return state, nil
	}
	_, state, diags := i.unpack(ctx, n.plugin, i.filler(n))
	return state, diags
}

// complete links the node's packages, has its language install what it needs,
// and asks what else the program needs. The caller keeps others away.
func (g *graph) complete(ctx context.Context, n *node) bool {
	event := progress.Event{Task: "install", Label: n.label}
	progress.From(ctx).Send(event)
	defer func() {
		event.End = true
		progress.From(ctx).Send(event)
	}()
	for _, step := range []func(context.Context, *node) diag.List{g.link, g.installDependencies, g.askRequired} {
		diags := step(ctx, n)
		n.diags = append(n.diags, diags...)
		if diags.HasErrors() {
			return false
		}
	}
	return true
}

func (g *graph) link(ctx context.Context, n *node) diag.List {
	if len(n.links) == 0 {
		return nil
	}
	if g.i.opts.Linker == nil {
		return diag.List{noLinker(n)}
	}
	var packages []Installed
	for _, w := range n.links {
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

// askRequired notes the plugins of the packages that a program has SDKs for.
// For a plugin it is no fault where its language cannot tell.
func (g *graph) askRequired(ctx context.Context, n *node) diag.List {
	if n.skipRequired || g.i.opts.Language == nil {
		return nil
	}
	found, diags := g.i.opts.Language.RequiredPackages(ctx, n.manifest)
	if diags.HasErrors() {
		if n.manifest.Kind == project.Program {
			return diags
		}
		return nil
	}
	for _, d := range found.Plugins {
		if d.Source != builtinPackage {
			n.required = append(n.required, &want{descriptor: d, asker: n.manifest, asked: n.project})
		}
	}
	return diags
}

// builtinPackage is a package that no plugin provides.
const builtinPackage = "pulumi"
