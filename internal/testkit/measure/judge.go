package measure

import (
	"context"
	"os/exec"

	"github.com/formation-iac/formation/internal/testkit/tfcli"
)

// judge is a real client of the ecosystem.
type judge struct{ name, path string }

// judges are those on the PATH.
func (s *suite) judges() []judge {
	var out []judge
	for _, name := range []string{"tofu", "terraform"} {
		if path, err := exec.LookPath(name); err == nil {
			out = append(out, judge{name, path})
		}
	}
	return out
}

// client is a judge in a directory.
type client struct{ process }

func (c client) run(ctx context.Context, args ...string) ([]byte, error) {
	c.args = args
	used, err := c.process.run(ctx)
	return used.stdout, err
}

func (c client) apply(ctx context.Context) error {
	_, err := c.run(ctx, "apply", "-auto-approve", "-no-color", "-input=false")
	return err
}

func (c client) destroy(ctx context.Context) error {
	_, err := c.run(ctx, "destroy", "-auto-approve", "-no-color", "-input=false")
	return err
}

// state is the state as the client shows it.
func (c client) state(ctx context.Context) ([]tfcli.Instance, error) {
	text, err := c.run(ctx, "show", "-json")
	if err != nil {
		return nil, err
	}
	return tfcli.DecodeState(text)
}

// plan lists what a plan says of each resource. File is a place for the plan.
func (c client) plan(ctx context.Context, file string) ([]tfcli.Change, error) {
	if _, err := c.run(ctx, "plan", "-no-color", "-input=false", "-out="+file); err != nil {
		return nil, err
	}
	text, err := c.run(ctx, "show", "-json", file)
	if err != nil {
		return nil, err
	}
	return tfcli.DecodePlan(text)
}

// times counts the resources for which a plan holds what is asked.
func times(plan []tfcli.Change, holds func(tfcli.Change) bool) int {
	n := 0
	for _, p := range plan {
		if holds(p) {
			n++
		}
	}
	return n
}

func noOp(c tfcli.Change) bool { return c.Does("no-op") && !c.Importing }
