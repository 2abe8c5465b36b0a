package tfstate

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/formation-iac/formation/internal/testkit/tfcli"
)

func TestHold(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terraform.tfstate")
	release, diags := Hold(path)
	if len(diags) > 0 {
		t.Fatalf("nothing to hold: %v", diags)
	}
	release()
	if err := os.WriteFile(path, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if release, diags = Hold(path); len(diags) > 0 {
		t.Fatal(diags)
	}
	if runtime.GOOS == "linux" {
		if _, err := os.ReadFile(path); err != nil { // closing another file of it changes nothing
			t.Fatal(err)
		}
		if _, diags := Hold(path); len(diags) != 1 || diags[0].Code != CodeLocked {
			t.Errorf("held twice: %v", diags)
		}
	}
	release()
	if release, diags = Hold(path); len(diags) > 0 {
		t.Fatalf("after the release: %v", diags)
	}
	release()
}

// TestHoldMeetsClients holds a state that tofu works on: a provisioner keeps
// the apply waiting.
func TestHoldMeetsClients(t *testing.T) {
	t.Parallel()
	tofu := tfcli.Find(t, "tofu")
	dir := t.TempDir()
	module := `resource "terraform_data" "slow" {
  provisioner "local-exec" { command = "touch begun; while [ ! -e done ]; do sleep 0.05; done" }
}`
	if err := os.WriteFile(filepath.Join(dir, "main.tf"), []byte(module), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), tofu, args...)
		cmd.Dir = dir
		return cmd
	}
	if out, err := run("init", "-no-color").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	apply := run("apply", "-auto-approve", "-no-color")
	if err := apply.Start(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "terraform.tfstate")
	for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(dir, "begun")); err == nil {
			break
		}
		if time.Since(begun) > time.Minute {
			t.Fatal("the apply did not begin")
		}
	}
	_, diags := Hold(path)
	if len(diags) != 1 || diags[0].Code != CodeLocked || !strings.Contains(diags[0].Detail, "OperationTypeApply") {
		t.Errorf("while it is applied: %v", diags)
	}
	if err := os.WriteFile(filepath.Join(dir, "done"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := apply.Wait(); err != nil {
		t.Fatal(err)
	}
	release, diags := Hold(path)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	defer release()
	out, err := run("apply", "-auto-approve", "-no-color").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "Error acquiring the state lock") {
		t.Errorf("tofu works on what is held: %v\n%s", err, out)
	}
}

// TestHolder says who works on a state as far as the client's file does.
func TestHolder(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), ".terraform.tfstate.lock.info")
	for text, want := range map[string]string{
		`{"ID":"abc","Operation":"OperationTypeApply","Info":"","Who":"me@host","Version":"1.11.4","Created":"2026-01-01T00:00:00Z"}`: " (by me@host, for OperationTypeApply, since 2026-01-01T00:00:00Z, lock abc)",
		"{}": "", "junk": "",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := holder(path); got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
	if got := holder(path + ".none"); got != "" {
		t.Errorf("without a file: %q", got)
	}
}
