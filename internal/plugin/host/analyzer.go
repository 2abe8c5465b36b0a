package host

import (
	"context"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
)

// Analyzer is an analyzer plugin that runs: a policy pack.
type Analyzer struct {
	*Instance
	Client pulumirpc.AnalyzerClient
	// Answer is the answer to Handshake; nil where the plugin has none.
	Answer *pulumirpc.AnalyzerHandshakeResponse
}

// Analyzer starts an analyzer plugin. A policy pack is a directory with a
// PulumiPolicy.yaml; its path is w's.
func (h *Host) Analyzer(ctx context.Context, w Wanted) (*Analyzer, diag.List) {
	found, diags := h.opts.Finder.Find(plugin.Analyzer, w)
	if diags.HasErrors() {
		return nil, diags
	}
	a := &Analyzer{}
	i, more := h.start(ctx, found, h.analyzerContract(found, a))
	if diags = append(diags, more...); i == nil {
		return nil, diags
	}
	a.Instance, a.Client = i, pulumirpc.NewAnalyzerClient(i.conn)
	return a, diags
}

func (h *Host) analyzerContract(f Found, a *Analyzer) contract {
	dir := f.Dir()
	return contract{
		args: []string{h.engine.address}, dir: h.opts.projectDir(),
		greet: func(ctx context.Context, conn *grpc.ClientConn) (err error) {
			a.Answer, err = pulumirpc.NewAnalyzerClient(conn).Handshake(ctx, &pulumirpc.AnalyzerHandshakeRequest{
				EngineAddress: h.engine.address, RootDirectory: &dir, ProgramDirectory: &dir,
			}, grpc.WaitForReady(true))
			if status.Code(err) == codes.Unimplemented {
				return nil
			}
			return err
		},
		farewell: func(ctx context.Context, conn *grpc.ClientConn) error {
			_, err := pulumirpc.NewAnalyzerClient(conn).Cancel(ctx, none())
			return err
		},
	}
}
