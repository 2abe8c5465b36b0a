package e2e_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/testkit/truth"
)

// TestFaultsStayWithTheirObject has one thing go wrong at a time. What it
// concerns is named with the reason; all else is imported and proven.
func TestFaultsStayWithTheirObject(t *testing.T) {
	t.Parallel()
	read := func(kind, id string) estate.Target { return estate.Target{Op: estate.OpRead, Kind: kind, ID: id} }
	cases := []struct {
		name   string
		seed   estate.SeedOptions
		faults func(victim string) estate.Faults
		// reason is what must be said of the victim; "" is for faults that
		// cost nothing but time.
		reason string
	}{
		{name: "refused", reason: "the vault is closed", faults: func(victim string) estate.Faults {
			return estate.Faults{Refuse: []estate.Refusal{{Target: read("buckets", victim), Message: "the vault is closed"}}}
		}},
		{name: "crash", reason: "the provider fell over", faults: func(victim string) estate.Faults {
			return estate.Faults{Crash: []estate.Crash{{Target: read("buckets", victim), Message: "the provider fell over"}}}
		}},
		{name: "gone", reason: "gone: No such object", faults: func(victim string) estate.Faults {
			return estate.Faults{Refuse: []estate.Refusal{{Target: read("buckets", victim), Status: 404}}}
		}},
		{name: "cut off", reason: "EOF", faults: func(victim string) estate.Faults {
			return estate.Faults{Reset: []estate.Target{read("buckets", victim)}}
		}},
		{name: "sealed", seed: estate.SeedOptions{Ledgers: 1}, reason: "sealed"},
		{name: "throttled", faults: func(string) estate.Faults { return estate.Faults{ThrottleEvery: 3} }},
	}
	for _, provider := range []string{"estate", "classic"} {
		for _, c := range cases {
			t.Run(provider+" "+c.name, func(t *testing.T) {
				t.Parallel()
				c.seed.Objects = 40
				r := seeded(t, provider, estate.Options{Seed: c.seed})
				kind := "bucket"
				if c.seed.Ledgers > 0 {
					kind = "ledger"
				}
				victim := inventoryOf(t, r.server.Store, r.Module, kind)[0]
				if c.faults != nil {
					r.server.SetFaults(c.faults(victim.ID))
				}
				r.onlyMisses(t, victim, c.reason)
			})
		}
	}
}

// onlyMisses imports and checks that nothing but the victim is missing.
func (r *recovery) onlyMisses(t *testing.T, victim truth.Item, reason string) {
	t.Helper()
	code, missing := 3, 1
	if reason == "" {
		code, missing = 0, 0
	}
	run := r.program.want(t, code, r.seededArgs("out")...)
	out := filepath.Join(r.program.dir, "out")
	r.server.SetFaults(estate.Faults{})
	rep := loadReport(t, out)
	if s, total := rep.Summary, r.server.Store.Total(); s.Found != total || s.NoOp != total-missing {
		t.Errorf("summary %+v, want all of %d but %d proven\n%v", s, total, missing, run)
	}
	failures := rep.failures()
	if len(failures) != missing {
		t.Errorf("failures: %q", failures)
	}
	name := victim.Type + " " + victim.ID
	if missing > 0 && !strings.Contains(failures[name], reason) {
		t.Errorf("%s is said to have failed by %q, want %q in it", name, failures[name], reason)
	}
	if missing > 0 && !strings.Contains(run.stdout, name) {
		t.Errorf("the summary does not name %s:\n%s", name, run.stdout)
	}
	r.client(t, r.judges[0], out).EmptyPlan(t)
}

