package bridge

import (
	"context"
	"sync/atomic"
	"time"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/pulumi/pserve"
)

// bridge answers the calls of the provider service. What is before
// Parameterize and Configure, pserve holds off.
type bridge struct {
	pulumirpc.UnimplementedResourceProviderServer

	base    basePlugin
	process Process
	engine  *pserve.Host

	// life ends when the engine cancels: downloads and starts are given up,
	// and a running provider is told to stop. Calls to it go on.
	life context.Context
	stop context.CancelFunc

	made atomic.Pointer[bridged]
	// plain says that the engine takes no secrets in answers.
	plain atomic.Bool
}

func newBridge(base basePlugin, process Process, engine *pserve.Host) *bridge {
	b := &bridge{base: base, process: process, engine: engine}
	b.life, b.stop = context.WithCancel(context.Background())
	return b
}

// Stop implements pserve.Plugin.
func (b *bridge) Stop() { b.stop() }

// closePatience bounds an orderly end: the engine kills after five seconds.
const closePatience = 3 * time.Second

// Close implements pserve.Plugin.
func (b *bridge) Close() error {
	b.stop()
	made := b.made.Load()
	if made == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), closePatience)
	defer cancel()
	return made.close(ctx)
}

// interruptible is the context of work that a cancelled bridge gives up.
func (b *bridge) interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	undo := context.AfterFunc(b.life, cancel)
	return ctx, func() {
		undo()
		cancel()
	}
}

// Report implements lifecycle.Log.
func (b *bridge) Report(ctx context.Context, urn string, d *diag.Diagnostic) {
	b.engine.Warn(ctx, urn, diag.List{d})
}
