package workflow

import (
	"path/filepath"
	"runtime"
	"testing"

	"github.com/formation-iac/formation/internal/base/outtree"
	"github.com/formation-iac/formation/internal/importer/write"
	"github.com/formation-iac/formation/internal/tf/tfstate"
)

// TestLookBackHoldsTheState keeps others out of a state from before it is read
// until it has been replaced.
func TestLookBackHoldsTheState(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("a state is held on Linux alone")
	}
	dir := filepath.Join(t.TempDir(), "out")
	var tree outtree.Tree
	if err := tree.Add(write.StateFile, []byte(`{"version":4,"serial":3,"lineage":"l"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, diags := outtree.Commit(t.Context(), dir, &tree, outtree.Options{}); diags.HasErrors() {
		t.Fatal(diags)
	}
	req := ImportRequest{OutDir: dir, State: true}
	before, diags := lookBack(req)
	if diags.HasErrors() || before.state == nil || before.state.Serial != 3 {
		t.Fatalf("%v %v", before.state, diags)
	}
	if _, diags := lookBack(req); len(diags) != 1 || diags[0].Code != tfstate.CodeLocked {
		t.Errorf("while it is held: %v", diags)
	}
	before.release()
	again, diags := lookBack(req)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	again.release()
}
