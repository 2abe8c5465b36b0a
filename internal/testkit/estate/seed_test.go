package estate

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func contains(data []byte, text string) bool { return bytes.Contains(data, []byte(text)) }

func TestSeedRepeats(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 5, 60, 1000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			a, b := NewStore(1), NewStore(1)
			for _, s := range []*Store{a, b} {
				if _, err := s.Seed(SeedOptions{Objects: n}); err != nil {
					t.Fatal(err)
				}
				if got := s.Total(); got != n {
					t.Errorf("made %d objects, not %d", got, n)
				}
			}
			if diff := cmp.Diff(string(a.Dump(DumpOptions{})), string(b.Dump(DumpOptions{}))); diff != "" {
				t.Errorf("two seeds differ:\n%s", diff)
			}
		})
	}
}

// TestDumpWithoutIDs compares estates of different seeds: all ids differ, and
// the dump that drops them must not.
func TestDumpWithoutIDs(t *testing.T) {
	t.Parallel()
	a, b := NewStore(1), NewStore(2)
	for _, s := range []*Store{a, b} {
		if _, err := s.Seed(SeedOptions{Objects: 120, Ledgers: 1, BucketObjects: 2}); err != nil {
			t.Fatal(err)
		}
	}
	if bytes.Equal(a.Dump(DumpOptions{}), b.Dump(DumpOptions{})) {
		t.Error("stores of different seeds have the same ids")
	}
	drop := DumpOptions{DropGenerated: true}
	if diff := cmp.Diff(string(a.Dump(drop)), string(b.Dump(drop))); diff != "" {
		t.Errorf("without ids the two differ:\n%s", diff)
	}
	role, err := b.Get("roles", "checkout-prod-role")
	if err != nil {
		t.Fatal(err)
	}
	changed := sendable(b.kinds["roles"], role)
	changed["description"] = "changed"
	if _, err := b.Update("roles", "checkout-prod-role", changed); err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(a.Dump(drop), b.Dump(drop)) {
		t.Error("a changed description does not show")
	}
}

// TestSeedHasEveryFeature keeps the seed interesting: every field of every
// kind is set in some object of a seed of 60.
func TestSeedHasEveryFeature(t *testing.T) {
	t.Parallel()
	s := NewStore(1)
	if _, err := s.Seed(SeedOptions{Objects: 60, BucketObjects: 1, Ledgers: 1, Listeners: 3}); err != nil {
		t.Fatal(err)
	}
	rare := map[string]bool{"instances.user_data_base64": true, "ledgers.bucket": true}
	for _, k := range Kinds() {
		objects, _, err := s.Page(k.Name, nil, 0, 1000)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range k.Fields {
			set := f.Secret || rare[k.Name+"."+f.Name]
			for _, obj := range objects {
				_, has := obj[f.Name]
				set = set || has
			}
			if !set {
				t.Errorf("no object sets %s.%s", k.Name, f.Name)
			}
		}
	}
}
