package build

import (
	"os"
	"os/exec"
	"testing"
)

// Tool finds a program that `make tools` builds, such as
// "terraform-provider-time". Where it is missing the test fails in CI, and is
// skipped elsewhere.
func Tool(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err == nil {
		return path
	}
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is not on the PATH, and CI must have it: make tools builds it", name)
	}
	t.Skipf("%s is not on the PATH: make tools builds it", name)
	return ""
}
