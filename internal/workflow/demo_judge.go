package workflow

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/formation-iac/formation/internal/tf/tfhost"
)

// noChanges is the verdict that the demo is for.
const noChanges = "no changes"

// Judge is what another program's plan says of the import.
type Judge struct {
	Tool    string `json:"tool"`
	Verdict string `json:"verdict"`
}

// judge asks the real tools, where they are on the PATH, what they would do.
func judge(ctx context.Context, env tfhost.Environment, req ImportRequest) []Judge {
	config, err := os.CreateTemp("", "formation-demo-*.tfrc")
	if err != nil {
		return nil
	}
	defer os.Remove(config.Name())
	_, err = fmt.Fprintf(config, "provider_installation {\n  dev_overrides {\n    %q = %q\n  }\n}\n", req.Provider.Provider, filepath.Dir(req.Provider.LocalPath))
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
		cmd.Dir = req.OutDir
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
