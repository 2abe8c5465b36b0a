package tfverify_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/testkit/tfcli"
	"github.com/formation-iac/formation/internal/testkit/truth"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfverify"
)

const (
	estateAddr  = "registry.opentofu.org/formation-iac/estate"
	classicAddr = "registry.opentofu.org/formation-iac/classic"
)

func binaries(t testing.TB) map[string]string {
	t.Helper()
	return map[string]string{
		estateAddr:  build.Binary(t, "terraform-provider-estate"),
		classicAddr: build.Binary(t, "terraform-provider-classic"),
	}
}

// launcher starts the test providers as processes over an estate.
func launcher(programs map[string]string, endpoint string) func(context.Context, tfaddr.Provider) (tfprovider.Provider, diag.List) {
	return func(_ context.Context, p tfaddr.Provider) (tfprovider.Provider, diag.List) {
		path, ok := programs[p.String()]
		if !ok {
			return nil, diag.List{diag.Errorf("X", "No such provider", "%s", p)}
		}
		return tfprovider.Launch(tfprovider.Config{Name: p.String(), Path: path, Env: append(os.Environ(), "ESTATE_ENDPOINT="+endpoint)}), nil
	}
}

func unpack(t testing.TB, dir string, archive []byte) {
	t.Helper()
	for _, f := range txtar.Parse(archive).Files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// summary is a report in a few lines: what is not a no-op, and the gaps.
func summary(r tfverify.Report, diags diag.List) []string {
	out := []string{fmt.Sprintf("proven %t", r.Proven)}
	for _, res := range r.Resources {
		if res.Verdict == tfverify.NoOp {
			continue
		}
		line := string(res.Verdict) + " " + res.Address
		if res.From != "" {
			line += " from " + res.From
		}
		for _, c := range res.Changes {
			if res.Verdict != tfverify.Create && res.Verdict != tfverify.Replace && res.Verdict != tfverify.Import {
				line += " " + c.Path
			}
		}
		for _, d := range res.Reasons {
			line += " " + d.Code
		}
		out = append(out, line)
	}
	for _, o := range r.Outputs {
		if o.Verdict != tfverify.NoOp {
			out = append(out, string(o.Verdict)+" output."+o.Name)
		}
	}
	for _, d := range append(slices.Clone(r.Gaps), diags...) {
		out = append(out, d.Severity.String()+" "+d.Code)
	}
	return out
}

// TestAgreesWithClients applies each module of testdata/agree with a real
// client, makes the changes of each of its steps, and holds our verdict
// against `plan -detailed-exitcode`. An archive's comment and first files are
// the module; files named "step:name" are laid over it for that step, and
// "step:want" has our summary, or "step:CLIENT" has it for the states of one
// client.
func TestAgreesWithClients(t *testing.T) {
	t.Parallel()
	programs := binaries(t)
	files, err := filepath.Glob("testdata/agree/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no archives", err)
	}
	tfcli.Each(t, func(t *testing.T, path string) {
		for _, file := range files {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
				t.Parallel()
				agree(t, path, programs, file)
			})
		}
	})
}

func agree(t *testing.T, path string, programs map[string]string, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	base, steps := &txtar.Archive{}, map[string]*txtar.Archive{}
	for _, f := range archive.Files {
		step, name, ok := strings.Cut(f.Name, ":")
		if !ok {
			base.Files = append(base.Files, f)
			continue
		}
		if steps[step] == nil {
			steps[step] = &txtar.Archive{}
		}
		steps[step].Files = append(steps[step].Files, txtar.File{Name: name, Data: f.Data})
	}
	server := estate.Start(t, estate.Options{})
	dir := t.TempDir()
	unpack(t, dir, txtar.Format(base))
	client := func(dir string) *tfcli.Client {
		return tfcli.New(t, path, tfcli.Options{Dir: dir, Env: []string{"ESTATE_ENDPOINT=" + server.URL}, Providers: programs})
	}
	first := client(dir)
	if bytes.Contains(txtar.Format(base), []byte("module \"")) {
		first.Must(t, "get", "-no-color")
	}
	first.Apply(t)
	for _, step := range slices.Sorted(maps.Keys(steps)) {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			changed := t.TempDir()
			if err := os.CopyFS(changed, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			unpack(t, changed, txtar.Format(steps[step]))
			checkStep(t, client(changed), server.URL, programs, changed)
		})
	}
}

