package tfcli_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/formation-iac/formation/internal/testkit/tfcli"
)

// recorder notes how a test would have ended.
type recorder struct {
	testing.TB
	ended string
}

func (r *recorder) Fatalf(format string, args ...any) { r.end("failed: ", format, args) }
func (r *recorder) Skipf(format string, args ...any)  { r.end("skipped: ", format, args) }

func (r *recorder) end(how, format string, args []any) {
	if r.ended == "" { // the real ones do not return
		r.ended = how + fmt.Sprintf(format, args...)
	}
}

// TestFind looks for command lines where there are none.
func TestFind(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, test := range []struct{ name, ci, want string }{
		{"tofu", "true", "failed: tofu is not on the PATH, and CI must have it"},
		{"tofu", "", "skipped: tofu is not on the PATH: left out is what TestFind would have tested"},
		{"terraform", "true", "skipped: terraform is not on the PATH: left out is what TestFind would have tested"},
		{"terraform", "", "skipped: terraform is not on the PATH"},
	} {
		t.Setenv("CI", test.ci)
		r := &recorder{TB: t}
		tfcli.Find(r, test.name)
		if !strings.HasPrefix(r.ended, test.want) {
			t.Errorf("%s, CI=%q: %s", test.name, test.ci, r.ended)
		}
	}
}
