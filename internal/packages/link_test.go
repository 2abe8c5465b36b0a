package packages

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/pulumi/project"
)

func TestWithModule(t *testing.T) {
	t.Parallel()
	const src = "module shop\n\ngo 1.24\n\nrequire example.org/a v1.2.3 // pinned\n"
	for path, version := range map[string]string{"example.org/sdks/x": "v0.0.0", "example.org/sdks/x/v3": "v3.0.0"} {
		got, err := withModule("go.mod", []byte(src), path, "./sdks/x")
		if err != nil {
			t.Fatal(err)
		}
		want := "module shop\n\ngo 1.24\n\nrequire (\n\texample.org/a v1.2.3 // pinned\n\t" + path + " " + version + "\n)\n\nreplace " + path + " => ./sdks/x\n"
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Error(diff)
		}
		again, err := withModule("go.mod", got, path, "./sdks/x")
		if err != nil || string(again) != string(got) {
			t.Errorf("again: %v\n%s", err, again)
		}
	}
	if _, err := withModule("go.mod", []byte("nonsense"), "example.org/x", "./x"); err == nil {
		t.Error("nonsense was edited")
	}
}

// TestOtherLocks has a program meet each package once.
func TestOtherLocks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(lock project.Lock) string {
		t.Helper()
		file, err := lock.File()
		if err != nil {
			t.Fatal(err)
		}
		data, err := lock.Encode()
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	made := func(version string) project.Lock {
		return project.Lock{Name: "bridge", Version: "1.0.0", Parameterization: &project.Parameter{Name: "x", Version: version, Value: []byte("v")}}
	}
	older, fresh := write(made("1.0.0")), write(made("1.1.0"))
	write(project.Lock{Name: "y", Version: "1.0.0"})
	got, diags := otherLocks(fresh)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	if diff := cmp.Diff([]string{older}, got); diff != "" {
		t.Error(diff)
	}
}

func TestCamelName(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"random": "random", "azure-native": "azureNative", "a--b": "aB"} {
		if got := camelName(in); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
}

func TestWithoutUser(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"random": "random", "": "", "../x": "../x", "acme/x@1.0.0": "acme/x@1.0.0",
		"git://me:token@example.org/a/b.git/c": "git://example.org/a/b.git/c",
		"https://token@example.org/plugins":    "https://example.org/plugins",
	} {
		if got := withoutUser(in); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
}
