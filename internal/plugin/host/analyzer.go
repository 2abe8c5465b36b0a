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

// Stack is the stack whose resources an analyzer is to judge.
type Stack struct {
	Organization, Project, Name string
	// Config maps keys such as "aws:region" to values. SecretKeys are those
	// whose values are secret.
	Config     map[string]string
	SecretKeys []string
	Tags       map[string]string
	// DryRun says that nothing is changed.
	DryRun bool
}

// Analyzer starts an analyzer plugin. A policy pack is a directory with a
// PulumiPolicy.yaml, or an executable; its path is w's. A pack in a language
// that has no language plugin is run by the analyzer plugin policy-<language>.
// stack is told to the plugin; nil stands for none.
func (h *Host) Analyzer(ctx context.Context, w Wanted, stack *Stack) (*Analyzer, diag.List) {
	pack, diags := h.opts.Finder.Find(plugin.Analyzer, w)
	if diags.HasErrors() {
		return nil, diags
	}
	a := &Analyzer{}
	found, c, more := h.analyzerContract(pack, a, stack)
	if diags = append(diags, more...); diags.HasErrors() {
		return nil, diags
	}
	i, more := h.start(ctx, found, c)
	if diags = append(diags, more...); i == nil {
		return nil, diags
	}
	a.Instance, a.Client = i, pulumirpc.NewAnalyzerClient(i.conn)
	if more := a.configure(ctx, stack); more.HasErrors() {
		_ = a.Close()
		return nil, append(diags, more...)
	}
	return a, diags
}

// analyzerContract says what to start for a policy pack, and how.
func (h *Host) analyzerContract(pack Found, a *Analyzer, stack *Stack) (Found, contract, diag.List) {
	dir := pack.Dir()
	c := contract{
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
	if pack.manifest == "" {
		return pack, c, nil
	}
	runner, diags := h.policyRunner(pack)
	if runner == nil || diags.HasErrors() {
		return pack, c, diags
	}
	c.args, c.dir = append(c.args, runner.args...), dir
	c.env = stack.forRunner(runner.runtime)
	return runner.found, c, diags
}

// configure tells the plugin which stack it is for, where it wants to know.
func (a *Analyzer) configure(ctx context.Context, stack *Stack) diag.List {
	if stack == nil {
		return nil
	}
	_, err := a.Client.ConfigureStack(ctx, &pulumirpc.AnalyzerStackConfigureRequest{
		Stack: stack.Name, Project: stack.Project, Organization: stack.Organization, DryRun: stack.DryRun,
		Config: stack.Config, ConfigSecretKeys: stack.SecretKeys, Tags: stack.Tags,
	})
	if err == nil || status.Code(err) == codes.Unimplemented {
		return nil
	}
	return a.failed(ctx, "ConfigureStack", err)
}
