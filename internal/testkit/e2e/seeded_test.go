package e2e_test

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/testkit/truth"
)

// seeded is an estate that nobody described: objects that refer to each other,
// in circles too.
func seeded(t *testing.T, provider string, options estate.Options) *recovery {
	t.Helper()
	options.Token = token
	r := &recovery{Module: truth.Named(t, provider), server: estate.Start(t, options), judges: judges(t)}
	r.program = newProgram(t, "ESTATE_ENDPOINT="+r.server.URL, "ESTATE_TOKEN="+token)
	put(t, filepath.Join(r.program.dir, "all.jsonl"), truth.JSONLines(inventoryOf(t, r.server.Store, r.Module)))
	return r
}

// seededArgs are the arguments of an import of all that the estate has.
func (r *recovery) seededArgs(out string, more ...string) []string {
	return append([]string{"import", r.Provider, "--ids", "all.jsonl", "--out", out}, more...)
}

// TestSeededEstate imports an estate with circles at one call at a time and at
// many: both times to the same bytes, which every judge finds to be a no-op.
func TestSeededEstate(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"estate", "classic"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := seeded(t, name, estate.Options{Seed: estate.SeedOptions{Objects: 120, BucketObjects: 3}})
			one := r.program.want(t, 0, r.seededArgs("one", "--state", "both", "--parallel", "1")...)
			r.program.want(t, 0, r.seededArgs("many", "--state", "both", "--parallel", "16")...)
			out := filepath.Join(r.program.dir, "one")
			if diff := cmp.Diff(withoutLineage(files(t, out)), withoutLineage(files(t, filepath.Join(r.program.dir, "many")))); diff != "" {
				t.Errorf("--parallel 1 and --parallel 16 differ:\n%s", diff)
			}
			r.keepsSecrets(t, out, one)
			for _, judge := range r.judges {
				client := r.client(t, judge, out)
				client.Must(t, "validate") // finds cycles
				client.EmptyPlan(t)
			}
			s := loadReport(t, out).Summary
			if s.Imported != 123 || s.NoOp != 123 || s.Links == 0 {
				t.Errorf("summary: %+v", s)
			}
			r.opensCircles(t, out)
		})
	}
}

// TestGroups imports objects whose attributes go together, or exclude each
// other: what can be written is, and only the rest is said to be left out.
func TestGroups(t *testing.T) {
	t.Parallel()
	r := seeded(t, "classic", estate.Options{Seed: estate.SeedOptions{Listeners: 12}})
	r.program.want(t, 0, r.seededArgs("out")...)
	out := filepath.Join(r.program.dir, "out")
	for _, judge := range r.judges {
		client := r.client(t, judge, out)
		client.Must(t, "validate")
		client.EmptyPlan(t)
	}
	if s := loadReport(t, out).Summary; s.Imported != 12 || s.NoOp != 12 {
		t.Errorf("summary: %+v", s)
	}
	written := strings.Join(slices.Collect(maps.Values(configOf(t, out))), "\n")
	for _, name := range []string{"address", "protocol", "idle_seconds", "wait_for", "profile", "target_address"} {
		if n := len(regexp.MustCompile(`(?m)^  `+name+` +=`).FindAllString(written, -1)); n != 12 {
			t.Errorf("%s is written %d times", name, n)
		}
	}
	for _, res := range loadReport(t, out).Resources {
		var refused []string
		for _, d := range res.Diagnostics {
			name, _ := strings.CutSuffix(strings.TrimPrefix(d.Detail, "The provider refuses "), " beside what else is written. Made anew, the object may get another value.")
			if refused = append(refused, name); d.Code != "MI0008" {
				t.Errorf("%s: %+v", res.ID, d)
			}
		}
		if diff := cmp.Diff([]string{"profile_id", "target_id", "target_name"}, refused); diff != "" {
			t.Errorf("left out of %s:\n%s", res.ID, diff)
		}
	}
}

// opensCircles checks that the estate has circles at all, and that what could
// not be linked because of one is said.
func (r *recovery) opensCircles(t *testing.T, out string) {
	t.Helper()
	for _, res := range loadReport(t, out).Resources {
		for _, u := range res.Unlinked {
			if strings.HasSuffix(u.Reason, "depends on this resource already") {
				return
			}
		}
	}
	t.Error("the report names no reference that would have closed a cycle")
}

var (
	lineage  = regexp.MustCompile(`"lineage": "[^"]*"`)
	stateSum = regexp.MustCompile(`("path": "terraform.tfstate",\s+"sha256": )"[^"]*"`)
)

// withoutLineage drops what is drawn at random for each state, and the sum
// over it in the manifest.
func withoutLineage(files map[string]string) map[string]string {
	for name, content := range files {
		files[name] = stateSum.ReplaceAllString(lineage.ReplaceAllString(content, `"lineage": ""`), `$1""`)
	}
	return files
}
