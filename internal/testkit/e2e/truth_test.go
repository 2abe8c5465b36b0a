package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/testkit/tfcli"
	"github.com/formation-iac/formation/internal/testkit/truth"
)

const token = "synthetic-provider-token"

// recovery is a ground truth that was applied, and whose configuration and
// state were then thrown away but for what the comparison needs.
type recovery struct {
	truth.Module
	server  *estate.Server
	judges  []string
	program program
	// state is what the ground truth's own state said, and noted what it said
	// beside the attributes.
	state  []tfcli.Instance
	noted  map[string]noted
	before string
}

// TestGroundTruth applies a configuration whose every attribute and reference
// is known, forgets it, and has it recovered in each way.
func TestGroundTruth(t *testing.T) {
	t.Parallel()
	for _, m := range truth.Modules(t) {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			r := applied(t, m)
			r.byState(t)
			r.byImportBlocks(t)
			r.byInventories(t)
			r.again(t)
		})
	}
}

func applied(t *testing.T, m truth.Module) *recovery {
	t.Helper()
	r := &recovery{
		Module: m, server: estate.Start(t, estate.Options{Token: token}), judges: judges(t),
	}
	r.program = newProgram(t, "ESTATE_ENDPOINT="+r.server.URL, "ESTATE_TOKEN="+token)
	dir := t.TempDir()
	m.Write(t, dir)
	client := r.client(t, r.judges[0], dir)
	client.Apply(t)
	r.state, r.noted = client.Show(t), notedIn(t, filepath.Join(dir, "terraform.tfstate"))
	r.before = string(r.server.Store.Dump(estate.DumpOptions{DropGenerated: true, Secrets: true}))
	put(t, filepath.Join(r.program.dir, "unlisted.jsonl"), truth.JSONLines(inventoryOf(t, r.server.Store, m, "dns_record", "db_user")))
	put(t, filepath.Join(r.program.dir, "all.jsonl"), truth.JSONLines(inventoryOf(t, r.server.Store, m)))
	put(t, filepath.Join(r.program.dir, "objects.tfquery.hcl"), `
list "estate_bucket_object" "media" {
  provider = estate
  config {
    bucket = "shop-media"
  }
}
`)
	return r
}

// client is a judge in a directory. It gets nothing but the provider and the
// way to the estate.
func (r *recovery) client(t testing.TB, judge, dir string) *tfcli.Client {
	return tfcli.New(t, judge, tfcli.Options{
		Dir: dir, Env: []string{"ESTATE_ENDPOINT=" + r.server.URL, "ESTATE_TOKEN=" + token},
		Providers: map[string]string{r.Provider: build.Binary(t, r.Binary)},
	})
}

// args are the arguments of an import into out, by all means that the
// provider has: only the estate provider has lists.
func (r *recovery) args(out string, more ...string) []string {
	args := []string{"import", strings.TrimPrefix(r.Provider, "registry.opentofu.org/"), "--out", out}
	if r.Name == "estate" {
		args = append(args, "--query", "objects.tfquery.hcl", "--ids", "unlisted.jsonl")
	} else {
		args = append(args, "--ids", "all.jsonl")
	}
	return append(args, more...)
}

// byState imports into a state, which every judge must find to be a no-op,
// and measures what was recovered.
func (r *recovery) byState(t *testing.T) {
	out := filepath.Join(r.program.dir, "tfstate")
	run := r.program.want(t, 0, r.args("tfstate")...)
	if !strings.Contains(run.stdout, "Proven: a plan of tfstate changes nothing.") {
		t.Errorf("it does not say that it is proven: %v", run)
	}
	rep := loadReport(t, out)
	if s := rep.Summary; s.Imported != len(r.Resources) || s.NoOp != len(r.Resources) || s.Failed != 0 {
		t.Errorf("summary %+v, want %d resources imported and proven", s, len(r.Resources))
	}
	for _, judge := range r.judges {
		client := r.client(t, judge, out)
		client.Must(t, "validate")
		client.EmptyPlan(t)
	}
	r.keepsSecrets(t, out, run)
	r.notesAsApplied(t, out)
	r.judged(t, out)
}

