package brokenprovider_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/providers/brokenprovider"
	"github.com/formation-iac/formation/internal/testkit/tfcli"
)

const module = `
terraform {
  required_providers {
    broken = { source = "registry.opentofu.org/formation-iac/broken" }
  }
}
resource "broken_thing" "one" {
  name = "thing one"
}
import {
  to = broken_thing.one
  id = "one"
}
`

// TestTerraformSees has the real Terraform import a thing under each mode, and
// compares what it says. Modes that hang, and those that make Terraform itself
// panic, are left to tests of clients that know better.
func TestTerraformSees(t *testing.T) {
	t.Parallel()
	tests := map[brokenprovider.Mode]string{
		"":                          "1 to import, 0 to add, 0 to change, 0 to destroy",
		brokenprovider.Chatty:       "1 to import, 0 to add, 0 to change, 0 to destroy",
		brokenprovider.OddDiags:     "an attribute that does not exist",
		brokenprovider.Exit:         "Failed to load plugin schemas",
		brokenprovider.Garbage:      "Failed to load plugin schemas",
		brokenprovider.OldProtocol:  "Failed to load plugin schemas",
		brokenprovider.DeadAddress:  "Failed to load plugin schemas",
		brokenprovider.HalfLine:     "Failed to load plugin schemas",
		brokenprovider.Noise:        "unmarshal",
		brokenprovider.NoCalls:      "Failed to load plugin schemas",
		brokenprovider.Crash:        "Planning failed", // and what else, by how far Terraform was when the connection broke
		brokenprovider.ExitInCall:   "Planning failed",
		brokenprovider.Fail:         "asked to fail in ReadResource",
		brokenprovider.Refuse:       "Asked to refuse ReadResource",
		brokenprovider.Malformed:    "Planning failed",
		brokenprovider.WrongType:    "Planning failed",
		brokenprovider.Truncated:    "Planning failed",
		brokenprovider.UnknownState: "unknown",
	}
	for mode, want := range tests {
		t.Run("mode="+string(mode), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "main.tf"), []byte(module), 0o600); err != nil {
				t.Fatal(err)
			}
			client := tfcli.New(t, tfcli.Find(t, "terraform"), tfcli.Options{
				Dir: dir, Env: []string{"BROKEN_MODE=" + string(mode)},
				Providers: map[string]string{brokenprovider.Address: build.Binary(t, "terraform-provider-broken")},
			})
			result := client.Run(t, "plan", "-no-color")
			good := strings.Contains(want, "1 to import") || mode == brokenprovider.OddDiags
			if good != (result.ExitCode == 0) {
				t.Errorf("exit code %d", result.ExitCode)
			}
			text := strings.Join(strings.Fields(result.Stdout+result.Stderr), " ")
			if !strings.Contains(text, want) {
				t.Errorf("want %q in:\n%s", want, result.Stdout+result.Stderr)
			}
		})
	}
}
