package measure

import (
	"context"
	"encoding/json"
	"os/exec"
	"reflect"
	"slices"

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
func (c client) plan(ctx context.Context, file string) ([]planned, error) {
	if _, err := c.run(ctx, "plan", "-no-color", "-input=false", "-out="+file); err != nil {
		return nil, err
	}
	text, err := c.run(ctx, "show", "-json", file)
	if err != nil {
		return nil, err
	}
	var plan struct {
		Changes []planned `json:"resource_changes"`
	}
	err = json.Unmarshal(text, &plan)
	return plan.Changes, err
}

// planned is what a plan says of one resource.
type planned struct {
	Address string
	Change  struct {
		Actions       []string
		Before, After map[string]any
		Unknown       map[string]any `json:"after_unknown"`
		Importing     *struct{}
	}
}

// does tells whether the plan takes an action, such as "create".
func (p planned) does(action string) bool { return slices.Contains(p.Change.Actions, action) }

// changes are the attributes that the plan changes, or may change.
func (p planned) changes() []string {
	var out []string
	for name, value := range p.Change.After {
		if !reflect.DeepEqual(value, p.Change.Before[name]) {
			out = append(out, name)
		}
	}
	for name, unknown := range p.Change.Unknown {
		if unknown == true {
			out = append(out, name)
		}
	}
	return out
}

// times counts the resources for which a plan holds what is asked.
func times(plan []planned, holds func(planned) bool) int {
	n := 0
	for _, p := range plan {
		if holds(p) {
			n++
		}
	}
	return n
}

func noOp(p planned) bool { return p.does("no-op") && p.Change.Importing == nil }