func checkStep(t *testing.T, client *tfcli.Client, endpoint string, programs map[string]string, dir string) {
	want, err := os.ReadFile(filepath.Join(dir, filepath.Base(client.Path)))
	if err != nil {
		want, err = os.ReadFile(filepath.Join(dir, "want"))
	}
	if err != nil {
		t.Fatal(err)
	}
	client.Run(t, "get", "-no-color") // where there are modules
	report, diags := tfverify.Verify(t.Context(), tfverify.Request{Dir: dir, Launch: launcher(programs, endpoint)})
	got := strings.Join(summary(report, diags), "\n") + "\n"
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("summary (-want +got):\n%s%s", diff, reasons(report, diags))
	}
	plan := client.Run(t, "plan", "-detailed-exitcode", "-no-color", "-input=false", "-out=plan.bin")
	if plan.ExitCode == 1 {
		if report.Proven || (report.Counts[tfverify.Failed] == 0 && !diags.HasErrors() && !strings.Contains(got, "failed output.")) {
			t.Errorf("the client cannot plan, and we do not say why\n%s", plan.Stderr)
		}
		return
	}
	if proven := plan.ExitCode == 0; proven != report.Proven {
		t.Errorf("the client's exit code is %d and proven is %t\n%s", plan.ExitCode, report.Proven, plan.Stdout)
	}
	if diff := cmp.Diff(plannedActions(t, client), verdicts(report)); diff != "" {
		t.Errorf("actions by address (-client +ours):\n%s", diff)
	}
}

// plannedActions reads what the client's plan does, in our words.
func plannedActions(t *testing.T, client *tfcli.Client) map[string]string {
	t.Helper()
	var shown struct {
		Changes []struct {
			Address  string
			Previous string `json:"previous_address"`
			Deposed  string
			Change   struct {
				Actions   []string
				Importing *struct{ ID string }
			}
		} `json:"resource_changes"`
		Outputs map[string]struct{ Actions []string } `json:"output_changes"`
	}
	if err := json.Unmarshal([]byte(client.Must(t, "show", "-json", "plan.bin").Stdout), &shown); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, c := range shown.Changes {
		verdict := c.Change.Actions[0]
		switch {
		case len(c.Change.Actions) == 2:
			verdict = "replace"
		case c.Change.Importing != nil:
			verdict = "import"
		case verdict == "no-op" && c.Previous != "":
			verdict = "move"
		}
		out[c.Address+c.Deposed] = verdict
	}
	for name, c := range shown.Outputs {
		if c.Actions[0] != "no-op" {
			out["output."+name] = c.Actions[0]
		}
	}
	return out
}

func verdicts(r tfverify.Report) map[string]string {
	out := map[string]string{}
	for _, res := range r.Resources {
		out[res.Address+res.Deposed] = string(res.Verdict)
	}
	for _, o := range r.Outputs {
		if o.Verdict != tfverify.NoOp {
			out["output."+o.Name] = string(o.Verdict)
		}
	}
	return out
}

func reasons(r tfverify.Report, diags diag.List) string {
	var b strings.Builder
	for _, res := range r.Resources {
		for _, d := range res.Reasons {
			b.WriteString(diag.Text(d, r.Sources, diag.Style{}))
		}
	}
	for _, o := range r.Outputs {
		for _, d := range o.Reasons {
			b.WriteString(diag.Text(d, r.Sources, diag.Style{}))
		}
	}
	for _, d := range append(slices.Clone(r.Gaps), diags...) {
		b.WriteString(diag.Text(d, r.Sources, diag.Style{}))
	}
	return b.String()
}

// TestGroundTruthIsProven verifies the two written estates after an apply.
func TestGroundTruthIsProven(t *testing.T) {
	t.Parallel()
	tfcli.Each(t, groundTruthIsProven)
}

func groundTruthIsProven(t *testing.T, path string) {
	for _, module := range truth.Modules(t) {
		t.Run(module.Name, func(t *testing.T) {
			t.Parallel()
			programs := binaries(t)
			server, dir := estate.Start(t, estate.Options{}), t.TempDir()
			module.Write(t, dir)
			tfcli.New(t, path, tfcli.Options{Dir: dir, Env: []string{"ESTATE_ENDPOINT=" + server.URL}, Providers: programs}).Apply(t)
			report, diags := tfverify.Verify(t.Context(), tfverify.Request{Dir: dir, Launch: launcher(programs, server.URL)})
			if !report.Proven || report.Counts[tfverify.NoOp] != len(module.Resources) {
				t.Errorf("%v\n%s", summary(report, diags), reasons(report, diags))
			}
			raw, err := json.Marshal(report)
			if err != nil {
				t.Fatal(err)
			}
			again, _ := tfverify.Verify(t.Context(), tfverify.Request{Dir: dir, Launch: launcher(programs, server.URL)})
			second, err := json.Marshal(again)
			if err != nil || !bytes.Equal(raw, second) {
				t.Errorf("two runs differ: %v\n%s\n%s", err, raw, second)
			}
			for name, secret := range module.Variables {
				if bytes.Contains(raw, []byte(secret)) {
					t.Errorf("the report has the value of %s", name)
				}
			}
		})
	}
}
