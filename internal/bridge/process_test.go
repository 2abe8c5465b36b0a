package bridge_test

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc/codes"

	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/pluginprocess"
)

// TestCommandLine gives the program arguments that no engine gives.
func TestCommandLine(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), build.Command(t, "cmd/pulumi-resource-terraform-bridge"), "127.0.0.1:1", "127.0.0.1:2")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err == nil || cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("got %v", err)
	}
	if stdout.Len() > 0 || !strings.Contains(stderr.String(), "one argument is taken") {
		t.Errorf("stdout %q, stderr %q", stdout.String(), stderr.String())
	}
}

// TestHelp tells people what the program takes, who start it by hand.
func TestHelp(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), build.Command(t, "cmd/pulumi-resource-terraform-bridge"), "--help")
	stdout, err := cmd.Output()
	if err != nil || !strings.Contains(string(stdout), "Name a provider") || !strings.Contains(string(stdout), "FORMATION_OFFLINE=true") {
		t.Errorf("%v: %s", err, stdout)
	}
}

// TestLogs has the provider's logs where the user wants them, and no others.
func TestLogs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.local(t, "terraform-provider-estate", w.provider(t, "estate"))
	for variable, logs := range map[string]bool{"TF_LOG=trace": true, "TF_LOG_PROVIDER=trace": true, "TF_LOG=": false} {
		p := w.bridge(t, "TF_LOG_PROVIDER=", "TF_LOG=", variable, "PULUMI_HOME="+t.TempDir())
		parameterize(t, p, args("terraform-provider-estate"), "estate", "0.0.0")
		schema(t, p, "estate", "0.0.0")
		if err := p.End(); err != nil { // what a provider writes last is read by then
			t.Error(err)
		}
		if got := strings.Contains(p.Stderr(), `"@level":`); got != logs {
			t.Errorf("%s: stderr is %.200q", variable, p.Stderr())
		}
	}
}

// TestNoHome has no place to keep providers.
func TestNoHome(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.bridge(t, "HOME=", "PULUMI_HOME=").Parameterize(t.Context(), args("hashicorp/random"))
	wantStatus(t, err, codes.FailedPrecondition, "No directory for Terraform providers", "PULUMI_HOME")
}

// TestDetached serves an engine that attaches, and outlives it.
func TestDetached(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.start(t, pluginprocess.Options{Detached: true})
	if _, err := p.Attach(t.Context(), &pulumirpc.PluginAttach{Address: p.Engine.Target()}); err != nil {
		t.Fatal(err)
	}
	if text := schemaText(t, p, "", ""); !strings.Contains(text, "Any Terraform Provider") {
		t.Errorf("the schema is %s", text)
	}
}
