package e2e_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/providers/brokenprovider"
	"github.com/formation-iac/formation/internal/testkit/tfcli"
	"github.com/formation-iac/formation/internal/testkit/truth"
)

// TestSecretIDs imports an object by an id that is a secret: the files that go
// to git have nothing of it, and the import blocks do all the same what they are
// for.
func TestSecretIDs(t *testing.T) {
	t.Parallel()
	const id = "hunter-two-${22}"
	env := "BROKEN_SCHEMA=secret-id"
	binary := build.Binary(t, "terraform-provider-broken")
	config := cliConfig(t, t.TempDir(), mirrorOf(t, filepath.Join(t.TempDir(), "mirror")))
	for _, judge := range judges(t) {
		t.Run(filepath.Base(judge), func(t *testing.T) {
			t.Parallel()
			p := newProgram(t, env, "TF_CLI_CONFIG_FILE="+config)
			put(t, filepath.Join(p.dir, "ids.csv"), "type,id\nbroken_thing,"+id+"\n")
			for _, handover := range []string{"both", "import-blocks"} {
				run := p.want(t, 0, "import", "formation-iac/broken", "--no-list", "--ids", "ids.csv", "--out", handover, "--state", handover)
				if !strings.Contains(run.stderr, "WR0003") {
					t.Errorf("what plans show is not said: %v", run)
				}
				written := files(t, filepath.Join(p.dir, handover))
				written["stdout"], written["stderr"] = run.stdout, run.stderr
				for _, leak := range truth.Leaks([]string{id, "hunter-two"}, written) {
					t.Error(leak)
				}
				if ignored := strings.Contains(written[".gitignore"], "imports.tf"); ignored != (handover == "both") {
					t.Errorf("%s: imports.tf is ignored: %t", handover, ignored)
				}
			}
			p.want(t, 0, "verify", "both")
			if verified := p.want(t, 3, "verify", "import-blocks"); !strings.Contains(verified.stdout, "Not proven: 1 import.") {
				t.Errorf("what is left to do is not all: %v", verified)
			}
			broken := loadReport(t, filepath.Join(p.dir, "import-blocks")).Resources[0].Address
			client := tfcli.New(t, judge, tfcli.Options{
				Dir: filepath.Join(p.dir, "import-blocks"), Env: []string{env},
				Providers: map[string]string{brokenprovider.Address: binary},
			})
			if d := cmp.Diff([]string{broken + " import"}, imports(t, client)); d != "" {
				t.Error(d)
			}
			client.Apply(t)
			client.EmptyPlan(t)
			p.want(t, 0, "verify", "import-blocks")
		})
	}
}
