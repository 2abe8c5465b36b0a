package tfstate

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

func sample(lineage string, serial uint64) *State {
	return &State{TerraformVersion: WriterVersion, Lineage: lineage, Serial: serial, Resources: []Resource{{
		Addr: tfaddr.Resource{Mode: tfaddr.Managed, Type: "t", Name: "n"}, Provider: tfaddr.Provider{Host: "a.com", Namespace: "b", Type: "c"},
		Instances: []Instance{{Attributes: []byte(`{"id":"1"}`)}},
	}}}
}

func TestSaveAndLoad(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terraform.tfstate")
	if _, diags := Load(path); len(diags) != 1 || diags[0].Code != CodeNotFound {
		t.Errorf("before: %v", diags.Err())
	}
	for serial := range uint64(3) {
		if diags := Save(path, sample("l", serial+1), SaveOptions{}); len(diags) > 0 {
			t.Fatal(diags.Err())
		}
	}
	got, diags := Load(path)
	if diags.HasErrors() || got.Serial != 3 || got.Lineage != "l" || got.Resources[0].String() != "t.n" {
		t.Errorf("%+v %v", got, diags.Err())
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v %v", info.Mode(), err)
	}
	wantOnly(t, path)
}

// wantOnly checks that nothing but the state is left in its directory.
func wantOnly(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 || entries[0].Name() != filepath.Base(path) {
		t.Errorf("left behind: %v %v", entries, err)
	}
}

func TestSaveRefuses(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		there string
		want  string
	}{
		"another lineage": {encoded(t, sample("other", 1)), CodeForeign},
		"a newer state":   {encoded(t, sample("l", 6)), CodeStale},
		"the same serial": {strings.Replace(encoded(t, sample("l", 5)), `"1"`, `"2"`, 1), CodeStale},
		"a text":          {"my notes", CodeForeignContent},
		"an older state":  {encoded(t, sample("l", 4)), ""},
		"an empty file":   {"\n", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "terraform.tfstate")
			if err := os.WriteFile(path, []byte(tt.there), 0o644); err != nil {
				t.Fatal(err)
			}
			wantSave(t, path, SaveOptions{}, tt.want)
			if src, _ := os.ReadFile(path); tt.want != "" && string(src) != tt.there {
				t.Errorf("overwritten with %s", src)
			}
			wantSave(t, path, SaveOptions{Overwrite: true}, "")
			if src, _ := os.ReadFile(path); string(src) != encoded(t, sample("l", 5)) {
				t.Errorf("not overwritten: %s", src)
			}
			wantOnly(t, path)
		})
	}
}

func wantSave(t *testing.T, path string, opts SaveOptions, code string) {
	t.Helper()
	diags := Save(path, sample("l", 5), opts)
	got := ""
	if len(diags) > 0 {
		got = diags[0].Code
	}
	if got != code {
		t.Errorf("code %q, want %q: %v", got, code, diags.Err())
	}
}

func encoded(t *testing.T, s *State) string {
	t.Helper()
	src, err := Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

// The same state is not written again, but made private.
func TestSaveSame(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "s.tfstate")
	if err := os.WriteFile(path, []byte(encoded(t, sample("l", 5))), 0o644); err != nil {
		t.Fatal(err)
	}
	before, _ := os.Stat(path)
	wantSave(t, path, SaveOptions{}, "")
	after, _ := os.Stat(path)
	if !os.SameFile(before, after) || after.Mode().Perm() != 0o600 {
		t.Errorf("replaced, or mode %v", after.Mode())
	}
}

func TestSaveThroughLink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real.tfstate"), filepath.Join(dir, "link.tfstate")
	if err := os.WriteFile(real, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	wantSave(t, link, SaveOptions{}, "")
	if src, err := os.ReadFile(real); err != nil || string(src) != encoded(t, sample("l", 5)) {
		t.Errorf("the link's target has %q, %v", src, err)
	}
}

func TestSaveLocked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "terraform.tfstate")
	lock := filepath.Join(dir, ".terraform.tfstate.lock.info")
	info := `{"ID":"abc","Operation":"OperationTypeApply","Info":"","Who":"me@host","Version":"1.11.4","Created":"2026-01-01T00:00:00Z","Path":"terraform.tfstate"}`
	for text, want := range map[string]string{
		info:   "Another program works on this state (by me@host, for OperationTypeApply, since 2026-01-01T00:00:00Z, lock abc).",
		"junk": "Another program works on this state.",
	} {
		if err := os.WriteFile(lock, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		diags := Save(path, sample("l", 5), SaveOptions{})
		if len(diags) != 1 || diags[0].Code != CodeLocked || !strings.HasPrefix(diags[0].Detail, want) || !strings.Contains(diags[0].Detail, lock) {
			t.Errorf("%v", diags.Err())
		}
	}
	wantSave(t, path, SaveOptions{IgnoreLock: true}, "")
	if _, err := os.Stat(lock); err != nil {
		t.Errorf("the lock of somebody else is gone: %v", err)
	}
}