// judged holds the measured figures to what must be reached.
func (r *recovery) judged(t *testing.T, out string) {
	client := r.client(t, r.judges[0], out)
	schemas, err := r.DecodeSchemas([]byte(client.Must(t, "providers", "schema", "-json").Stdout))
	if err != nil {
		t.Fatal(err)
	}
	a, err := r.Compare(r.state, truth.Import{Files: files(t, out), State: client.Show(t)}, schemas)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d of %d attributes, %d of %d links, not the author's: %q", r.Name, a.Recovered, a.Attributes, a.LinksFound, a.Links, a.Extra)
	if a.Recovered*100 < a.Attributes*99 {
		t.Errorf("attributes: %d of %d recovered; lost: %q", a.Recovered, a.Attributes, a.Lost)
	}
	if len(a.ComputedOnly) > 0 {
		t.Errorf("attributes that are computed only: %q", a.ComputedOnly)
	}
	if len(a.LinksWrong) > 0 {
		t.Errorf("links that the author did not make: %q", a.LinksWrong)
	}
	if a.LinksFound*100 < a.Links*99 {
		t.Errorf("links: %d of %d recovered; missing: %q", a.LinksFound, a.Links, a.LinksMissing)
	}
	if len(a.Cycles) > 0 {
		t.Errorf("resources that depend on themselves: %q", a.Cycles)
	}
}

// keepsSecrets looks for every secret of the estate in all that a run wrote.
func (r *recovery) keepsSecrets(t *testing.T, out string, run result) {
	t.Helper()
	secrets, err := truth.Secrets(r.server.Store.Dump(estate.DumpOptions{Secrets: true}))
	if err != nil {
		t.Fatal(err)
	}
	if len(secrets) < 2 {
		t.Fatalf("the estate has only %d secrets", len(secrets))
	}
	written := files(t, out)
	written["stdout"], written["stderr"] = run.stdout, run.stderr
	for _, leak := range truth.Leaks(append(secrets, token), written) {
		t.Error(leak)
	}
	for name := range written {
		info, err := os.Stat(filepath.Join(out, name))
		switch {
		case !truth.Private(name):
		case err != nil:
			t.Error(err)
		case runtime.GOOS != "windows" && info.Mode().Perm() != 0o600:
			t.Errorf("%s has the mode %v, want 0600", name, info.Mode().Perm())
		}
	}
	ignored := written[".gitignore"]
	if !strings.Contains(ignored, "tfvars") || !strings.Contains(ignored, "tfstate") {
		t.Errorf(".gitignore leaves out values or state:\n%s", ignored)
	}
}

// byImportBlocks imports by import blocks: each judge plans nothing but
// imports and the settling that the report names, applies that, and then
// plans nothing.
func (r *recovery) byImportBlocks(t *testing.T) {
	for _, judge := range r.judges {
		name := "blocks-" + filepath.Base(judge)
		out := filepath.Join(r.program.dir, name)
		run := r.program.want(t, 0, r.args(name, "--state", "import-blocks")...)
		r.keepsSecrets(t, out, run)
		if _, err := os.Stat(filepath.Join(out, "terraform.tfstate")); err == nil {
			t.Error("there is a state beside import blocks only")
		}
		var want []string
		for _, res := range loadReport(t, out).Resources {
			line := res.Address + " import"
			if len(res.Settled) > 0 {
				line += " update " + strings.Join(res.Settled, ",")
			}
			want = append(want, line)
		}
		slices.Sort(want)
		client := r.client(t, judge, out)
		if diff := cmp.Diff(want, imports(t, client)); diff != "" {
			t.Errorf("%s plans for import blocks (-report +plan):\n%s", name, diff)
		}
		client.Apply(t)
		client.EmptyPlan(t)
	}
	if diff := cmp.Diff(r.before, string(r.server.Store.Dump(estate.DumpOptions{DropGenerated: true, Secrets: true}))); diff != "" {
		t.Errorf("applying import blocks changed the estate:\n%s", diff)
	}
}

