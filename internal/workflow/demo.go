package workflow

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfhost"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
)

// DemoRequest is `formation demo`.
type DemoRequest struct {
	// Programs is the directory of the estate's server and provider; "" is
	// "testkit" beside this program.
	Programs  string
	OutDir    string // "" is a new temporary directory
	Resources int
}

// DemoOutcome is what the demo did.
type DemoOutcome struct {
	Resources int           `json:"resources"`
	Seconds   float64       `json:"seconds"`
	Import    ImportOutcome `json:"import"`
	Judges    []Judge       `json:"judges"`
}

// Agreed reports whether the import is proven and every judge says so too.
func (o DemoOutcome) Agreed() bool {
	for _, j := range o.Judges {
		if j.Verdict != noChanges {
			return false
		}
	}
	return o.Import.Proven
}

// noChanges is the verdict that the demo is for.
const noChanges = "no changes"

// Judge is what another program's plan says of the import.
type Judge struct {
	Tool    string `json:"tool"`
	Verdict string `json:"verdict"`
}

// The demo's provider: its binary, and the address that it goes by.
const demoBinary = "terraform-provider-estate"

func demoProvider() tfaddr.Provider {
	return tfaddr.Provider{Host: tfaddr.DefaultHost, Namespace: "formation-iac", Type: "estate"}
}

// Demo imports a synthetic estate. The server ends with it; what was written
// stays.
func Demo(ctx context.Context, env tfhost.Environment, req DemoRequest) (DemoOutcome, diag.List) {
	programs, err := demoPrograms(req.Programs)
	if err != nil {
		return DemoOutcome{}, diag.List{noDemoPrograms(err)}
	}
	if req.OutDir == "" {
		if req.OutDir, err = os.MkdirTemp("", "formation-demo-"); err != nil {
			return DemoOutcome{}, diag.FromError("WF0013", "No directory for the demo", err)
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	url, err := startEstate(ctx, programs, req.Resources)
	if err != nil {
		return DemoOutcome{}, diag.FromError("WF0014", "The synthetic estate did not start", err)
	}
	env.Vars = append(env.Vars[:len(env.Vars):len(env.Vars)], "ESTATE_ENDPOINT="+url, "ESTATE_TOKEN=demo")
	inventory, err := unlistedInventory(ctx, url)
	if err != nil {
		return DemoOutcome{}, diag.FromError("WF0014", "The synthetic estate did not answer", err)
	}
	defer os.Remove(inventory)
	began := time.Now()
	outcome, diags := Import(ctx, env, ImportRequest{
		Provider:    tfregistry.Request{Provider: demoProvider(), LocalPath: filepath.Join(programs, demoBinary)},
		Inventories: []string{inventory}, OutDir: req.OutDir, State: true, Parallel: 10,
	})
	out := DemoOutcome{Resources: req.Resources, Seconds: time.Since(began).Seconds(), Import: outcome}
	if diags.HasErrors() {
		return out, diags
	}
	out.Judges = judge(ctx, env, req.OutDir, programs)
	return out, diags
}

func demoPrograms(dir string) (string, error) {
	if dir == "" {
		self, err := os.Executable()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(filepath.Dir(self), "testkit")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for _, name := range []string{"estate-server", demoBinary} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// startEstate runs the server until ctx ends and returns its URL, which is
// the first line that it prints.
func startEstate(ctx context.Context, programs string, resources int) (string, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(programs, "estate-server"), fmt.Sprintf("--seed=%d", resources))
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	lines := bufio.NewReader(stdout)
	line, err := lines.ReadString('\n')
	if err != nil {
		return "", errors.Join(errors.New("it printed no address"), err)
	}
	go func() { // until it ends with ctx
		_, _ = io.Copy(io.Discard, lines)
		_ = cmd.Wait()
	}()
	return strings.TrimSpace(line), nil
}

// judge asks the real tools, where they are on the PATH, what they would do.
func judge(ctx context.Context, env tfhost.Environment, dir, programs string) []Judge {
	config, err := os.CreateTemp("", "formation-demo-*.tfrc")
	if err != nil {
		return nil
	}
	defer os.Remove(config.Name())
	_, err = fmt.Fprintf(config, "provider_installation {\n  dev_overrides {\n    %q = %q\n  }\n}\n", demoProvider(), programs)
	if err = errors.Join(err, config.Close()); err != nil {
		return nil
	}
	var out []Judge
	for _, tool := range []string{"tofu", "terraform"} {
		path, err := exec.LookPath(tool)
		if err != nil {
			continue
		}
		cmd := exec.CommandContext(ctx, path, "plan", "-detailed-exitcode", "-no-color", "-input=false", "-lock=false")
		cmd.Dir = dir
		cmd.Env = append(env.Vars[:len(env.Vars):len(env.Vars)], "TF_CLI_CONFIG_FILE="+config.Name(), "CHECKPOINT_DISABLE=1")
		text, err := cmd.CombinedOutput()
		out = append(out, Judge{Tool: tool, Verdict: planVerdict(err, string(text))})
	}
	return out
}

func planVerdict(err error, text string) string {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return noChanges
	case errors.As(err, &exit) && exit.ExitCode() == 2:
		return "changes!\n" + text
	default:
		return "failed: " + text
	}
}