// TestListingFails refuses the listing of one type: the others are imported.
func TestListingFails(t *testing.T) {
	t.Parallel()
	r := seeded(t, "estate", estate.Options{Seed: estate.SeedOptions{Objects: 20}})
	r.server.SetFaults(estate.Faults{Refuse: []estate.Refusal{
		{Target: estate.Target{Op: estate.OpList, Kind: "buckets"}, Message: "no listing here"},
	}})
	run := r.program.want(t, 3, "import", r.Provider, "--out", "out")
	rep := loadReport(t, filepath.Join(r.program.dir, "out"))
	if len(rep.Types.Failed) != 1 || rep.Types.Failed[0].Type != "estate_bucket" || rep.Summary.Imported == 0 {
		t.Fatalf("types that failed: %+v\n%v", rep.Types.Failed, run)
	}
	if d := rep.Types.Failed[0].Diagnostics; len(d) == 0 || !strings.Contains(d[0].Summary+d[0].Detail, "no listing here") {
		t.Errorf("the reason is lost: %+v", d)
	}
	want := []string{"estate_bucket_object"}
	if diff := cmp.Diff(want, rep.Types.NeedConfig); diff != "" {
		t.Errorf("types that need a query file:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"estate_db_user", "estate_dns_record"}, rep.Types.NotEnumerable); diff != "" {
		t.Errorf("types that nothing enumerates:\n%s", diff)
	}
}

// TestUnreachable asks an estate that is not there.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"--no-list", "--ids", "ids.csv"}} {
		p := newProgram(t, "ESTATE_ENDPOINT=http://127.0.0.1:1")
		put(t, filepath.Join(p.dir, "ids.csv"), "type,id\nestate_bucket,logs\nestate_bucket,media\n")
		run := p.want(t, 1, append([]string{"import", "formation-iac/estate", "--out", "out"}, args...)...)
		if !strings.Contains(run.stderr, "connection refused") || !strings.Contains(run.stderr, "127.0.0.1:1") {
			t.Errorf("it does not say what was not reached: %v", run)
		}
		if _, err := os.Stat(filepath.Join(p.dir, "out")); err == nil {
			t.Error("it wrote something")
		}
	}
}

// TestInterrupt interrupts an import in the middle: it ends at once, and
// leaves no files and no processes.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	for _, provider := range []string{"estate", "classic"} {
		t.Run(provider, func(t *testing.T) {
			t.Parallel()
			r := seeded(t, provider, estate.Options{Seed: estate.SeedOptions{Objects: 60}})
			r.server.SetFaults(estate.Faults{LatencyMS: 200})
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			cmd := r.program.command(ctx, r.seededArgs("out", "--parallel", "2")...)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			for r.server.Stats().Total < 6 && ctx.Err() == nil {
				time.Sleep(10 * time.Millisecond)
			}
			began := time.Now()
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			if took := time.Since(began); took > 30*time.Second {
				t.Errorf("it took %v to end", took)
			}
			if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(stderr.String(), "Interrupted") {
				t.Errorf("exit %d\n%s", code, stderr.String())
			}
			if entries, err := os.ReadDir(filepath.Join(r.program.dir, "out")); err == nil {
				t.Errorf("it left %v", entries)
			}
			r.leftNoProcess(t)
		})
	}
}

// leftNoProcess looks for processes with this test's estate in their
// environment, where the system shows it.
func (r *recovery) leftNoProcess(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		return
	}
	environments, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil || len(environments) == 0 {
		t.Fatalf("no processes in /proc: %v", err)
	}
	for _, path := range environments {
		env, err := os.ReadFile(path) // gone, or another user's
		if err == nil && strings.Contains(string(env), "ESTATE_ENDPOINT="+r.server.URL) {
			name, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
			t.Errorf("a process is left: %q", name)
		}
	}
}

// TestWavering has the service give lists in another order at each read. They
// are in ignore_changes, so that clients find no change although they read
// others than the import did.
func TestWavering(t *testing.T) {
	t.Parallel()
	for _, provider := range []string{"estate", "classic"} {
		t.Run(provider, func(t *testing.T) {
			t.Parallel()
			r := seeded(t, provider, estate.Options{Seed: estate.SeedOptions{Objects: 60}})
			r.server.SetFaults(estate.Faults{Turn: []estate.Target{{Op: estate.OpRead}}})
			run := r.program.want(t, 0, r.seededArgs("out")...)
			out := filepath.Join(r.program.dir, "out")
			wavering := 0
			for _, res := range loadReport(t, out).Resources {
				if len(res.Wavering) > 0 {
					wavering++
				}
			}
			if want := "  " + provider + "_instance: boot_order ("; wavering == 0 || !strings.Contains(run.stdout, want) {
				t.Errorf("%d objects are said to waver\n%v", wavering, run)
			}
			if strings.Contains(run.stdout, "A value is another at each read") {
				t.Errorf("what is in the list is a warning as well\n%v", run)
			}
			r.program.want(t, 0, "verify", "out")
			for _, judge := range r.judges {
				r.client(t, judge, out).EmptyPlan(t)
			}
		})
	}
}
