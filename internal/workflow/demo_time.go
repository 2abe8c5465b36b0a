package workflow

import (
	"context"
	"errors"
	"os"
	"os/exec"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfhost"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
)

// timeInventory names objects of hashicorp/time. They need no account: a point
// in time is all that they are.
const timeInventory = `type,id
time_static,2020-02-12T06:36:13Z
time_static,2024-02-29T23:59:59Z
time_offset,"2020-02-12T06:36:13Z,,,7,,,"
`

// demoTime imports objects of hashicorp/time, or returns nil where that is not
// on the PATH.
func demoTime(ctx context.Context, env tfhost.Environment, dir string) (*DemoImport, diag.List) {
	path, err := exec.LookPath("terraform-provider-time")
	if err != nil {
		return nil, nil
	}
	inventory, err := temporaryInventory()
	if err != nil {
		return nil, diag.FromError("WF0013", "No inventory for the demo", err)
	}
	defer os.Remove(inventory)
	out, diags := demoImport(ctx, env, ImportRequest{
		Provider: tfregistry.Request{
			Provider:  tfaddr.Provider{Host: tfaddr.DefaultHost, Namespace: tfaddr.DefaultNamespace, Type: "time"},
			LocalPath: path,
		},
		Inventories: []string{inventory}, OutDir: dir,
	})
	return &out, diags
}

func temporaryInventory() (string, error) {
	f, err := os.CreateTemp("", "formation-demo-*.csv")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(timeInventory)
	return f.Name(), errors.Join(err, f.Close())
}
