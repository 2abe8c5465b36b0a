package project_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/formation-iac/formation/internal/pulumi/project"
)

func TestLock(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		lock project.Lock
		file string
		text string
	}{
		"plain": {
			project.Lock{Name: "random", Version: "4.16.0", DownloadURL: "github://api.github.com/x"},
			"sdks/random/random-4.16.0.yaml",
			"packageDeclarationVersion: 1\nname: random\nversion: 4.16.0\ndownloadUrl: github://api.github.com/x\n",
		},
		"parameterized": {
			project.Lock{Name: "terraform-provider", Version: "0.8.1", Parameterization: &project.Parameter{Name: "tls", Version: "4.0.0", Value: []byte(`{"a":1}`)}},
			"sdks/tls/tls-4.0.0.yaml",
			"packageDeclarationVersion: 1\nname: terraform-provider\nversion: 0.8.1\nparameterization:\n  name: tls\n  version: 4.0.0\n  value: eyJhIjoxfQ==\n",
		},
		"extension": {
			project.Lock{Name: "kubernetes", Extension: &project.Parameter{Name: "crds", Version: "1.0.0", Value: []byte("x")}},
			"sdks/crds/crds-1.0.0.yaml",
			"packageDeclarationVersion: 1\nname: kubernetes\nextension:\n  name: crds\n  version: 1.0.0\n  value: eA==\n",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := test.lock.Encode()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.text, string(text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if file, err := test.lock.File(); file != test.file || err != nil {
				t.Errorf("file %s, %v", file, err)
			}
			got, diags := project.DecodeLock("lock.yaml", text)
			if len(diags) > 0 {
				t.Fatal(diags)
			}
			if diff := cmp.Diff(test.lock, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestLockStaysInItsDirectory(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"../x", "/x", "a/b", `a\b`, "..", ""} {
		if file, err := (project.Lock{Name: name}).File(); err == nil {
			t.Errorf("%q is in %s", name, file)
		}
	}
}

func TestLockRefused(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"a: b\n":                         "lock.yaml is not a package lock file",
		"packageDeclarationVersion: 2\n": "lock.yaml:1,28-29: lock.yaml is not a package lock file",
		"packageDeclarationVersion: 1\n": "lock.yaml is not a whole package lock file: It names no plugin.",
		"packageDeclarationVersion: 1\nname: a\nparameterization: {name: b}\n": "lock.yaml:3,19-28: lock.yaml is not a whole package lock file: " +
			"Its parameterization lacks a name or a version.",
		"packageDeclarationVersion: 1\nname: a\nextension: {name: b, version: 1, value: '?'}\n": "lock.yaml:3,41-44: lock.yaml is not a whole package lock file: " +
			"The value of its extension is not base64.",
		"packageDeclarationVersion: 1\nname: a\nextension: &x {name: b, version: 1, value: eA==}\nparameterization: *x\n": "lock.yaml is not a whole package lock file: " +
			"A package has a parameterization or an extension, and this one both.",
	} {
		_, diags := project.DecodeLock("lock.yaml", []byte(src))
		wantDiags(t, diags, []string{want})
	}
}

func TestLocks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	good := "packageDeclarationVersion: 1\nname: "
	a := write(t, filepath.Join(dir, "sdks", "a", "a.yaml"), good+"a\n")
	b := write(t, filepath.Join(dir, "sdks", "b", "b.yaml"), good+"b\n")
	bad := write(t, filepath.Join(dir, "sdks", "bad.yaml"), good+"\n")
	write(t, filepath.Join(dir, "Pulumi.yaml"), "name: p\nruntime: yaml\n")
	write(t, filepath.Join(dir, "chart.yaml"), "a: {{ helm }\n")
	write(t, filepath.Join(dir, "a.json"), "{}")
	write(t, filepath.Join(dir, "node_modules", "x.yaml"), good+"x\n")
	write(t, filepath.Join(dir, ".hidden", "x.yaml"), good+"x\n")
	got, diags := project.Locks(dir)
	wantDiags(t, diags, []string{bad + " is not a whole package lock file"})
	want := []project.LockFile{{Path: a, Lock: project.Lock{Name: "a"}}, {Path: b, Lock: project.Lock{Name: "b"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got, diags := project.Locks(filepath.Join(dir, "nowhere")); len(got)+len(diags) > 0 {
		t.Errorf("in no directory: %v, %v", got, diags)
	}
}

// FuzzLock writes what it read, and reads that again.
func FuzzLock(f *testing.F) {
	f.Add([]byte("packageDeclarationVersion: 1\nname: a\nversion: 1.0.0\nparameterization:\n  name: b\n  version: 1.0.0\n  value: eA==\n"))
	f.Add([]byte("{packageDeclarationVersion: 0x1, name: [a], extension: {value: x}}"))
	f.Fuzz(func(t *testing.T, src []byte) {
		lock, diags := project.DecodeLock("lock.yaml", src)
		if diags.HasErrors() {
			return
		}
		text, err := lock.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, diags := project.DecodeLock("lock.yaml", text)
		if diags.HasErrors() {
			t.Fatalf("%v in\n%s", diags, text)
		}
		if diff := cmp.Diff(lock, again, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}