func TestSaveFails(t *testing.T) {
	t.Parallel()
	wantSave(t, filepath.Join(t.TempDir(), "none", "s.tfstate"), SaveOptions{}, CodeUnwritable)
	wantSave(t, t.TempDir(), SaveOptions{}, CodeUnreadable)
	bad := sample("l", 1)
	bad.Resources[0].Instances[0].Attributes = []byte(`{`)
	if diags := Save(filepath.Join(t.TempDir(), "s"), bad, SaveOptions{}); len(diags) != 1 || !strings.Contains(diags[0].Detail, "t.n: attributes") {
		t.Errorf("%v", diags.Err())
	}
}

// Writers that race leave one whole state, and lock nobody out for good.
func TestSaveConcurrently(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terraform.tfstate")
	results := make(chan diag.List)
	for serial := range uint64(8) {
		go func() { results <- Save(path, sample("l", serial+1), SaveOptions{}) }()
	}
	saved := 0
	for range 8 {
		diags := <-results
		switch {
		case len(diags) == 0:
			saved++
		case diags[0].Code != CodeLocked && diags[0].Code != CodeStale:
			t.Error(diags.Err())
		}
	}
	if _, diags := Load(path); saved == 0 || diags.HasErrors() {
		t.Errorf("%d saved: %v", saved, diags.Err())
	}
	wantOnly(t, path)
}

func TestNew(t *testing.T) {
	t.Parallel()
	a, err := New(rand.NewChaCha8([32]byte{1}))
	if err != nil {
		t.Fatal(err)
	}
	b, _ := New(rand.NewChaCha8([32]byte{1}))
	c, _ := New(rand.NewChaCha8([32]byte{2}))
	if len(a.Lineage) != 36 || a.Lineage != b.Lineage || a.Lineage == c.Lineage || a.Serial != 1 {
		t.Errorf("%q %q %q", a.Lineage, b.Lineage, c.Lineage)
	}
	if _, err := New(bytes.NewReader(nil)); err == nil {
		t.Error("no randomness was needed")
	}
}

func TestEncodeRefuses(t *testing.T) {
	t.Parallel()
	edit := func(f func(*Resource)) *State {
		s := sample("l", 1)
		f(&s.Resources[0])
		return s
	}
	for name, s := range map[string]*State{
		"mode":      edit(func(r *Resource) { r.Addr.Mode = "odd" }),
		"key":       edit(func(r *Resource) { r.Instances[0].Key = cty.True }),
		"fraction":  edit(func(r *Resource) { r.Instances[0].Key = cty.NumberFloatVal(1.5) }),
		"both":      edit(func(r *Resource) { r.Instances[0].Flatmap = map[string]string{} }),
		"bad JSON":  edit(func(r *Resource) { r.Instances[0].Attributes = []byte("oops") }),
		"bad path":  edit(func(r *Resource) { r.Instances[0].SensitiveAttributes = []cty.Path{{nil}} }),
		"bad extra": edit(func(r *Resource) { r.Unknown = Members{{"x", []byte("{")}} }),
	} {
		if src, err := Encode(s); err == nil || !strings.HasPrefix(err.Error(), "t.n: ") {
			t.Errorf("%s: %v\n%s", name, err, src)
		}
	}
}

// Writing does not reorder the caller's state.
func TestEncodeKeepsInput(t *testing.T) {
	t.Parallel()
	s := sample("l", 1)
	s.Resources = append(s.Resources, s.Resources[0])
	s.Resources[1].Addr.Name = "a"
	s.Resources[1].Instances = []Instance{{Key: cty.StringVal("b")}, {Key: cty.StringVal("a")}, {Key: cty.NumberIntVal(10)}, {Key: cty.NumberIntVal(9)}}
	src := encoded(t, s)
	if s.Resources[0].Addr.Name != "n" || s.Resources[1].Instances[0].Key.AsString() != "b" {
		t.Error("the state was sorted in place")
	}
	again, diags := Decode([]byte(src), "")
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	var got []string
	for _, r := range again.Resources {
		for _, i := range r.Instances {
			got = append(got, r.InstanceAddress(i))
		}
	}
	if diff := cmp.Diff([]string{"t.a[9]", "t.a[10]", `t.a["a"]`, `t.a["b"]`, "t.n"}, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}
