package bridge_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/formation-iac/formation/internal/testkit/pluginprocess"
	"github.com/formation-iac/formation/internal/testkit/registrytest"
)

// documented has the registry offer the provider "estate" with some pages, and
// returns its arguments.
func (w *world) documented(t *testing.T) []string {
	t.Helper()
	w.registry.Publish(t, registrytest.Binary("testing", "estate", "1.0.0", w.provider(t, "estate")))
	for _, d := range []registrytest.Document{
		{Kind: "overview", Name: "index", Text: "# Estate\n\nHolds what you own, and keeps an account of it."},
		{Kind: "resources", Name: "network", Text: "# estate_network\n\nA network of one's own.\n\n## Arguments\n\n* `cidr` - (Required) From `enable_dns` on."},
		{Kind: "data-sources", Name: "network", Text: "# estate_network\n\nFinds a network."},
	} {
		d.Namespace, d.Type, d.Version = "testing", "estate", "1.0.0"
		w.registry.Document(d)
	}
	return []string{w.address("estate"), "1.0.0", "--fullDocs"}
}

// described says whether the package has the texts of the pages, and what the
// engine was told.
func described(t *testing.T, p *pluginprocess.Process, given []string) (bool, string) {
	t.Helper()
	parameterize(t, p, args(given...), "estate", "1.0.0")
	spec := schema(t, p, "estate", "1.0.0")
	network := spec.Resources["estate:index/network:Network"]
	found := 0
	for _, pair := range [][2]string{
		{network.Description, "A network of one's own."},
		{network.Properties["cidr"].Description, "From `enableDns` on."},
		{spec.Functions["estate:index/getNetwork:getNetwork"].Description, "Finds a network."},
		{spec.Provider.Description, "Holds what you own, and keeps an account of it."},
	} {
		if strings.Contains(pair[0], pair[1]) {
			found++
		}
	}
	if found != 0 && found != 4 {
		t.Errorf("%d of 4 texts are there", found)
	}
	return found > 0, strings.Join(p.Engine.Logs(), "\n")
}

// TestFullDocs asks for documentation: it comes once, and packages without it
// stay as they are.
func TestFullDocs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	given := w.documented(t)
	if with, logs := described(t, w.bridge(t), given[:2]); with || logs != "" {
		t.Errorf("without the flag: %t, %s", with, logs)
	}
	if n := w.registry.Count("provider-docs"); n > 0 {
		t.Errorf("%d pages were asked for", n)
	}
	for range 2 {
		if with, logs := described(t, w.bridge(t), given); !with || logs != "" {
			t.Errorf("with the flag: %t, %s", with, logs)
		}
	}
	if n := w.registry.Count("provider-docs"); n != 3 {
		t.Errorf("%d requests for 3 pages", n)
	}
	if n := w.starts(t); n != 1 {
		t.Errorf("the provider was started %d times", n)
	}
	// Pages that are here serve another package of the provider.
	other := append([]string{"--exclude", "estate_bucket"}, given...)
	if with, logs := described(t, w.bridge(t), other); !with || logs != "" {
		t.Errorf("another package: %t, %s", with, logs)
	}
	if n := w.registry.Count("provider-docs"); n != 3 {
		t.Errorf("%d requests for 3 pages", n)
	}
	// An SDK says nothing of it.
	p := w.bridge(t)
	parameterize(t, p, args(given...), "estate", "1.0.0")
	parameter := schema(t, p, "estate", "1.0.0").Parameterization.Parameter
	p = w.bridge(t)
	parameterize(t, p, args(given[:2]...), "estate", "1.0.0")
	if diff := cmp.Diff(schema(t, p, "estate", "1.0.0").Parameterization.Parameter, parameter); diff != "" {
		t.Error(diff)
	}
}

// TestDocsFail has documentation that does not come: the package is there
// without it, and with it as soon as it comes.
func TestDocsFail(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	given := w.documented(t)
	w.registry.Fail(registrytest.Fault{Path: "provider-docs", Status: 403})
	for range 2 {
		with, logs := described(t, w.bridge(t), given)
		if with || !strings.Contains(logs, "3 of 3 pages") || !strings.Contains(logs, "403") {
			t.Errorf("%t, %s", with, logs)
		}
	}
	w.registry.Heal()
	if with, logs := described(t, w.bridge(t), given); !with || logs != "" {
		t.Errorf("%t, %s", with, logs)
	}
}

