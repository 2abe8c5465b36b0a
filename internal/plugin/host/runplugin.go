package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// guest is a plugin that a language plugin runs for us. The language plugin
// serves it alone: they end together.
type guest struct {
	language *Instance
	output   grpc.ServerStreamingClient[pulumirpc.RunPluginResponse]
	cancel   context.CancelFunc

	out, err       *io.PipeReader
	outEnd, errEnd *io.PipeWriter
	over           chan struct{}
	failure        string
	code           int
}

// runByLanguage starts a plugin that is a directory. The plugin outlives ctx.
func (h *Host) runByLanguage(ctx context.Context, found Found, cmd command) (*guest, diag.List) {
	manifest, diags := project.Load(found.manifest)
	if manifest == nil {
		return nil, diags
	}
	if diags = append(diags, manifest.CheckRequirement(EngineVersion())...); diags.HasErrors() {
		return nil, diags
	}
	options, err := structpb.NewStruct(manifest.Runtime.Options)
	if err != nil {
		return nil, append(diags, badRuntimeOptions(found.manifest, err))
	}
	language, more := h.Language(ctx, manifest.Runtime.Name)
	if diags = append(diags, more...); language == nil {
		return nil, append(diags, needsLanguage(found, manifest.Runtime.Name))
	}
	life, cancel := context.WithCancel(context.WithoutCancel(ctx))
	output, err := language.Client.RunPlugin(life, &pulumirpc.RunPluginRequest{
		Pwd: cmd.dir, Args: cmd.args, Env: cmd.env, Kind: string(found.Kind), Name: found.Name, LoaderTarget: h.opts.Broker,
		Info: &pulumirpc.ProgramInfo{
			RootDirectory: manifest.Dir(), ProgramDirectory: manifest.Dir(), EntryPoint: ".", Options: options,
		},
	})
	if err != nil {
		cancel()
		_ = language.Close()
		return nil, append(diags, language.failed(ctx, "RunPlugin", err)...)
	}
	return newGuest(language.Instance, output, cancel), diags
}

// newGuest takes the language plugin over.
func newGuest(language *Instance, output grpc.ServerStreamingClient[pulumirpc.RunPluginResponse], cancel context.CancelFunc) *guest {
	g := &guest{language: language, output: output, cancel: cancel, over: make(chan struct{})}
	g.out, g.outEnd = io.Pipe()
	g.err, g.errEnd = io.Pipe()
	language.host.forget(language)
	go g.listen()
	return g
}

// listen hands on what the plugin writes, until it has ended.
func (g *guest) listen() {
	defer close(g.over)
	err := g.relay()
	if err != nil && !errors.Is(err, io.EOF) {
		g.failure = printable(err.Error())
	}
	_ = g.outEnd.Close()
	_ = g.errEnd.Close()
}

func (g *guest) relay() error {
	for {
		msg, err := g.output.Recv()
		if err != nil {
			return err
		}
		switch said := msg.GetOutput().(type) {
		case *pulumirpc.RunPluginResponse_Stdout:
			_, _ = g.outEnd.Write(said.Stdout) // fails only when nobody reads any more
		case *pulumirpc.RunPluginResponse_Stderr:
			_, _ = g.errEnd.Write(said.Stderr)
		case *pulumirpc.RunPluginResponse_Exitcode:
			if g.code = int(said.Exitcode); g.code != 0 {
				return fmt.Errorf("exit status %d", g.code)
			}
			return nil
		}
	}
}

func (g *guest) stdout() io.Reader      { return g.out }
func (g *guest) stderr() io.Reader      { return g.err }
func (g *guest) ended() <-chan struct{} { return g.over }
func (g *guest) fate() string           { return g.failure }

// interrupt reaches the plugin through the group of its language plugin; where
// that was attached to, only the stream can be given up.
func (g *guest) interrupt() {
	if g.language.proc == nil {
		g.cancel()
		return
	}
	g.language.closing.Store(true)
	g.language.proc.interrupt()
	time.AfterFunc(streamTime, g.cancel)
}

// streamTime is how long a plugin that is to end may take before the language
// plugin hears of it by its stream as well. Some run plugins in their own
// process, which ends when all streams have.
const streamTime = 200 * time.Millisecond

func (g *guest) kill() {
	g.cancel()
	if g.language.proc != nil {
		g.language.proc.kill()
	}
}

func (g *guest) release(readers *sync.WaitGroup) {
	readers.Wait()
	g.cancel()
	_ = g.language.Close() // it has nothing more to do
}
