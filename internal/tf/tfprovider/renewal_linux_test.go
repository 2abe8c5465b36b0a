package tfprovider_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// renewing is a provider whose process is replaced after every few calls, for
// any growth at all, and that notes each start in a file.
func renewing(t *testing.T, growth int64) (p peer, starts func() int) {
	t.Helper()
	server := estate.Start(t, estate.Options{Seed: estate.SeedOptions{Objects: 60}})
	dir := t.TempDir()
	binary := build.Binary(t, "terraform-provider-estate")
	script := filepath.Join(dir, "terraform-provider-estate")
	noted := filepath.Join(dir, "starts")
	text := "#!/bin/sh\necho start >> '" + noted + "'\nexec '" + binary + "'\n"
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	p = launch(t, tfprovider.Config{
		Path: script, Env: environment("ESTATE_ENDPOINT=" + server.URL), Renewal: tfprovider.Renewal{Calls: 5, Growth: growth},
	})
	p.estate = server
	noDiags(t, p.Configure(t.Context(), p.object(t, tfschema.KindProvider, "", nil)))
	return p, func() int {
		data, err := os.ReadFile(noted)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(data), "start")
	}
}

const anyGrowth = -1 << 60 // also where a process became smaller

// TestRenewal makes calls from all sides while processes give way to new ones:
// every call is answered, by a configured process.
func TestRenewal(t *testing.T) {
	t.Parallel()
	p, starts := renewing(t, anyGrowth)
	ids := p.ids(t, "instances")
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for _, id := range ids {
				all, diags := p.ImportResourceState(t.Context(), tfprovider.ImportRequest{TypeName: "estate_instance", ID: id})
				if diags.HasErrors() || len(all) != 1 {
					t.Errorf("import of %s: %v", id, diags)
					return
				}
				state, diags := p.ReadResource(t.Context(), readRequest(all[0]))
				if diags.HasErrors() || state.State.GetAttr("id").AsString() != id {
					t.Errorf("read of %s: %v", id, diags)
				}
			}
		})
	}
	workers.Wait()
	if n := starts(); n < 3 {
		t.Errorf("%d processes were started for %d calls", n, 8*len(ids))
	}
}

// TestNoRenewal holds that a process stays that has not grown, or that
// something lives in, and that it may go afterwards.
func TestNoRenewal(t *testing.T) {
	t.Parallel()
	token := func(t *testing.T, p peer) cty.Value {
		return p.object(t, tfschema.KindEphemeral, "estate_token", map[string]cty.Value{"audience": text("me")})
	}
	for name, c := range map[string]struct {
		growth int64
		during func(t *testing.T, p peer, calls func())
		after  bool // it goes
	}{
		"not grown": {1 << 40, func(_ *testing.T, _ peer, calls func()) { calls() }, false},
		"a list is open": {anyGrowth, func(t *testing.T, p peer, calls func()) {
			for range p.ListResource(t.Context(), tfprovider.ListRequest{TypeName: "estate_network"}) {
				calls()
				break
			}
		}, true},
		"an ephemeral resource is open": {anyGrowth, func(t *testing.T, p peer, calls func()) {
			opened, diags := p.OpenEphemeral(t.Context(), "estate_token", token(t, p))
			noDiags(t, diags)
			calls()
			noDiags(t, p.CloseEphemeral(t.Context(), "estate_token", opened.Private))
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, starts := renewing(t, c.growth)
			id := p.ids(t, "networks")[0]
			calls := func() {
				for range 10 {
					p.read(t, "estate_network", id)
				}
			}
			before := 0
			c.during(t, p, func() {
				before = starts()
				calls()
				if n := starts(); n != before {
					t.Errorf("it was replaced %d times meanwhile", n-before)
				}
			})
			calls()
			if renewed := starts() > before; renewed != c.after {
				t.Errorf("replaced afterwards: %t, want %t", renewed, c.after)
			}
		})
	}
}

// TestRenewalThatFails lets no second process start: the first one goes on.
func TestRenewalThatFails(t *testing.T) {
	t.Parallel()
	server := estate.Start(t, estate.Options{Seed: estate.SeedOptions{Objects: 60}})
	dir := t.TempDir()
	script := filepath.Join(dir, "terraform-provider-estate")
	text := "#!/bin/sh\n[ -e '" + dir + "/once' ] && exit 1\ntouch '" + dir + "/once'\nexec '" + build.Binary(t, "terraform-provider-estate") + "'\n"
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	p := launch(t, tfprovider.Config{
		Path: script, Env: environment("ESTATE_ENDPOINT=" + server.URL), Renewal: tfprovider.Renewal{Calls: 5, Growth: anyGrowth},
	})
	p.estate = server
	noDiags(t, p.Configure(t.Context(), p.object(t, tfschema.KindProvider, "", nil)))
	for range 10 {
		p.read(t, "estate_network", p.ids(t, "networks")[0])
	}
}
