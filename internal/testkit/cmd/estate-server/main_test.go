package main_test

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/estateapi"
)

// TestServer runs the real process: seeded, with faults from flags, until it
// is interrupted.
func TestServer(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), build.Binary(t, "estate-server"),
		"--seed", "60", "--ledgers", "1", "--refuse", "roles=404", "--crash", "buckets/estate-billing-prod")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	url, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	var crash string
	client := &estateapi.Client{Endpoint: strings.TrimSpace(url), Crash: func(m string) { crash = m }}
	if _, err := client.Get(t.Context(), "buckets", "estate-checkout-prod"); err != nil {
		t.Error(err)
	}
	if _, err := client.Get(t.Context(), "roles", "checkout-prod-role"); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("the refused kind: %v", err)
	}
	_, _ = client.Get(t.Context(), "buckets", "estate-billing-prod")
	if want := `crash asked for at read buckets "estate-billing-prod"`; crash != want {
		t.Errorf("crash message %q, want %q", crash, want)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("after an interrupt: %v", err)
	}
}

func TestServerRefusesBadFlags(t *testing.T) {
	t.Parallel()
	for flag, want := range map[string]string{
		"--refuse=roles=200": `status "200" is not from 400 to 599`,
		"--moon=full":        "flag provided but not defined",
		"extra":              `unexpected argument "extra"`,
	} {
		out, err := exec.CommandContext(t.Context(), build.Binary(t, "estate-server"), flag).CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v\n%s", flag, err, out)
		}
	}
}
