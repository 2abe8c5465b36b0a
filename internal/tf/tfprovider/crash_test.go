package tfprovider_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// crashes are faults that end the provider's process at a call.
func crashes(op estate.Op, kind, id string, times int) estate.Faults {
	return estate.Faults{
		LatencyMS: 50,
		Crash:     []estate.Crash{{Target: estate.Target{Op: op, Kind: kind, ID: id}, Times: times}},
	}
}

// TestCrash ends the process in one of 16 concurrent calls. Exactly that one
// fails, with the process's last words.
func TestCrash(t *testing.T) {
	t.Parallel()
	for name, newPeer := range map[string]func(*testing.T, estate.Options) peer{"estate": estatePeer, "classic": classicPeer} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPeer(t, estate.Options{Seed: estate.SeedOptions{Objects: 300}})
			ids := p.ids(t, "instances")[:16]
			culprit := ids[7]
			imports := make([]tfprovider.Imported, len(ids))
			for i, id := range ids {
				imports[i] = p.imported(t, name+"_instance", id)
			}
			p.estate.SetFaults(crashes(estate.OpRead, "instances", culprit, 0))
			states, diags := readAll(t.Context(), p, imports)
			for i, id := range ids {
				if id == culprit {
					wantDiag(t, diags[i], tfprovider.CodeCrashed, "Provider test crashed", "during ReadResource", "Its last words:",
						"terraform-provider-"+name+`: crash: crash asked for at read instances "`+culprit+`"`)
					continue
				}
				noDiags(t, diags[i])
				if got := attr(t, states[i], "id").AsString(); got != id {
					t.Errorf("read %s in the place of %s", got, id)
				}
			}
			p.estate.SetFaults(estate.Faults{})
			p.read(t, name+"_instance", culprit)
		})
	}
}

func readAll(ctx context.Context, p tfprovider.Provider, imports []tfprovider.Imported) ([]cty.Value, []diag.List) {
	states, diags := make([]cty.Value, len(imports)), make([]diag.List, len(imports))
	var calls sync.WaitGroup
	for i, imported := range imports {
		calls.Go(func() {
			resp, d := p.ReadResource(ctx, readRequest(imported))
			states[i], diags[i] = resp.State, d
		})
	}
	calls.Wait()
	return states, diags
}

// TestCrashOnce ends the process once: nobody fails.
func TestCrashOnce(t *testing.T) {
	t.Parallel()
	p := estatePeer(t, estate.Options{Seed: estate.SeedOptions{Objects: 60}})
	id := p.ids(t, "networks")[0]
	imported := p.imported(t, "estate_network", id)
	p.estate.SetFaults(crashes(estate.OpRead, "networks", id, 1))
	_, diags := p.ReadResource(t.Context(), readRequest(imported))
	noDiags(t, diags)
}

// TestCrashWithoutSecondTry ends the process in calls that must not be made
// twice.
func TestCrashWithoutSecondTry(t *testing.T) {
	t.Parallel()
	p := estatePeer(t, estate.Options{Faults: crashes(estate.OpCreate, "networks", "", 1)})
	config := p.object(t, tfschema.KindResource, "estate_network", map[string]cty.Value{"name": text("n"), "cidr": text("10.0.0.0/8")})
	plan, diags := p.PlanResourceChange(t.Context(), tfprovider.PlanRequest{TypeName: "estate_network", Config: config, ProposedNew: config})
	noDiags(t, diags)
	_, diags = p.ApplyResourceChange(t.Context(), tfprovider.ApplyRequest{
		TypeName: "estate_network", Config: config, Planned: plan.Planned, PlannedPrivate: plan.Private,
	})
	wantDiag(t, diags, tfprovider.CodeCrashed, "during ApplyResourceChange")
}

// TestCrashAtList ends the process in a list, for good or once.
func TestCrashAtList(t *testing.T) {
	t.Parallel()
	p := estatePeer(t, estate.Options{Seed: estate.SeedOptions{Objects: 60}})
	want := len(p.ids(t, "networks"))
	for times, fails := range map[int]bool{0: true, 1: false} {
		p.estate.SetFaults(crashes(estate.OpList, "networks", "", times))
		var events []tfprovider.ListEvent
		for e := range p.ListResource(t.Context(), tfprovider.ListRequest{TypeName: "estate_network"}) {
			events = append(events, e)
		}
		if fails {
			if len(events) != 1 {
				t.Fatalf("%d events", len(events))
			}
			wantDiag(t, events[0].Diagnostics, tfprovider.CodeCrashed, "during ListResource")
			continue
		}
		if len(events) != want {
			t.Errorf("%d events of %d", len(events), want)
		}
	}
}

// TestCrashBesideList ends the process, by another call, while a list goes on
// whose caller makes calls of its own. Every object comes once.
func TestCrashBesideList(t *testing.T) {
	t.Parallel()
	p := estatePeer(t, estate.Options{Seed: estate.SeedOptions{Objects: 400}})
	ids := p.ids(t, "instances")
	imported := p.imported(t, "estate_network", p.ids(t, "networks")[0])
	seen := map[string]int{}
	for e := range p.ListResource(t.Context(), tfprovider.ListRequest{TypeName: "estate_instance"}) {
		noDiags(t, e.Diagnostics)
		seen[attr(t, e.Identity, "id").AsString()]++
		if len(seen) == 10 {
			p.estate.SetFaults(crashes(estate.OpRead, "networks", "", 0))
			_, diags := p.ReadResource(t.Context(), readRequest(imported))
			wantDiag(t, diags, tfprovider.CodeCrashed)
			p.estate.SetFaults(estate.Faults{})
		}
	}
	for _, id := range ids {
		if seen[id] != 1 {
			t.Fatalf("%s came %d times", id, seen[id])
		}
	}
}

