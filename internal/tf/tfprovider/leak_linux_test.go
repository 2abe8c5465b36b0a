package tfprovider_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// badge is an environment variable that tells the processes of one test.
func badge(t *testing.T) string {
	return fmt.Sprintf("FORMATION_TEST=%s-%d", t.Name(), os.Getpid())
}

// processes counts what runs with a badge in its environment.
func processes(t *testing.T, badge string) int {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			continue // another user's, or gone
		}
		for entry := range bytes.SplitSeq(data, []byte{0}) {
			if string(entry) == badge {
				count++
			}
		}
	}
	return count
}

// plugins counts goroutines that serve a plugin.
func plugins() int {
	buf := make([]byte, 4<<20)
	count := 0
	for g := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		for _, at := range []string{"hashicorp/go-plugin", "google.golang.org/grpc", "tfprovider.(*", "os/exec."} {
			if strings.Contains(g, at) {
				count++
				break
			}
		}
	}
	return count
}

// TestNothingIsLeft closes providers in every condition, and looks for
// processes and goroutines. It is not parallel, so that what it finds is its
// own: tests that are wait until it has ended.
func TestNothingIsLeft(t *testing.T) {
	server := estate.Start(t, estate.Options{Seed: estate.SeedOptions{Objects: 60}})
	crash := estate.Faults{Crash: []estate.Crash{{Target: estate.Target{Op: estate.OpList}}}}
	read := func(ctx context.Context, p peer) {
		all, _ := p.ImportResourceState(ctx, tfprovider.ImportRequest{TypeName: "broken_thing", ID: "one"})
		for _, one := range all {
			p.ReadResource(ctx, readRequest(one))
		}
	}
	tests := map[string]struct {
		binary string
		orders []string
		use    func(ctx context.Context, p peer)
	}{
		"never started": {"estate", nil, func(context.Context, peer) {}},
		"idle":          {"estate", nil, func(ctx context.Context, p peer) { p.Schema(ctx) }},
		"classic":       {"classic", nil, func(ctx context.Context, p peer) { p.Schema(ctx) }},
		"silent":        {"broken", []string{"BROKEN_MODE=silent"}, func(ctx context.Context, p peer) { p.Schema(ctx) }},
		"garbage":       {"broken", []string{"BROKEN_MODE=garbage"}, func(ctx context.Context, p peer) { p.Schema(ctx) }},
		"protocol 4":    {"broken", []string{"BROKEN_MODE=protocol4"}, func(ctx context.Context, p peer) { p.Schema(ctx) }},
		"dead address":  {"broken", []string{"BROKEN_MODE=dead-address"}, func(ctx context.Context, p peer) { p.Schema(ctx) }},
		"crashing":      {"broken", []string{"BROKEN_MODE=crash"}, read},
		"deaf":          {"broken", []string{"BROKEN_MODE=deaf"}, read},
		"ended list": {"estate", []string{"ESTATE_ENDPOINT=" + server.URL}, func(ctx context.Context, p peer) {
			p.Configure(ctx, p.object(t, 1, "", nil))
			for range p.ListResource(ctx, tfprovider.ListRequest{TypeName: "estate_network"}) {
				break
			}
			server.SetFaults(crash)
			for range p.ListResource(ctx, tfprovider.ListRequest{TypeName: "estate_network"}) {
				break
			}
		}},
	}
	before := plugins()
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			mine := badge(t)
			p := unstarted(t, tfprovider.Config{
				Path: build.Binary(t, "terraform-provider-"+test.binary), Env: environment(append(test.orders, mine)...),
			})
			patience := 20 * time.Second
			if name == "silent" || name == "deaf" { // there is no more to come
				patience = time.Second
			}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			if name == "ended list" {
				p.catalog, _ = p.Schema(ctx)
			}
			test.use(ctx, p)
			if name == "idle" && processes(t, mine) != 1 {
				t.Error("the process cannot be found: this test would find no other either")
			}
			if err := p.Close(); err != nil {
				t.Error(err)
			}
			if n := processes(t, mine); n != 0 {
				t.Errorf("%d processes are left", n)
			}
		})
	}
	left := plugins()
	for wait := time.Now().Add(3 * time.Second); left > before && time.Now().Before(wait); left = plugins() {
		time.Sleep(20 * time.Millisecond)
	}
	if left > before {
		t.Errorf("%d goroutines are left, of %d before", left, before)
	}
}
