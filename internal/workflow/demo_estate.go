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

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfhost"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
)

// demoBinary is the estate's provider.
const demoBinary = "terraform-provider-estate"

// demoEstate runs the estate, and imports what is in it.
func demoEstate(ctx context.Context, env tfhost.Environment, req DemoRequest, programs string) (DemoImport, diag.List) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	url, err := startEstate(ctx, programs, req.Resources)
	if err != nil {
		return DemoImport{}, diag.FromError("WF0014", "The synthetic estate did not start", err)
	}
	env.Vars = append(env.Vars[:len(env.Vars):len(env.Vars)], "ESTATE_ENDPOINT="+url, "ESTATE_TOKEN=demo")
	inventory, err := unlistedInventory(ctx, url)
	if err != nil {
		return DemoImport{}, diag.FromError("WF0014", "The synthetic estate did not answer", err)
	}
	defer os.Remove(inventory)
	return demoImport(ctx, env, ImportRequest{
		Provider: tfregistry.Request{
			Provider:  tfaddr.Provider{Host: tfaddr.DefaultHost, Namespace: "formation-iac", Type: "estate"},
			LocalPath: filepath.Join(programs, demoBinary),
		},
		Inventories: []string{inventory}, OutDir: req.OutDir,
	})
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
