package write

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/formation-iac/formation/internal/base/outtree"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// TestVouched holds that a report vouches for what was written with it, and for
// itself only as it was.
func TestVouched(t *testing.T) {
	t.Parallel()
	tree, diags := Files(Module{Provider: tfaddr.Provider{Host: "h", Namespace: "n", Type: "x"}, Resources: []Resource{
		{Addr: tfaddr.Resource{Mode: tfaddr.Managed, Type: "x_a", Name: "n"}},
	}})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	report, _ := tree.File(ReportFile)
	vouched := vouchedBy(t, report.Data)
	for _, f := range tree.Files() {
		sum, named := vouched[f.Path]
		if !named || sum != outtree.Digest(f.Data) {
			t.Errorf("%s: %t %s", f.Path, named, sum)
		}
	}
	changed := bytes.Replace(report.Data, []byte(`"found": 0`), []byte(`"found": 7`), 1)
	if sum := vouchedBy(t, changed)[ReportFile]; sum == "" || sum == outtree.Digest(changed) {
		t.Errorf("a report that was changed vouches for itself: %q", sum)
	}
	for _, other := range []string{"{}", `{"version": 1}`, `{"version": 2, "files": {"report.json": "00"}}`} {
		if got := vouchedBy(t, []byte(other)); got != nil {
			t.Errorf("%s vouches for %v", other, got)
		}
	}
}

func vouchedBy(t *testing.T, text []byte) map[string]string {
	t.Helper()
	var r Report
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	return r.Vouched(text)
}