// imports plans, and lists all that would be done in the form "address import
// update attributes".
func imports(t testing.TB, client *tfcli.Client) []string {
	t.Helper()
	var out []string
	for _, change := range client.Plan(t) {
		out = append(out, change.String())
	}
	return out
}

// byInventories imports from inventories alone, in each format. All must lead
// to the same configuration.
func (r *recovery) byInventories(t *testing.T) {
	items := inventoryOf(t, r.server.Store, r.Module)
	shell := filepath.Join(r.program.dir, "piped")
	put(t, shell, csv(items))
	var first map[string]string
	for name, arg := range map[string]string{"ids.csv": csv(items), "ids.jsonl": truth.JSONLines(items), "ids.txt": csv(items)} {
		put(t, filepath.Join(r.program.dir, name), arg)
	}
	for _, source := range [][]string{
		{"--ids", "ids.csv"}, {"--ids", "ids.jsonl"}, {"--ids", "ids.txt"}, {"--ids-from", "cat piped"},
	} {
		out := "by-" + filepath.Base(strings.ReplaceAll(source[1], " ", "-"))
		args := append([]string{"import", r.Provider, "--no-list", "--out", out}, source...)
		r.program.want(t, 0, args...)
		got := configOf(t, filepath.Join(r.program.dir, out))
		if first == nil {
			first = got
			r.client(t, r.judges[0], filepath.Join(r.program.dir, out)).EmptyPlan(t)
		}
		if diff := cmp.Diff(first, got); diff != "" {
			t.Errorf("%q leads to another configuration:\n%s", source, diff)
		}
	}
	r.byNamedBlocks(t, items)
}

// byNamedBlocks imports what import blocks name, under their names.
func (r *recovery) byNamedBlocks(t *testing.T, items []truth.Item) {
	put(t, filepath.Join(r.program.dir, "wanted.tf"), importBlocks(items))
	r.program.want(t, 0, "import", r.Provider, "--no-list", "--ids", "wanted.tf", "--out", "by-blocks")
	out := filepath.Join(r.program.dir, "by-blocks")
	client := r.client(t, r.judges[0], out)
	client.EmptyPlan(t)
	var want []string
	for n, i := range items {
		want = append(want, fmt.Sprintf("%s.r%d", i.Type, n))
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, client.Addresses(t)); diff != "" {
		t.Errorf("addresses (-import blocks +state):\n%s", diff)
	}
}

// configOf reads the configuration that an import wrote.
func configOf(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := files(t, dir)
	for name := range out {
		if !strings.HasSuffix(name, ".tf") {
			delete(out, name)
		}
	}
	return out
}

// again destroys the estate through the recovered configuration, fills in
// what could not be read, and makes the estate anew.
func (r *recovery) again(t *testing.T) {
	out := filepath.Join(r.program.dir, "tfstate")
	r.fillIn(t, out)
	client := r.client(t, r.judges[len(r.judges)-1], out)
	client.EmptyPlan(t)
	client.Destroy(t)
	if left := r.server.Store.Total(); left != 0 {
		t.Fatalf("destroy left %d objects", left)
	}
	client.Apply(t)
	client.EmptyPlan(t)
	if diff := cmp.Diff(r.before, string(r.server.Store.Dump(estate.DumpOptions{DropGenerated: true, Secrets: true}))); diff != "" {
		t.Errorf("the estate after destroy and apply (-before +after):\n%s", diff)
	}
}

// fillIn gives every stand-in the real value.
func (r *recovery) fillIn(t *testing.T, out string) {
	t.Helper()
	var standIns []truth.StandIn
	for _, v := range loadReport(t, out).Variables {
		if v.StandIn {
			standIns = append(standIns, truth.StandIn{Name: v.Name, Owner: v.Owner, Path: v.Path})
		}
	}
	path := filepath.Join(out, "secrets.auto.tfvars")
	text, err := r.FillIn(get(t, path), standIns)
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, text)
}