// TestPanic quotes a panic from its beginning.
func TestPanic(t *testing.T) {
	t.Parallel()
	p := launch(t, broken(t, "BROKEN_MODE=crash"))
	_, diags := p.ReadResource(t.Context(), readRequest(p.imported(t, "broken_thing", "one")))
	wantDiag(t, diags, tfprovider.CodeCrashed, "Its last words:\npanic: broken: asked to panic in ReadResource", "goroutine ")
}

// TestMalformedAnswers has the provider answer what no state can be.
func TestMalformedAnswers(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"malformed", "wrong-type", "truncated"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			p := launch(t, broken(t, "BROKEN_MODE="+mode, "BROKEN_ID=bad"))
			_, diags := p.ReadResource(t.Context(), readRequest(p.imported(t, "broken_thing", "bad")))
			wantDiag(t, diags, "TP0006", "Provider test sent a malformed answer", "ReadResource: ")
			p.read(t, "broken_thing", "good")
		})
	}
	t.Run("no state", func(t *testing.T) {
		t.Parallel()
		p := launch(t, broken(t, "BROKEN_MODE=no-state"))
		if resp := p.read(t, "broken_thing", "one"); !resp.State.IsNull() {
			t.Errorf("got %#v", resp.State)
		}
	})
	t.Run("odd diagnostics", func(t *testing.T) {
		t.Parallel()
		p := launch(t, broken(t, "BROKEN_MODE=odd-diags"))
		_, diags := p.ReadResource(t.Context(), readRequest(p.imported(t, "broken_thing", "one")))
		if len(diags) != 3 || diags.HasErrors() {
			t.Fatalf("got %v", diags)
		}
		if diags[0].Summary != "Provider test gave no reason" {
			t.Errorf("got %q", diags[0].Summary)
		}
		if strings.ContainsAny(diags[1].Summary, "\x1b\x07") || !strings.Contains(diags[1].Summary, "characters") {
			t.Errorf("got %q", diags[1].Summary)
		}
	})
	t.Run("chatty", func(t *testing.T) {
		t.Parallel()
		p := launch(t, broken(t, "BROKEN_MODE=chatty"))
		p.read(t, "broken_thing", "one")
	})
}

// TestCancel gives up calls that hang, with providers that notice and that
// do not; other calls go on.
func TestCancel(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"hang", "deaf"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			p := launch(t, broken(t, "BROKEN_MODE="+mode, "BROKEN_ID=stuck"))
			imported := p.imported(t, "broken_thing", "stuck")
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			time.AfterFunc(100*time.Millisecond, func() { cancel(errors.New("enough")) })
			promptly(t, func() {
				_, diags := p.ReadResource(ctx, readRequest(imported))
				wantDiag(t, diags, tfprovider.CodeInterrupted, "enough")
			})
			p.read(t, "broken_thing", "free")
		})
	}
}

// TestCloseWhileBusy ends a provider in the middle of a call.
func TestCloseWhileBusy(t *testing.T) {
	t.Parallel()
	p := launch(t, broken(t, "BROKEN_MODE=deaf"))
	imported := p.imported(t, "broken_thing", "stuck")
	time.AfterFunc(100*time.Millisecond, func() { _ = p.Close() })
	promptly(t, func() {
		_, diags := p.ReadResource(t.Context(), readRequest(imported))
		wantDiag(t, diags, "TP0010")
	})
}

// TestStop stops calls of a provider that heeds it.
func TestStop(t *testing.T) {
	t.Parallel()
	p := classicPeer(t, estate.Options{Seed: estate.SeedOptions{Objects: 60}})
	id := p.ids(t, "networks")[0]
	imported := p.imported(t, "classic_network", id)
	p.estate.SetFaults(estate.Faults{Hang: []estate.Target{{Op: estate.OpRead, Kind: "networks"}}})
	time.AfterFunc(200*time.Millisecond, func() {
		if err := p.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Errorf("stop: %v", err)
		}
	})
	promptly(t, func() {
		_, diags := p.ReadResource(t.Context(), readRequest(imported))
		wantDiag(t, diags, tfprovider.CodeProvider, "canceled")
	})
}

// TestOtherSchemaAfterCrash starts a process again that has another schema by
// then. What the first one confirmed stands: nothing is asked twice.
func TestOtherSchemaAfterCrash(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := broken(t, "BROKEN_MODE=exit-in-call", "BROKEN_ID=two")
	config.CacheFile = filepath.Join(dir, "schema")
	launch(t, config)
	starts := filepath.Join(dir, "starts")
	script := fmt.Sprintf("#!/bin/sh\n[ -e %[1]s ] && export BROKEN_SCHEMA=sensitive\necho >> %[1]s\nexec %[2]s\n", starts, config.Path)
	config.Path, config.Kept = filepath.Join(dir, "provider"), tfprovider.KeptConfirmed
	if err := os.WriteFile(config.Path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	p := launch(t, config)
	noDiags(t, p.Confirm(t.Context()))
	_, diags := p.ReadResource(t.Context(), readRequest(p.imported(t, "broken_thing", "two")))
	wantDiag(t, diags, tfprovider.CodeCrashed)
	p.read(t, "broken_thing", "one")
	noDiags(t, p.Confirm(t.Context()))
	if text, err := os.ReadFile(starts); err != nil || len(text) != 3 {
		t.Errorf("%d starts, %v", len(text), err)
	}
}
