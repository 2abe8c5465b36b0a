package tfstate

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

func sample(lineage string, serial uint64) *State {
	return &State{TerraformVersion: WriterVersion, Lineage: lineage, Serial: serial, Resources: []Resource{{
		Addr: tfaddr.Resource{Mode: tfaddr.Managed, Type: "t", Name: "n"}, Provider: tfaddr.Provider{Host: "a.com", Namespace: "b", Type: "c"},
		Instances: []Instance{{Attributes: []byte(`{"id":"1"}`)}},
	}}}
}

func encoded(t *testing.T, s *State) string {
	t.Helper()
	src, err := Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
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