// TestDocsBeside has a provider under development.
func TestDocsBeside(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.local(t, "src/bin/terraform-provider-estate_v1.0.0", w.provider(t, "estate"))
	w.local(t, "src/.git/HEAD", "")
	w.documents(t, "src")
	for _, given := range [][]string{
		{"src/bin/terraform-provider-estate_v1.0.0", "--fullDocs"},
		{"src/bin/terraform-provider-estate_v1.0.0", "--upstreamRepoPath", "src"},
	} {
		if with, logs := described(t, w.bridge(t), given); !with || logs != "" {
			t.Errorf("%q: %t, %s", given, with, logs)
		}
	}
	if with, _ := described(t, w.bridge(t), []string{"src/bin/terraform-provider-estate_v1.0.0"}); with {
		t.Error("there is documentation that nobody asked for")
	}
	with, logs := described(t, w.bridge(t), []string{"src/bin/terraform-provider-estate_v1.0.0", "--upstreamRepoPath", "nowhere"})
	if with || !strings.Contains(logs, "No documentation of the provider") && !strings.Contains(logs, "nowhere") {
		t.Errorf("%t, %s", with, logs)
	}
	if err := os.RemoveAll(w.path("src/docs")); err != nil {
		t.Fatal(err)
	}
	w.local(t, "src/docs/resources/other.md", "Other.")
	if with, _ := described(t, w.bridge(t), []string{"src/bin/terraform-provider-estate_v1.0.0", "--fullDocs"}); with {
		t.Error("there is documentation that was removed")
	}
}

// documents puts pages below a directory of the world.
func (w *world) documents(t *testing.T, dir string) {
	t.Helper()
	for name, text := range map[string]string{
		"index.md":                "Holds what you own, and keeps an account of it.",
		"resources/network.md":    "A network of one's own.\n\n## Arguments\n\n* `cidr` - (Required) From `enable_dns` on.",
		"data-sources/network.md": "Finds a network.",
	} {
		w.local(t, filepath.Join(dir, "docs", name), text)
	}
}

// TestDocsStopped ends while a page comes slowly.
func TestDocsStopped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	given := w.documented(t)
	w.registry.Fail(registrytest.Fault{Path: "provider-docs", Status: 503})
	p := w.bridge(t)
	parameterize(t, p, args(given...), "estate", "1.0.0")
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := p.GetSchema(ctx, &pulumirpc.GetSchemaRequest{SubpackageName: "estate", SubpackageVersion: "1.0.0"})
		ended <- err
	}()
	for w.registry.Count("provider-docs") == 0 { // it waits before it asks again
		time.Sleep(time.Millisecond)
	}
	if _, err := p.Cancel(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err == nil || ctx.Err() != nil {
		t.Errorf("it ended with %v", err)
	}
}

// TestDocsReattached has a provider that runs already, whose version nobody
// knows.
func TestDocsReattached(t *testing.T) {
	t.Parallel()
	e := startEstate(t, "estate")
	variable, address := e.debugged(t)
	e.world.documents(t, "src")
	for flag, want := range map[string]string{"--fullDocs": "does not say its version", "--upstreamRepoPath=src": ""} {
		p := e.world.bridge(t, "PULUMI_BRIDGE_REATTACH_PROVIDERS="+variable)
		parameterize(t, p, args(address, flag), "estate", "0.0.0")
		network := schema(t, p, "estate", "0.0.0").Resources["estate:index/network:Network"]
		if with := strings.HasPrefix(network.Description, "A network"); with != (want == "") {
			t.Errorf("%s: %q", flag, network.Description)
		}
		if logs := strings.Join(p.Engine.Logs(), "\n"); !strings.Contains(logs, want) {
			t.Errorf("%s: %s", flag, logs)
		}
	}
}
